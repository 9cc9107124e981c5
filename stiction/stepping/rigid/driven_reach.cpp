#include "stiction/stepping/rigid/driven_reach.h"

#include <algorithm>

#include "stiction/base/index.h"

namespace stiction {
namespace {

constexpr int parts_of_step = 4;

}  // namespace

DrivenReach::DrivenReach(const RigidModel& model)
    : model_(model),
      kinematics_(model.system),
      q_(model.system.initial.q),
      v_(model.system.initial.v),
      vdot_(VecX::Zero(v_.size())) {
  std::vector<BodyPlace> bodies;
  for (const int body : model.plan.moving) {
    const JointPlan& joint = model.plan.joints[at(body)];
    if (model.clusters.of_body[at(body)] < 0)
      bodies.push_back({.body = body, .q_start = joint.q_start, .v_start = joint.v_start});
  }
  select_bodies(model.plan, bodies, kinematics_.plan);
  const std::vector<int>& driven = kinematics_.plan.moving;
  for (const int shape : model.fixed_shapes) {
    if (std::find(driven.begin(), driven.end(), model.shape(shape).body) != driven.end()) shapes_.push_back(shape);
  }
}

void DrivenReach::extend(double t, std::vector<double>& reach) {
  if (shapes_.empty()) return;
  const double h = model_.settings.step;
  for (int part = 1; part <= parts_of_step; ++part) {
    update_prescribed(model_.system, kinematics_.plan, t + part * h / parts_of_step, q_, v_, vdot_);
    update_positions(model_.system, q_, kinematics_);
    update_velocities(model_.system, v_, kinematics_);
    for (const int shape : shapes_)
      reach[at(shape)] = std::max(reach[at(shape)], model_.calc_reach(shape, kinematics_, h));
  }
}

}  // namespace stiction
