#pragma once

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/stepping/rigid/free_flight.h"

namespace stiction {

/// A (sub)step of an island without contacts and constraints: v_free of (1) in formulation.h.
///     v_free = v + h M^-1 f,   free bodies by free_flight.h                                                    (1)
/// Islands with joints, and with theta < 1 those with dampers or motors, by iteration: f at the mean of v and v_free; M
/// and f of joints also at the mean configuration (implicit midpoint rule).
/// Sleepers have no velocity. Prescribed joints have at the end of the step a velocity with which positions come out
/// exactly: with theta = 1 the mean over the step, which stands at its start, too; else v at the start is the joint's
/// own, and gaps to driven bodies are exact to the third order in h.
class FreeStep {
 public:
  explicit FreeStep(const RigidModel& model);
  /// z and modes of the whole state, constant during the step.
  void begin(const Island& island, const VecX& z, const std::vector<int>& modes);

  /// v_start and v_free, forces as the scheme takes them.
  void update(const StepTask& step);
  /// The same with the forces at the end, at q and v there; where joints couple bodies, at the midpoint of positions
  /// and velocities, as in all formulations: Coriolis forces at the end would feed energy.
  void update_at_end(const StepTask& step, const VecX& q, const VecX& v);
  /// Forces that depend on velocities saw those without impulses: once more, the `round`-th time, with v_end, that came
  /// out. Returns whether that changes v_free: more than rounding in the first round; second order needs no more than
  /// this. Dampers, motors and joints: as long as velocities change by more than RigidTolerances::force_change, so that
  /// a velocity that a motor holds against contact is held exactly.
  bool correct(const StepTask& step, const Kinematics& at_s, int round, const VecX& v_end);
  /// Were forces that depend on velocities not found within the budget? Then v of the forces differs from that of the
  /// step by more than RigidTolerances::lost_force_change [of |v| or 1 m/s], or is not a number.
  bool has_lost_forces() const { return !(force_change_ <= model_.tolerances.lost_force_change); }

  const VecX& v_start() const { return v_start_; }  ///< v with the velocities of prescribed joints
  const VecX& v_free() const { return v_free_; }
  /// Free bodies turn as free_flight.h says; `displacement` holds h times the velocities with weights of theta.
  void add_turns(const StepTask& step, const VecX& v_end, VecX& displacement) const;
  /// The same where velocities at the end have weights of their own in it.
  void add_turns(const StepTask& step, const VecX& weight, const VecX& v_end, VecX& displacement) const;
  /// Accelerations by forces alone: of the centres of mass of free bodies, where v holds the velocities of origins.
  void calc_accelerations(const StepTask& step, VecX& a) const;
  /// Work of elements and drives over the step goes to the ledger of `to`: powers belong to the motion as it turned
  /// out, not to that without impulses.
  void book_work(const StepTask& step, const VecX& q_s, const VecX& v_end, IslandState& to);

  FreeMotion& motion() { return motion_; }
  const VecX& z() const { return *z_; }
  const std::vector<int>& modes() const { return *modes_; }

 private:
  void evaluate_ahead(const StepTask& step, const VecX& v);
  bool is_iterated(const TimeScheme& scheme) const;
  static double calc_weight(const TimeScheme& scheme);
  void damp(const StepTask& step);
  bool advance_forces(const StepTask& step, const VecX& v_end);
  void set_given_velocities(const StepTask& step);

  const RigidModel& model_;
  const Island* island_ = nullptr;
  const VecX* z_ = nullptr;
  const std::vector<int>* modes_ = nullptr;
  FreeMotion motion_;
  FreeFlight flight_;
  AndersonAcceleration acceleration_of_forces_;
  VecX v_forces_;  ///< velocities at which forces were taken
  double force_change_ = 0;
  VecX v_start_, v_free_, v_before_, v_mean_, q_, displacement_, acceleration_;
  VecX theta_;  ///< of the scheme, one for each velocity
};

}  // namespace stiction
