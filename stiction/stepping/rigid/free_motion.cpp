#include "stiction/stepping/rigid/free_motion.h"

namespace stiction {

FreeMotion::FreeMotion(const System& system)
    : system_(system),
      kinematics_(system),
      dynamics_(system),
      forces_(system),
      q_(VecX::Zero(system.nq)),
      v_(VecX::Zero(system.nv)),
      vdot_(VecX::Zero(system.nv)),
      tau_applied_(VecX::Zero(system.nv)) {
  for (int b = 0; b < system.n_bodies(); ++b) {
    if (system.joints[static_cast<std::size_t>(b)].prescribed()) prescribed_.push_back(b);
  }
}

Vec6 FreeMotion::calc_free_force(int body) const {
  const auto b = static_cast<std::size_t>(body);
  return forces_.F[b] + tau_applied_.segment<6>(kinematics_.plan.joints[b].v_start);
}

void FreeMotion::evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes) {
  q_ = q;
  v_ = v;
  if (!prescribed_.empty()) update_prescribed(system_, t, q_, v_, vdot_);
  update_positions(system_, q_, kinematics_);
  update_velocities(system_, v_, kinematics_);
  forces_.set_zero();
  if (!system_.forces.empty()) add_forces({system_, kinematics_, t, q_, v_, z}, modes, forces_);
  tau_applied_ = forces_.tau;
  update_articulated_inertia(system_, kinematics_, dynamics_);
  calc_forward_dynamics(system_, kinematics_, dynamics_, forces_.F, forces_.tau, vdot_);
  input_power_ = forces_.input_power;
  for (const int b : prescribed_) {
    const Joint& joint = system_.joints[static_cast<std::size_t>(b)];
    for (int i = joint.v_start; i < joint.v_start + joint.nv; ++i)
      input_power_ += (forces_.tau[i] - tau_applied_[i]) * v_[i];
  }
}

}  // namespace stiction
