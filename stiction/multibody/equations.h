#pragma once

#include "stiction/multibody/compliant_contacts.h"
#include "stiction/multibody/constraint_set.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/dynamics.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/multibody/step_loads.h"

namespace stiction {

/// The smooth right-hand side of a whole system at one instant: kinematics, forces, constraints at the acceleration
/// level, the energy ledger. Everything an integrator, a recorder or an audit asks about an instant is a member here
/// after `evaluate`. Owns its workspace; nothing allocates after construction. The system must outlive it.
class Equations {
 public:
  explicit Equations(const System& system);

  /// At (t, q, v, z, modes). Prescribed joints: q and v are overwritten with their functions of time first, in a copy.
  ///     M vdot + b = tau + J' F + g' lambda,   g vdot + gamma = 0                                      (1)
  /// The multipliers come from the Delassus matrix A = g M^-1 g', scaled to unit diagonal and factorised by Cholesky
  /// with complete pivoting; rows that depend on others (pivot below 1e-10) are dropped: their multipliers are 0, the
  /// accelerations are not affected.
  /// The ledger: d(kinetic + potential + stored)/dt = input - dissipated + projection. Input is the power of motors, of
  /// applied forces, of what drives prescribed joints (joint force less what elements put there), and of moving
  /// constraints, -lambda . phi_t. Projection is lambda . phidot, the work of constraint forces against the drift: zero
  /// where the constraints hold, of the size of the integrator's error inside a step.
  void evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes);
  void evaluate(const State& state) { evaluate(state.t, state.q, state.v, state.z, state.modes); }
  /// With other forces beside those of the elements; the ledger does not count them.
  void evaluate(const State& state, const StepLoads& loads);

  // Results of evaluate:
  const VecX& q() const { return q_; }  ///< with prescribed coordinates in place
  const VecX& v() const { return v_; }
  const VecX& dq() const { return dq_; }
  const VecX& dv() const { return dv_; }
  const VecX& dz() const { return dz_; }  ///< ledger powers, turn rates
  const Kinematics& kinematics() const { return kinematics_; }
  const TreeDynamics& dynamics() const { return dynamics_; }  ///< A_WB of the final motion
  const VecX& tau() const {
    return forces_.tau;
  }  ///< joint forces: motors, springs, couplers, drive of prescribed joints
  const VecX& lambda() const { return lambda_; }                     ///< constraint multipliers, all rows
  const ConstraintSet& constraints() const { return constraints_; }  ///< rows: phi, phidot, gamma, Jacobian
  double stored_energy() const { return forces_.stored_energy; }     ///< of springs [J]
  double input_power() const { return dz_[ledger_input]; }
  double dissipated_power() const { return dz_[ledger_dissipated]; }
  double kinetic_energy() const { return calc_kinetic_energy(system_, kinematics_); }
  double potential_energy() const { return calc_potential_energy(system_, kinematics_); }
  /// What the inboard joint of a body transmits to it, at its origin: [torque; force], world axes.
  Vec6 calc_joint_force(int body) const {
    return stiction::calc_joint_force(system_, kinematics_, forces_.F, dynamics_, body);
  }
  /// R of (8) in force.h: the size of a joint's reaction force; `slides`: of its part across that coordinate's axis.
  double calc_load(CoordinateRef coordinate, bool slides);
  /// Force of the constraint on its body b, at the origin of that body: [torque; force], world axes. On body a acts the
  /// opposite, at the same point. Zero for couplers.
  Vec6 calc_constraint_force(int constraint) const;

  // calc_guards and calc_drift reuse the workspace: kinematics(), q(), v() and constraints() are then those of that
  // call, the other results remain (but for forces of welded bodies, which read them). project and assemble leave no
  // results: call evaluate again.

  /// Guard functions of elements with modes, one a mode, for locating events: an event is a change of sign.
  void calc_guards(double t, const VecX& q, const VecX& v, const VecX& z, VecX& guards);
  /// The same of the state that was evaluated, directly after that.
  void read_guards(const VecX& z, VecX& guards);
  /// The mode a guard's sign asks for.
  static int mode_for(double guard) { return guard > 0 ? 1 : 0; }
  /// Element and words of each mode, for the events.
  const std::vector<ModeInfo>& mode_infos() const { return mode_infos_; }

