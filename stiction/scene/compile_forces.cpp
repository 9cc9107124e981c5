#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "stiction/multibody/coordinate.h"
#include "stiction/scene/compile_draft.h"

namespace stiction {
namespace {

Attachment attach(Draft& draft, const std::string& body, const Vec3& at, const std::string& path) {
  const int i = draft.find_body(body, path);
  return {i < 0 ? 0 : draft.body(i).index, at};
}

void check_positive_semidefinite(Draft& draft, const Mat6& matrix, const std::string& path, bool symmetric) {
  if (symmetric && (matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * matrix.cwiseAbs().maxCoeff()) {
    draft.fault(path, "must be symmetric: an elastic element has an energy");
    return;
  }
  const Mat6 symmetric_part = 0.5 * (matrix + matrix.transpose());
  const double smallest = Eigen::SelfAdjointEigenSolver<Mat6>(symmetric_part, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (smallest < -1e-9 * matrix.cwiseAbs().maxCoeff()) draft.fault(path, "must be positive semidefinite");
}

std::optional<ForceKind> make_spring(Draft& draft, System& system, const Kinematics& start, const SpringSpec& spec,
                                     const std::string& path) {
  if (spec.type == "torsional") {
    const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
    if (!ref) return {};
    return SpringTorsional{*ref, spec.stiffness.value_or(0), spec.damping.value_or(0), spec.rest.value_or(0)};
  }
  const Attachment a = attach(draft, spec.a, spec.at_a, path + ".a"), b = attach(draft, spec.b, spec.at_b, path + ".b");
  const Transform X_WA = start.X_WB[static_cast<std::size_t>(a.body)],
                  X_WB = start.X_WB[static_cast<std::size_t>(b.body)];
  if (spec.type == "bushing") {
    Bushing bushing{.body_a = a.body,
                    .body_b = b.body,
                    .X_aA = {calc_matrix(spec.orientation), a.p_BQ},
                    .X_bB = {},
                    .stiffness = spec.stiffness_matrix.value_or(Mat6::Zero()),
                    .damping = spec.damping_matrix.value_or(Mat6::Zero())};
    // Untwisted as the scene stands.
    bushing.X_bB = {X_WB.R.transpose() * X_WA.R * bushing.X_aA.R, b.p_BQ};
    check_positive_semidefinite(draft, bushing.stiffness, path + ".stiffness_matrix", true);
    check_positive_semidefinite(draft, bushing.damping, path + ".damping_matrix", false);
    return bushing;
  }
  const double length = (X_WB * b.p_BQ - X_WA * a.p_BQ).norm();
  SpringLinear spring{.a = a,
                      .b = b,
                      .stiffness = spec.stiffness.value_or(0),
                      .damping = spec.damping.value_or(0),
                      .rest_length = spec.rest_length.value_or(length),
                      .side = SpringSide::both,
                      .mode = -1};
  if (length == 0 && spring.rest_length > 0) {
    draft.fault(path, "its ends coincide at the start, so that it has no direction to push in",
                "move an end, or use a bushing");
  }
  if (spec.acts != "both") {
    spring.side = spec.acts == "tension" ? SpringSide::tension : SpringSide::compression;
    spring.mode = system.n_modes++;
    const double guard = spring.side == SpringSide::tension ? length - spring.rest_length : spring.rest_length - length;
    system.initial.modes.push_back(guard > 0 ? 1 : 0);
  }
  return spring;
}

std::optional<ForceKind> make_motor(Draft& draft, const MotorSpec& spec, const std::string& path) {
  const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
  if (!ref) return {};
  const JointDraft& joint = draft.joint(ref->joint);
  if (joint.drivers[static_cast<std::size_t>(ref->component)]) {
    draft.fault(path + ".joint", fmt::format("joint \"{}\" is driven by \"{}\": a motor on it would have no effect",
                                             spec.joint, joint.driver_names[static_cast<std::size_t>(ref->component)]));
  }
  if (spec.position && spec.velocity)
    draft.fault(path + ".velocity", "a target position is given too", "leave one of them out");
  if (spec.position && spec.proportional == 0) {
    draft.fault(path + ".position", "has no effect without a gain", "give proportional, in N m/rad or N/m");
  }
  if (spec.velocity && spec.derivative == 0) {
    draft.fault(path + ".velocity", "has no effect without a gain", "give derivative, in N m s/rad or N s/m");
  }
  if (!spec.effort && !spec.position && !spec.velocity) {
    draft.fault(path, "does nothing", "give effort, position or velocity");
  }
  Motor motor;
  motor.coordinate = *ref;
  if (spec.effort) motor.effort = *spec.effort;
  if (spec.position) motor.target = *spec.position;
  if (spec.velocity) motor.target_rate = *spec.velocity;
  motor.proportional = spec.position ? spec.proportional : 0;
  motor.derivative = spec.derivative;
  if (spec.limit) motor.limit = *spec.limit;
  return motor;
}

}  // namespace

void add_forces(Draft& draft, System& system) {
  Kinematics start(system);
  update_positions(system, system.initial.q, start);
  const auto add = [&](const std::string& name, std::optional<ForceKind> kind) {
    if (kind) system.forces.push_back({name, std::move(*kind)});
  };
  for (const auto& [name, spec] : draft.scene.springs)
    add(name, make_spring(draft, system, start, spec, "spring." + name));
  for (const auto& [name, spec] : draft.scene.motors) add(name, make_motor(draft, spec, "motor." + name));
  for (const auto& [name, spec] : draft.scene.forces) {
    add(name, AppliedForce{.at = attach(draft, spec.body, spec.at, "force." + name + ".body"),
                           .force = spec.force.components,
                           .torque = spec.torque.components,
                           .in_body_axes = spec.axes == "body"});
  }
}

}  // namespace stiction
