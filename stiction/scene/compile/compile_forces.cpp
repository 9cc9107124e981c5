#include <fmt/format.h>

#include <optional>

#include "stiction/math/stiffness_centre.h"
#include "stiction/math/symmetric_eigen.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

/// Nothing with a fault if there is no such body.
std::optional<Attachment> attach(Draft& draft, const std::string& body, const Vec3& at, const std::string& path) {
  const int i = draft.find_body(body, path);
  if (i < 0) return {};
  return Attachment{draft.body(i).index, at};
}

template <class Matrix>
void check_positive_semidefinite(Draft& draft, const Matrix& matrix, const std::string& path, bool symmetric) {
  if (symmetric && (matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * matrix.cwiseAbs().maxCoeff()) {
    draft.fault(path, "must be symmetric");
    return;
  }
  const Matrix symmetric_part = 0.5 * (matrix + matrix.transpose());
  const double smallest = calc_smallest_eigenvalue(symmetric_part);
  if (smallest < -1e-9 * matrix.cwiseAbs().maxCoeff()) draft.fault(path, "must be positive semidefinite");
}

/// Both ends of a spring or bushing.
struct Ends {
  Attachment a, b;
};

std::optional<Ends> find_ends(Draft& draft, const SpringSpec& spec, const std::string& path) {
  const auto a = attach(draft, spec.a, spec.at_a, path + ".a"), b = attach(draft, spec.b, spec.at_b, path + ".b");
  if (!a || !b) return {};
  if (spec.a == spec.b) {
    draft.fault(path + ".b", "a and b are the same body", "connect two bodies, or one and the world");
    return {};
  }
  return Ends{*a, *b};
}

Bushing make_bushing(const SpringSpec& spec, const Ends& ends, const Mat3& R_WA, const Mat3& R_WB) {
  Bushing bushing{.body_a = ends.a.body,
                  .body_b = ends.b.body,
                  .X_aA = {calc_matrix(spec.orientation), ends.a.p_BQ},
                  .X_bB = {},
                  .stiffness = spec.stiffness_matrix.value_or(Mat6::Zero()),
                  .damping = spec.damping_matrix.value_or(Mat6::Zero()),
                  .friction = spec.friction.value_or(Vec6::Zero())};
  if (spec.tolerance_rate) bushing.tolerance_rate = *spec.tolerance_rate;
  if (spec.tolerance_velocity) bushing.tolerance_velocity = *spec.tolerance_velocity;
  // Untwisted at the start.
  bushing.X_bB = {R_WB.transpose() * R_WA * bushing.X_aA.R, ends.b.p_BQ};
  return bushing;
}

/// The matrices are given at the points of both bodies; the element stands at the centre of stiffness.
SpringSpatial make_spatial_spring(const SpringSpec& spec, const Ends& ends, const Mat3& R_WA, const Mat3& R_WB) {
  const Mat6 given = spec.stiffness_matrix.value_or(Mat6::Zero());
  const Vec3 centre = calc_stiffness_centre(given);
  const Mat6 K = shift_stiffness(given, centre);
  const Mat3 K_c = K.topRightCorner<3, 3>(), R_aA = calc_matrix(spec.orientation);
  // Untwisted at the start.
  const Mat3 R_bB = R_WB.transpose() * R_WA * R_aA;
  return {.body_a = ends.a.body,
          .body_b = ends.b.body,
          .X_aA = {R_aA, ends.a.p_BQ + R_aA * centre},
          .X_bB = {R_bB, ends.b.p_BQ + R_bB * centre},
          .rotational = SpringSpatial::calc_co_stiffness(K.topLeftCorner<3, 3>()),
          .translational = K.bottomRightCorner<3, 3>(),
          .coupling = SpringSpatial::calc_co_stiffness(0.5 * (K_c + K_c.transpose())),
          .damping = shift_stiffness(spec.damping_matrix.value_or(Mat6::Zero()), centre)};
}

void check_bushing(Draft& draft, const SpringSpec& spec, const std::string& path) {
  check_positive_semidefinite(draft, spec.stiffness_matrix.value_or(Mat6::Zero()), path + ".stiffness_matrix", true);
  check_positive_semidefinite(draft, spec.damping_matrix.value_or(Mat6::Zero()), path + ".damping_matrix", false);
  const auto check_tolerance = [&](const std::optional<double>& tolerance, const char* name, bool has_friction) {
    if (tolerance && !has_friction)
      draft.fault(path + "." + name, "has no effect without friction", "give friction, six numbers, or remove it");
  };
  const Vec6 friction = spec.friction.value_or(Vec6::Zero());
  check_tolerance(spec.tolerance_rate, "tolerance_rate", !friction.head<3>().isZero(0));
  check_tolerance(spec.tolerance_velocity, "tolerance_velocity", !friction.tail<3>().isZero(0));
}

std::optional<ForceKind> make_spring(Draft& draft, System* system, const Kinematics* start, const SpringSpec& spec,
                                     const std::string& path) {
  if (spec.type == "torsional") {
    const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
    if (!ref) return {};
    return SpringTorsional{*ref, spec.stiffness.value_or(0), spec.damping.value_or(0), spec.rest.value_or(0)};
  }
  if (spec.type == "bushing" || spec.type == "spatial") check_bushing(draft, spec, path);
  const Mat3 damping = spec.directions_damping.value_or(Mat3::Zero());
  if (spec.type == "damper") check_positive_semidefinite(draft, damping, path + ".damping", true);
  const auto ends = find_ends(draft, spec, path);
  if (!ends || !system) return {};
  const auto& [a, b] = *ends;
  if (spec.type == "damper") return Damper{a, b, damping, calc_matrix(spec.orientation)};
  const Transform &X_WA = start->X_WB[static_cast<std::size_t>(a.body)],
                  &X_WB = start->X_WB[static_cast<std::size_t>(b.body)];
  if (spec.type == "bushing") return make_bushing(spec, *ends, X_WA.R, X_WB.R);
  if (spec.type == "spatial") return make_spatial_spring(spec, *ends, X_WA.R, X_WB.R);
  const double length = (X_WB * b.p_BQ - X_WA * a.p_BQ).norm();
  SpringLinear spring{.a = a,
                      .b = b,
                      .stiffness = spec.stiffness.value_or(0),
                      .damping = spec.damping.value_or(0),
                      .rest_length = spec.rest_length.value_or(length),
                      .side = SpringSide::both,
                      .mode = -1};
  if (length == 0 && spring.rest_length > 0) {
    draft.fault(path, "the ends coincide initially: the spring has no direction", "move an end, or use a bushing");
  }
  if (spec.acts != "both") {
    spring.side = spec.acts == "tension" ? SpringSide::tension : SpringSide::compression;
    spring.mode = system->n_modes++;
    const double guard = spring.side == SpringSide::tension ? length - spring.rest_length : spring.rest_length - length;
    system->initial.modes.push_back(guard > 0 ? 1 : 0);
  }
  return spring;
}

std::optional<ForceKind> make_motor(Draft& draft, const MotorSpec& spec, const std::string& path) {
  const auto ref = draft.find_coordinate(spec.joint, path + ".joint");
  if (!ref) return {};
  const JointDraft& joint = draft.joint(ref->joint);
  if (joint.drivers[static_cast<std::size_t>(ref->component)]) {
    draft.fault(path + ".joint", fmt::format("joint \"{}\" is driven by \"{}\": a motor has no effect", spec.joint,
                                             joint.driver_names[static_cast<std::size_t>(ref->component)]));
  }
  if (spec.position && spec.velocity) {
    draft.fault(path + ".velocity", "a target position is given too", "remove one of them");
    return {};
  }
  if (spec.position && spec.proportional == 0) {
    draft.fault(path + ".position", "has no effect without a gain", "give proportional, in N m/rad or N/m");
  }
  if (spec.velocity && spec.derivative == 0) {
    draft.fault(path + ".velocity", "has no effect without a gain", "give derivative, in N m s/rad or N s/m");
  }
  if (!spec.position && spec.proportional != 0) {
    draft.fault(path + ".proportional", "has no effect without a target position",
                spec.velocity ? "remove it: derivative is the gain of a velocity" : "give position, or remove it");
  }
  if (!spec.effort && !spec.position && !spec.velocity && !spec.friction) {
    draft.fault(path, "has no effect", "give effort, position, velocity or friction");
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

/// The motor's friction acts where that of its joint does.
void add_friction(CoordinateRef coordinate, double friction, System& system) {
  NamedJoint& joint = system.named_joints[static_cast<std::size_t>(coordinate.joint)];
  joint.friction.resize(static_cast<std::size_t>(calc_nq(joint.kind)), 0.0);
  joint.friction[static_cast<std::size_t>(coordinate.component)] += friction;
}

}  // namespace

void add_forces(Draft& draft, System* system) {
  std::optional<Kinematics> placed;
  if (system) {
    placed.emplace(*system);
    update_positions(*system, system->initial.q, *placed);
  }
  const Kinematics* start = placed ? &*placed : nullptr;
  const auto add = [&](const std::string& name, std::optional<ForceKind> kind) {
    if (kind && system) system->forces.push_back({name, std::move(*kind)});
  };
  for (const auto& [name, spec] : draft.scene.springs) {
    const std::string path = "spring." + name;
    if (draft.is_faulty(path)) {
      draft.check_body(spec.a, path + ".a");
      draft.check_body(spec.b, path + ".b");
    } else {
      add(name, make_spring(draft, system, start, spec, path));
    }
  }
  for (const auto& [name, spec] : draft.scene.motors) {
    const std::string path = "motor." + name;
    if (draft.is_faulty(path)) {
      draft.check_joint(spec.joint, path + ".joint");
    } else {
      std::optional<ForceKind> motor = make_motor(draft, spec, path);
      if (motor && system && spec.friction) add_friction(std::get<Motor>(*motor).coordinate, *spec.friction, *system);
      add(name, std::move(motor));
    }
  }
  for (const auto& [name, spec] : draft.scene.forces) {
    const std::string path = "force." + name;
    if (draft.is_faulty(path)) {
      draft.check_body(spec.body, path + ".body");
      continue;
    }
    const auto at = attach(draft, spec.body, spec.at, path + ".body");
    if (!at) continue;
    add(name, AppliedForce{.at = *at,
                           .force = spec.force.components,
                           .torque = spec.torque.components,
                           .in_body_axes = spec.axes == "body"});
  }
}

}  // namespace stiction
