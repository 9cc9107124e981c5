#pragma once

#include "stiction/stepping/rigid/impact_process.h"
#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// The law of restitution at a time of impact, for all contacts of an island that touch. In every group of contacts
/// that act on one another the impact is a process (impact_process.h): friction follows the slip, and restitution is
/// Newton's, Poisson's or Stronge's, each contact by its own law. Contacts at rest take part; joint limits that are
/// reached with e = 0.
/// With friction, Newton's law, and with several contacts the others too, may create energy (Kane, Levinson 1985): in
/// such a group the restitution is lowered to the largest part with which none is created. Whose rebound would be too
/// short: is_restored(). A group that finds no solution as a process has the impulses of the step's solver with e = 0.
/// Friction acts on the exact cone, whatever the formulation.
class ImpactLaw {
 public:
  explicit ImpactLaw(IslandWork& work);

  /// Does a contact of the last ContactTracker::look_at_start touch, close, and was not loaded before?
  bool is_due() const;
  /// Impulses of an impact in that state, in solved(); velocities of constraints are satisfied in `state` first.
  void solve(IslandState& state);
  SolvedContacts& solved() { return solved_; }

 private:
  void pose(IslandState& state);
  void satisfy_constraints(IslandState& state);
  void set_restitution();
  void solve_with_parts();
  void solve_group(const std::vector<int>& group);
  void solve_plastic(const std::vector<int>& group);
  void lower_restitution();

  IslandWork& work_;
  const RigidModel& model_;
  SolvedContacts solved_;
  VecX u_later_;      ///< along the rows a step later without impulses
  VecX restitution_;  ///< of the contacts where it acts
  VecX part_;         ///< of it that acts, 1 unless energy would be created
  VecX v_later_, group_r_;
  double posed_t_ = 0;  ///< of the impact [s], and v before it
  const VecX* posed_v_ = nullptr;
  ImpactProcess process_;
  ImpactProblem problem_;
};

}  // namespace stiction
