#pragma once

#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {

/// The law of restitution at a time of impact, for all contacts of an island that touch, in one problem.
///   Newton:  u_n+ >= -e u_n-  orthogonal to r_n, at every contact that touches and closes; those at rest have
///            u_n- = 0 and stay closed.
///   Poisson: first e = 0; then each normal impulse once more, times e, with friction (on the exact cone) solved anew;
///            then, where contacts still close, e = 0 again.
/// With friction, Newton's law, and with several contacts Poisson's too, may create energy (Kane, Levinson 1985): in
/// each group of contacts that act on one another the restitution is then lowered to the largest part with which none
/// is created. Joint limits that are reached take part with e = 0. Whose rebound would be too short: is_restored().
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
  void restore_poisson();
  void lower_restitution();

  IslandWork& work_;
  const RigidModel& model_;
  SolvedContacts solved_;
  VecX u_later_;           ///< along the rows a step later without impulses
  VecX newton_, poisson_;  ///< restitution of the contacts, by the law that acts
  VecX part_;              ///< of it that acts, 1 unless energy would be created
  VecX q_, v_later_;
};

}  // namespace stiction
