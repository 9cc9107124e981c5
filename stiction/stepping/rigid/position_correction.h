#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// Constraint stabilisation of contacts at the position level: overlaps are opened by the smallest motion in
/// the kinetic metric, velocities untouched,
///     dq = A J_n' p,   0 <= p  orthogonal to  gap + J_n dq >= 0                                                (1)
/// without friction, joint limits too. What it takes against gravity is entered in the ledger as stabilisation.
/// Overlaps of squeezed bodies cannot be opened, and sweeps in the attempt would move them anywhere: a group in which
/// a body would go ten times as far as all its overlaps together stays, and counts as unconverged; so does one whose
/// deepest overlap would neither be halved nor allowed.
class PositionCorrection {
 public:
  explicit PositionCorrection(IslandWork& work);

  enum class Outcome { done, moved, refused };
  /// One round, if a gap or a joint limit is deeper than allowed: by the solver to its tolerance, or `roughly`, the
  /// rest being left to the next steps. The state is moved by apply().
  bool pose_round(const IslandState& state, const AllowedOverlap& allowed);
  void solve_round(const AllowedOverlap& allowed);
  /// Impulses of the rows of the last round: sleepers on which one acts are to wake first.
  const VecX& impulses() const { return solved_.r; }
  Outcome apply(IslandState& state, double allowed);

 private:
  bool has_deep_limit(const IslandState& state, double allowed);
  bool refuse_far_motions(double allowed);

  IslandWork& work_;
  const RigidModel& model_;
  SolvedContacts solved_;
  VecX q_, displacement_;
  double posed_t_ = 0;  ///< of the state whose overlaps are corrected [s]
};

}  // namespace stiction
