#pragma once

#include "stiction/multibody/dynamics.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/stepping/rigid/island.h"

namespace stiction {

/// The motion that forces alone would give an island at an instant: no constraints, no contacts. Prescribed joints
/// follow their functions of time.
class FreeMotion {
 public:
  explicit FreeMotion(const RigidModel& model);
  void begin(const Island& island);

  /// vdot = M^-1 (tau + J'F - b), and the powers that go into the ledger. `q` and `v` hold prescribed joints already.
  void evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes);

  const VecX& acceleration() const { return vdot_; }
  const Kinematics& kinematics() const { return kinematics_; }
  const Vec3& gravity() const { return system_.gravity; }
  /// What elements exert on a body with a plain free joint, at its origin: [torque; force], without gravity.
  Vec6 calc_free_force(int body) const;
  double input_power() const { return input_power_; }
  double dissipated_power() const { return forces_.dissipated_power; }

 private:
  const System& system_;
  const TreePlan& plan_;
  const Island* island_ = nullptr;
  Kinematics kinematics_;
  TreeDynamics dynamics_;
  ForceSum forces_;
  VecX q_, v_, vdot_, tau_applied_;
  double input_power_ = 0;
};

}  // namespace stiction
