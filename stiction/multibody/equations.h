#pragma once

#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/dynamics.h"

namespace stiction {

/// The smooth right-hand side of a whole system at one instant: kinematics, forces, constraints at the acceleration level,
/// the energy ledger. Everything an integrator, a recorder or an audit asks about an instant is a member here after
/// `evaluate`. Owns its workspace; nothing allocates after construction.
class Equations {
 public:
  explicit Equations(const System& system);

  /// At (t, q, v, z, modes). Prescribed joints: q and v are overwritten with their functions of time first, in a copy.
  ///     M vdot + b = tau + J_c' lambda + ...,   g vdot + gamma = 0                                      (1)
  /// The multipliers come from the Delassus matrix A = g M^-1 g', scaled to unit diagonal and factorised by Cholesky with
  /// complete pivoting; rows that depend on others (pivot below 1e-10) are dropped: their multipliers are 0, the
  /// accelerations are not affected.
  void evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes);
  void evaluate(const State& state) { evaluate(state.t, state.q, state.v, state.z, state.modes); }

  // Results of evaluate:
  const VecX& q() const { return q_; }        ///< with prescribed coordinates in place
  const VecX& v() const { return v_; }
  const VecX& dq() const { return dq_; }
  const VecX& dv() const { return dv_; }
  const VecX& dz() const { return dz_; }      ///< ledger powers, turn rates
  const Kinematics& kinematics() const { return kinematics_; }
  const TreeDynamics& dynamics() const { return dynamics_; }   ///< A_WB, F_joint of the final motion
  const VecX& tau() const { return tau_; }    ///< joint forces: motors, springs, and what drives prescribed joints
  const VecX& lambda() const { return lambda_; }               ///< constraint multipliers, all rows
  double stored_energy() const { return stored_energy_; }      ///< of springs [J]
  double input_power() const { return dz_[ledger_input]; }
  double dissipated_power() const { return dz_[ledger_dissipated]; }
  double kinetic_energy() const;
  double potential_energy() const;

  /// Guard functions of elements with modes, one a mode, for locating events: an event is a change of sign.
  void calc_guards(double t, const VecX& q, const VecX& v, const VecX& z, VecX& guards);
  /// The mode a guard's sign asks for, and the words for the event ("taut", "slack") with the element's name.
  static int mode_for(double guard) { return guard > 0 ? 1 : 0; }

  int n_rows() const { return static_cast<int>(lambda_.size()); }

  /// max |phi| and max |phidot| at (t, q, v, z).
  struct Drift {
    double position = 0;
    double velocity = 0;
    int worst_constraint = -1;
  };
  Drift calc_drift(double t, const VecX& q, const VecX& v, const VecX& z);

  /// Project onto the constraints: quaternions to unit norm, prescribed joints onto their functions, then Newton steps
  ///     dq = -M^-1 g' (g M^-1 g')^-1 phi until |phi| <= tolerance, and  v -= M^-1 g' (g M^-1 g')^-1 phidot  (2)
  /// (the smallest change in the kinetic metric). The change of kinetic + potential + stored energy that this makes is
  /// added to state.z[ledger_projection]. Steps whose drift is already below the tolerance are left alone.
  struct Projection {
    bool converged = true;
    Drift drift;      ///< after
    int iterations = 0;
  };
  [[nodiscard]] Projection project(State& state, double tolerance = 1e-12);

 private:
  struct Rows;
  const System& system_;
  Kinematics kinematics_;
  TreeDynamics dynamics_;
  VecX q_, v_, dq_, dv_, dz_, tau_, lambda_;
  double stored_energy_ = 0;
};

}  // namespace stiction
