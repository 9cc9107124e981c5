#include "stiction/stepping/rigid/free_motion.h"

#include "stiction/base/index.h"

namespace stiction {

FreeMotion::FreeMotion(const RigidModel& model)
    : system_(model.system), plan_(model.plan), kinematics_(system_), dynamics_(system_), forces_(system_) {}

void FreeMotion::begin(const Island& island) {
  island_ = &island;
  select_bodies(plan_, island.bodies, kinematics_.plan);
  vdot_.setZero(island.nv);
  forces_.tau.setZero(island.nv);
}

Vec6 FreeMotion::calc_free_force(int body) const {
  return forces_.F[at(body)] + tau_applied_.segment<6>(kinematics_.plan.joints[at(body)].v_start);
}

void FreeMotion::evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes) {
  q_ = q;
  v_ = v;
  const TreePlan& plan = kinematics_.plan;
  if (island_->has_prescribed) update_prescribed(system_, plan, t, q_, v_, vdot_);
  update_positions(system_, q_, kinematics_);
  update_velocities(system_, v_, kinematics_);
  forces_.set_zero(plan.moving);
  for (const int force : island_->forces)
    add_force(system_.forces[at(force)], {system_, kinematics_, t, q_, v_, z}, modes, forces_);
  tau_applied_ = forces_.tau;
  update_articulated_inertia(system_, kinematics_, dynamics_);
  calc_forward_dynamics(system_, kinematics_, dynamics_, forces_.F, forces_.tau, vdot_);
  input_power_ = forces_.input_power;
  for (const int b : plan.prescribed) {
    const JointPlan& joint = plan.joints[at(b)];
    for (int i = joint.v_start; i < joint.v_start + joint.nv; ++i)
      input_power_ += (forces_.tau[i] - tau_applied_[i]) * v_[i];
  }
}

}  // namespace stiction
