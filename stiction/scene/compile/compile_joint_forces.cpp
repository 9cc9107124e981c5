#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>

#include "stiction/base/text.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/stepping/stepper.h"

// Limits and friction of joints as forces, for the formulations that are integrated; the rigid ones have rows for them.
// What a scene leaves open:
//     limits: a natural frequency of 50 Hz with the inertia that the coordinate has at the start, critically damped;
//     bristles: presliding 1 mrad or 0.1 mm, v_S 10 mrad/s or 1 mm/s, sigma_0 = static / presliding (3.46),
//               sigma_1 = static / v_S, twice what makes them passive (friction_bristle.h), tau_dw = 10 tau_br.

namespace stiction {
namespace {

constexpr double limit_frequency = 50, usual_turn = 1e-3, usual_slide = 1e-4, usual_rate = 1e-2, usual_speed = 1e-3;

double get(const std::optional<std::vector<double>>& given, std::size_t k, double otherwise) {
  return given && k < given->size() ? (*given)[k] : otherwise;
}

/// 1 / (acceleration of the coordinate by a unit force on it), at the start; 0 where it cannot move.
double calc_effective_inertia(const System& system, CoordinateRef ref) {
  System pushed = system;
  pushed.forces.push_back({"unit", Motor{.coordinate = ref, .effort = make_constant(1)}});
  Equations at_rest(system), equations(pushed);
  at_rest.evaluate(system.initial);
  equations.evaluate(system.initial);
  VecX row = VecX::Zero(system.nv);
  add_coordinate_row(system, equations.kinematics(), ref, 1, row);
  const double acceleration = row.dot(equations.dv() - at_rest.dv());
  return acceleration > 0 && std::isfinite(acceleration) ? 1 / acceleration : 0;
}

class JointForces {
 public:
  JointForces(Draft& draft, System& system) : draft_(draft), system_(system) {}

  void add_all() {
    for (std::size_t j = 0; j < draft_.joints.size(); ++j) {
      const JointDraft& joint = draft_.joints[j];
      for (std::size_t k = 0; k < joint.drivers.size(); ++k) {
        if (joint.drivers[k]) continue;
        const CoordinateRef ref{static_cast<int>(j), static_cast<int>(k)};
        const bool turns = std::string_view(coordinate_name(joint.kind, ref.component).unit) == "rad";
        add_friction(*joint.spec, ref, turns);
        add_limits(*joint.spec, ref);
      }
    }
  }

 private:
  const NamedJoint& named(CoordinateRef ref) const { return system_.named_joints[static_cast<std::size_t>(ref.joint)]; }

  void add_limits(const JointSpec& spec, CoordinateRef ref) {
    const auto k = static_cast<std::size_t>(ref.component);
    if (named(ref).limits.empty()) return;
    const JointLimit limit = named(ref).limits[k];
    if (!std::isfinite(limit.lower) && !std::isfinite(limit.upper)) return;
    const double inertia = calc_effective_inertia(system_, ref), w = 2 * std::numbers::pi * limit_frequency;
    const double stiffness = get(spec.limit_stiffness, k, inertia * w * w);
    const double damping = get(spec.limit_damping, k, 2 * std::sqrt(stiffness * inertia));
    const auto add = [&](double at, double side) {
      if (!std::isfinite(at)) return;
      system_.forces.push_back({named(ref).name, JointStop{ref, at, side, stiffness, damping, system_.n_modes++}});
      system_.initial.modes.push_back(0);
    };
    add(limit.lower, -1);
    add(limit.upper, 1);
  }

  void add_friction(const JointSpec& spec, CoordinateRef ref, bool turns) {
    const auto k = static_cast<std::size_t>(ref.component);
    const double kinetic = named(ref).friction.empty() ? 0 : named(ref).friction[k];
    if (kinetic == 0) return;
    const double most = std::max(kinetic, get(spec.static_friction, k, kinetic));
    JointFriction friction{.coordinate = ref, .kinetic = kinetic, .law = {}, .z_start = system_.nz};
    FrictionBristle& law = friction.law;
    law.kinetic = 1;
    law.static_coefficient = most / kinetic;
    law.stribeck_velocity = get(spec.stribeck_velocity, k, turns ? usual_rate : usual_speed);
    law.tolerance = usual_tolerance_ratio * law.stribeck_velocity;
    law.stiffness = law.static_coefficient / get(spec.presliding, k, turns ? usual_turn : usual_slide);
    law.damping = get(spec.bristle_damping, k, most / law.stribeck_velocity) / kinetic;
    law.dwell_time = spec.dwell_time.value_or(usual_dwell_ratio * law.calc_bristle_time());
    system_.nz += 2;
    system_.initial.z.conservativeResize(system_.nz);
    system_.initial.z.tail<2>().setZero();
    system_.forces.push_back({named(ref).name, friction});
  }

  Draft& draft_;
  System& system_;
};

}  // namespace

void add_viscous_friction(Draft& draft, System& system) {
  for (std::size_t j = 0; j < draft.joints.size(); ++j) {
    const JointDraft& joint = draft.joints[j];
    for (std::size_t k = 0; k < joint.drivers.size(); ++k) {
      const double viscous = get(joint.spec->viscous, k, 0);
      if (viscous == 0 || joint.drivers[k]) continue;
      const CoordinateRef ref{static_cast<int>(j), static_cast<int>(k)};
      system.forces.push_back({joint.name, SpringTorsional{ref, 0, viscous, 0}});
    }
  }
}

void add_joint_forces(Draft& draft, System& system) {
  if (uses_integrator(draft.scene.method.type)) JointForces(draft, system).add_all();
}

}  // namespace stiction
