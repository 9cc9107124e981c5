#include <fmt/format.h>

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

std::optional<JointControl> make_joint_control(Draft& draft, const ControllerSpec& spec, const std::string& path) {
  const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
  if (!ref) return {};
  const JointDraft& joint = draft.joint(ref->joint);
  if (joint.drivers[static_cast<std::size_t>(ref->component)])
    draft.fault(path + ".joint", "the joint has a driver: a controller has no effect");
  if (spec.gravity && joint.form == JointForm::constraint)
    draft.fault(path + ".gravity", "needs the joint in tree form", "give the joint form = \"tree\"");
  if (spec.proportional == 0 && spec.integral == 0 && spec.derivative == 0 && !spec.gravity)
    draft.fault(path, "has no effect", "give proportional, integral, derivative or gravity = true");
  JointControl law;
  law.coordinate = *ref;
  if (spec.joint_position) law.target = *spec.joint_position;
  law.proportional = spec.proportional;
  law.integral = spec.integral;
  law.derivative = spec.derivative;
  law.gravity = spec.gravity;
  if (spec.limit) law.limit = *spec.limit;
  return law;
}

std::optional<CartesianControl> make_cartesian_control(Draft& draft, const System* system, const ControllerSpec& spec,
                                                       const std::string& path) {
  const int body = draft.find_body(spec.body, path + ".body");
  if (body < 0) return {};
  if (body == 0 || draft.body(body).spec->fixed || draft.body(body).spec->motion) {
    draft.fault(path + ".body", "does not move freely: a controller has no effect");
    return {};
  }
  if (!system) return {};
  CartesianControl law;
  law.at = {draft.body(body).index, spec.at};
  Kinematics start(*system);
  update_positions(*system, system->initial.q, start);
  law.R_start = start.X_WB[static_cast<std::size_t>(law.at.body)].R;
  law.admittance = spec.type == "admittance";
  law.target = spec.target.components;
  law.stiffness = spec.stiffness;
  law.damping = spec.damping;
  law.angular_target = spec.angular_target.components;
  law.yield << spec.rotational_yield, spec.yield;
  law.dead_band << spec.rotational_dead_band, spec.dead_band;
  law.bandwidth = spec.bandwidth;
  law.gravity = spec.gravity;
  return law;
}

void add_controller(const std::string& name, Controller controller, System& system) {
  controller.name = name;
  controller.z_start = system.nz;
  system.nz += controller.z_size();
  system.initial.z.conservativeResize(system.nz);
  system.initial.z.tail(controller.z_size()).setZero();
  HeldForce held;
  held.z_start = controller.z_start;
  if (const auto* joint = std::get_if<JointControl>(&controller.law)) {
    held.coordinate = joint->coordinate;
  } else {
    const auto& law = std::get<CartesianControl>(controller.law);
    held.body = law.at.body;
    held.p_BQ = law.at.p_BQ;
  }
  system.forces.push_back({name, held});
  system.controllers.push_back(std::move(controller));
}

}  // namespace

void add_controllers(Draft& draft, System* system) {
  for (const auto& [name, spec] : draft.scene.controllers) {
    const std::string path = "controller." + name;
    if (draft.is_faulty(path)) {
      draft.check_joint(spec.joint, path + ".joint");
      draft.check_body(spec.body, path + ".body");
      continue;
    }
    Controller controller;
    controller.sample_time = spec.sample_time;
    const double samples = spec.delay / spec.sample_time;
    controller.delay = static_cast<int>(std::lround(samples));
    if (std::abs(samples - controller.delay) > 1e-6 || samples > 1000)
      draft.fault(path + ".delay", fmt::format("must be a whole number of sample times of {} s, at most 1000",
                                               format_number(spec.sample_time)));
    if (spec.type == "joint") {
      const auto law = make_joint_control(draft, spec, path);
      if (!law || !system) continue;
      controller.law = *law;
    } else {
      const auto law = make_cartesian_control(draft, system, spec, path);
      if (!law || !system) continue;
      controller.law = *law;
    }
    add_controller(name, std::move(controller), *system);
  }
}

}  // namespace stiction