  /// Compliant contacts, if the formulation has any.
  CompliantContacts& contacts() { return contacts_; }
  const CompliantContacts& contacts() const { return contacts_; }
  /// The mode of a touch guard has changed in this state: its memory in z begins or ends, and the ledger is told.
  /// Nothing for modes of other elements. `impact_speed`: where it is not that of this state.
  void switch_contact(int mode, State& state, std::optional<double> impact_speed = std::nullopt);
  /// The approach of the contact of a touch guard in this state, if the mode belongs to one [m/s].
  std::optional<double> find_approach(int mode, const State& state);
  /// Contacts that touch in this state: those of evaluate() without the rest of it, whose results are lost.
  std::span<const CompliantContacts::Observed> observe_contacts(const State& state);
  /// Followed points are put where the exact solver sees them.
  void correct_contacts(State& state);

  int n_rows() const { return constraints_.size(); }
  bool has_prescribed() const { return !prescribed_.empty(); }

  /// max |phi| and max |phidot| at (t, q, v, z).
  struct Drift {
    double position = 0;
    double velocity = 0;
    int worst_constraint = -1;  ///< the one of max |phi|
  };
  Drift calc_drift(double t, const VecX& q, const VecX& v, const VecX& z);

  /// Project onto the constraints: quaternions to unit norm, prescribed joints onto their functions, then Newton steps
  ///     dq = -M^-1 g' (g M^-1 g')^-1 phi until |phi| <= tolerance, and  v -= M^-1 g' (g M^-1 g')^-1 phidot  (2)
  /// (the smallest change in the kinetic metric), the velocities to the same number per second. Neither goes below the
  /// rounding of the numbers it is made of. One factorisation serves all steps while they converge tenfold. The change
  /// of kinetic + potential + stored energy that this makes is added to state.z[ledger_projection]. States whose drift
  /// is already below the tolerance are left alone. Entries of z that follow angles are set to the angles.
  struct Projection {
    bool converged = true;  ///< within 100 tolerances: near a singular configuration the last digits are not to be had
    Drift drift;            ///< after
    int iterations = 0;     ///< Newton steps on positions
  };
  [[nodiscard]] Projection project(State& state, double tolerance = 1e-12);
  /// The same from a start that need not be near: Newton steps are shortened until |phi| declines. For initial states;
  /// the ledger is not touched.
  [[nodiscard]] Projection assemble(State& state, double tolerance = 1e-12);
  /// Entries of z that follow angles of joints in constraint form become these angles, whole turns counted: those of
  /// the state before may differ by less than half a turn. After calc_drift of the same state.
  void follow_turns(State& state) const;

 private:
  /// Of q_ and v_.
  Instant make_instant(double t, const VecX& z) const { return {system_, kinematics_, t, q_, v_, z}; }

  // evaluate
  void set_state(double t, const VecX& q, const VecX& v, VecX& vdot);
  void place(const State& state);
  void update_forces(double t, const VecX& z, const std::vector<int>& modes);
  void apply_constraints(double t, const VecX& z);
  Vec3 calc_slide_axis(const NamedJoint& joint, CoordinateRef coordinate);
  void update_ledger_rates();
  double calc_drive_power() const;
  void update_turn_rates(const VecX& z);

  // project: on q_ and v_, rows up to date
  struct Limits {
    double position, velocity;
  };
  Limits calc_limits(double tolerance) const;
  Drift measure_drift() const;
  double calc_energy(const State& state);
  Projection bring_onto_constraints(State& state, double tolerance, int max_steps);
  int project_positions(const State& state, double tolerance, int max_steps);
  bool take_step(const State& state, double error);
  void project_velocities(const State& state, double tolerance);
  void factorize();
  void calc_correction(const VecX& error);

  const System& system_;
  Kinematics kinematics_;
  TreeDynamics dynamics_;
  ForceSum forces_;
  CompliantContacts contacts_;
  ConstraintSet constraints_;
  ForceSum unit_;                             ///< scratch
  std::vector<const JointFriction*> loaded_;  ///< whose friction depends on the load
  const StepLoads* loads_ = nullptr;          ///< of an evaluation
  bool had_loads_ = false;                    ///< forces_ may hold those of the last one
  std::vector<int> prescribed_;               ///< bodies with prescribed joints
  struct Turning {
    CoordinateRef coordinate;
    int z_index = 0;
  };
  std::vector<Turning> turning_;  ///< angles followed in z
  std::vector<const Force*> mode_elements_;
  std::vector<int> memory_;  ///< entries of z that force elements remember
  std::vector<ModeInfo> mode_infos_;
  VecX q_, v_, dq_, dv_, dz_, lambda_;
  VecX tau_applied_;  ///< forces of elements, where tau holds the total at prescribed joints

  // Of the projection:
  bool factors_serve_ = false;  ///< the last factorisation still converges
  VecX delta_, multiplier_, q_start_;
};

}  // namespace stiction
