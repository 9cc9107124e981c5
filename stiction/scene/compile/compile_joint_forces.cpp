#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "stiction/base/text.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/stepping/stepper.h"

// Limits and friction of joints as forces, for the formulations that are integrated; the rigid ones have rows for them,
// with static friction and Stribeck's velocity by the same rules.
// What a scene leaves open:
//     limits: a natural frequency of 50 Hz with the inertia that the coordinate has at the start, critically damped;
//     bristles: presliding 1 mrad or 0.1 mm, v_S 10 mrad/s or 1 mm/s, sigma_0 = static / presliding (3.46),
//               sigma_1 = static / v_S, twice what makes them passive (friction_bristle.h), tau_dw = 10 tau_br;
//     at the start: s_dw in equilibrium, 1 at rest, and bristles that bear the load. A joint that stands has stood
//     long.

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

/// F with a = a_0 + W F = 0 where |F_i| < bound_i, else a_i against F_i: Gauss and Seidel, projected.
VecX find_holding_forces(const MatX& W, const VecX& a_0, const VecX& bound) {
  constexpr int sweeps = 1000;
  VecX F = VecX::Zero(a_0.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double change = 0;
    for (Eigen::Index i = 0; i < F.size(); ++i) {
      if (!(W(i, i) > 0)) continue;
      const double wanted = std::clamp(F[i] - (a_0[i] + W.row(i).dot(F)) / W(i, i), -bound[i], bound[i]);
      change = std::max(change, std::abs(wanted - F[i]) / std::max(bound[i], 1e-300));
      F[i] = wanted;
    }
    if (change < 1e-14) break;
  }
  return F;
}

bool feels_load(const Force& force) {
  const auto* friction = std::get_if<JointFriction>(&force.kind);
  return friction && friction->feels_load();
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
        add_friction(*joint.spec, ref, turns(joint, ref));
        add_limits(*joint.spec, ref);
      }
    }
  }

  /// Loads begin as the scene stands.
  void start_loads() {
    if (std::none_of(system_.forces.begin(), system_.forces.end(), feels_load)) return;
    Equations equations(system_);
    equations.evaluate(system_.initial);
    for (const Force& force : system_.forces) {
      if (!feels_load(force)) continue;
      const auto* friction = std::get_if<JointFriction>(&force.kind);
      system_.initial.z[friction->load_entry()] = friction->load_time * equations.dz()[friction->load_entry()];
    }
  }

  /// Bristles of joints that stand begin as they would be after a long rest, with the deflection that bears the load:
  /// their forces leave no acceleration where they need not be above T_i. Contacts at the start are not seen.
  void deflect_at_rest() {
    std::vector<JointFriction*> resting;
    for (Force& force : system_.forces) {
      auto* friction = std::get_if<JointFriction>(&force.kind);
      if (friction && std::abs(calc_start_velocity(friction->coordinate)) < friction->law.tolerance)
        resting.push_back(friction);
    }
    const auto n = static_cast<Eigen::Index>(resting.size());
    if (n == 0) return;
    Equations equations(system_);
    const auto calc_accelerations = [&](const StepLoads& loads) {
      equations.evaluate(system_.initial, loads);
      VecX a(n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const CoordinateRef ref = resting[static_cast<std::size_t>(i)]->coordinate;
        VecX row = VecX::Zero(system_.nv);
        add_coordinate_row(system_, equations.kinematics(), ref, 1, row);
        a[i] = row.dot(equations.dv()) + calc_coordinate_bias(system_, equations.kinematics(), ref);
      }
      return a;
    };
    const VecX alone = calc_accelerations({});
    MatX W(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      StepLoads unit;
      unit.on_coordinates.push_back({resting[static_cast<std::size_t>(j)]->coordinate, 1});
      W.col(j) = calc_accelerations(unit) - alone;
    }
    VecX bound(n), load(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const JointFriction& friction = *resting[static_cast<std::size_t>(i)];
      const VecX& z = system_.initial.z;
      load[i] = friction.kinetic + (friction.feels_load() ? friction.load_factor * z[friction.load_entry()] : 0);
      bound[i] = load[i] * (1 + (friction.law.static_coefficient - 1) * z[friction.dwell_entry()]);
    }
    const VecX F = find_holding_forces(W, alone, bound);
    for (Eigen::Index i = 0; i < n; ++i) {
      const JointFriction& friction = *resting[static_cast<std::size_t>(i)];
      if (!(load[i] > 0)) continue;
      const double deflection = -F[i] / (load[i] * friction.law.stiffness);
      system_.initial.z[friction.z_start] = deflection;
      if (friction.feels_load())
        system_.initial.z[friction.energy_entry()] = 0.5 * load[i] * friction.law.stiffness * deflection * deflection;
    }
  }

  /// start_loads of rigid formulations.
  void start_rigid_loads() {
    std::optional<Equations> equations;
    for (std::size_t j = 0; j < system_.named_joints.size(); ++j) {
      const NamedJoint& named = system_.named_joints[j];
      for (std::size_t k = 0; k < named.load_factor.size(); ++k) {
        if (named.load_factor[k] == 0) continue;
        if (!equations) equations.emplace(system_).evaluate(system_.initial);
        const CoordinateRef ref{static_cast<int>(j), static_cast<int>(k)};
        system_.initial.z[named.load_entry[k]] = equations->calc_load(ref, !turns(draft_.joints[j], ref));
      }
    }
  }

  /// Of rigid formulations.
  void set_rigid_friction() {
    for (std::size_t j = 0; j < draft_.joints.size(); ++j) {
      const JointDraft& joint = draft_.joints[j];
      NamedJoint& named = system_.named_joints[j];
      if (joint.spec->load_friction) set_load_friction(joint, named);
      if (!named.limits.empty() || !named.friction.empty() || !named.load_factor.empty())
        named.row_force_start = add_entries(static_cast<int>(joint.drivers.size()));
      if (!joint.spec->static_friction || named.friction.empty()) continue;
      for (std::size_t k = 0; k < named.friction.size(); ++k) {
        const CoordinateRef ref{static_cast<int>(j), static_cast<int>(k)};
        named.static_friction.push_back(std::max(named.friction[k], get(joint.spec->static_friction, k, 0)));
        named.stribeck_velocity.push_back(
            get(joint.spec->stribeck_velocity, k, turns(joint, ref) ? usual_rate : usual_speed));
        if (joint.spec->dwell_time.value_or(0) == 0) continue;
        named.dwell_time = *joint.spec->dwell_time;
        named.dwell_entry.push_back(add_entries(1));
        system_.initial.z[named.dwell_entry.back()] = calc_initial_dwell(*joint.spec, ref, named.stribeck_velocity[k]);
      }
    }
  }

 private:
  void set_load_friction(const JointDraft& joint, NamedJoint& named) {
    for (std::size_t k = 0; k < joint.drivers.size(); ++k) {
      named.load_factor.push_back(joint.drivers[k] ? 0 : get(joint.spec->load_friction, k, 0));
      named.load_entry.push_back(add_entries(1));
    }
  }

  /// Of z, 0 at the start; the first of them.
  int add_entries(int count) {
    const int first = system_.nz;
    system_.nz += count;
    system_.initial.z.conservativeResize(system_.nz);
    system_.initial.z.tail(count).setZero();
    return first;
  }

  /// What a joint that has long moved as it does at the start would have: s of (3.30), 1 at rest.
  double calc_initial_dwell(const JointSpec& spec, CoordinateRef ref, double stribeck_velocity) {
    if (spec.initial_dwell) return *spec.initial_dwell;
    const double u = calc_start_velocity(ref) / stribeck_velocity;
    return std::exp(-u * u);
  }
  double calc_start_velocity(CoordinateRef ref) const {
    const State& start = system_.initial;
    Kinematics kinematics(system_);
    update_positions(system_, start.q, kinematics);
    update_velocities(system_, start.v, kinematics);
    return calc_coordinate(system_, kinematics, start.q, start.v, start.z, ref).velocity;
  }

  static bool turns(const JointDraft& joint, CoordinateRef ref) {
    return std::string_view(coordinate_name(joint.kind, ref.component).unit) == "rad";
  }
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

  void add_friction(const JointSpec& spec, CoordinateRef ref, bool is_angle) {
    const auto k = static_cast<std::size_t>(ref.component);
    const double kinetic = named(ref).friction.empty() ? 0 : named(ref).friction[k];
    const double load_factor = get(spec.load_friction, k, 0);
    if (kinetic == 0 && load_factor == 0) return;
    const double most = std::max(kinetic, get(spec.static_friction, k, kinetic));
    JointFriction friction{.coordinate = ref,
                           .kinetic = kinetic,
                           .law = {},
                           .z_start = system_.nz,
                           .load_factor = load_factor,
                           .slides = !is_angle,
                           .load_time = spec.load_time};
    FrictionBristle& law = friction.law;
    law.kinetic = 1;
    // Multiples of the kinetic friction, which may be that of the load alone.
    law.static_coefficient = kinetic > 0 ? most / kinetic : 1;
    law.stribeck_velocity = get(spec.stribeck_velocity, k, is_angle ? usual_rate : usual_speed);
    law.tolerance = usual_tolerance_ratio * law.stribeck_velocity;
    law.stiffness = law.static_coefficient / get(spec.presliding, k, is_angle ? usual_turn : usual_slide);
    law.damping = kinetic > 0 ? get(spec.bristle_damping, k, most / law.stribeck_velocity) / kinetic
                              : law.static_coefficient / law.stribeck_velocity;
    law.dwell_time = spec.dwell_time.value_or(usual_dwell_ratio * law.calc_bristle_time());
    add_entries(friction.memory_size());
    system_.initial.z[friction.dwell_entry()] = calc_initial_dwell(spec, ref, law.stribeck_velocity);
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
  JointForces forces(draft, system);
  if (uses_integrator(draft.scene.method.type)) {
    forces.add_all();
    forces.start_loads();
    forces.deflect_at_rest();
  } else {
    forces.set_rigid_friction();
    forces.start_rigid_loads();
  }
}

}  // namespace stiction
