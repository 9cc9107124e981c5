#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/infinity.h"
#include "stiction/base/text.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/fastest_decay.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/stepping/stepper.h"

// Is a fixed explicit step short enough? Damping of rate r decays only with steps below c / r, c = 2 for the methods of
// first and second order (among them rigid contact formulations, but for `cone` with theta < 1, whose dampers take the
// mean velocity of the step: no bound), 2.51, 2.79 and 3.31 for rk3, rk4 and rk5 (where the stability polynomial of the
// method, on the negative real axis, leaves the unit circle).

namespace stiction {
namespace {

/// Beyond this many velocities the derivative is not worth its time.
constexpr int most_velocities = 200;

double find_stability_bound(const MethodSettings& method) {
  const std::string& integrator = method.integrator;
  if (method.type == "cone" && method.theta < 1) return infinity;
  if (!uses_integrator(method.type)) return 2;
  if (integrator == "rk3") return 2.51;
  if (integrator == "rk4") return 2.79;
  if (integrator == "rk5") return 3.31;
  return 2;
}

/// The system with the dry friction of its bushings as it acts at rest, where it is steepest.
System with_friction_at_rest(System system) {
  for (Force& force : system.forces) {
    if (auto* bushing = std::get_if<Bushing>(&force.kind)) {
      bushing->damping.diagonal() += bushing->calc_steepest_friction();
      bushing->friction.setZero();
    }
  }
  return system;
}

/// The fastest decay of d(dv/dt)/dv at the start: dampers, motors, contacts that touch then.
FastestDecay find_fastest_damping(const System& system) {
  Equations equations(system);
  State state = system.initial;
  MatX derivative(system.nv, system.nv);
  const double speed = 1e-3 * (1 + state.v.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < system.nv; ++i) {
    state.v[i] = system.initial.v[i] + speed;
    equations.evaluate(state);
    derivative.col(i) = equations.dv();
    state.v[i] = system.initial.v[i] - speed;
    equations.evaluate(state);
    derivative.col(i) = (derivative.col(i) - equations.dv()) / (2 * speed);
    state.v[i] = system.initial.v[i];
  }
  return derivative.allFinite() ? calc_fastest_decay(derivative) : FastestDecay{};
}

/// How easily a contact moves a body, where nothing else holds it: along the normal 1/m, along the surface at least
/// 1/m + r^2/I with the body's inner radius r and its largest moment of inertia I.
struct Mobility {
  double normal = 0, tangential = 0;  ///< [1/kg]
};
Mobility find_mobility(const System& system, const ContactShape& shape) {
  const auto body = static_cast<std::size_t>(shape.body);
  const JointType joint = type_of(system.joints[body].kind);
  if (!shape.moves_freely || (joint != JointType::free && joint != JointType::planar)) return {};
  const MassProperties& mass = system.bodies[body].mass;
  Mobility mobility{1 / mass.mass, 1 / mass.mass};
  const Bounds bounds = calc_bounds(shape.shape, shape.X_BS);
  const double r = std::min((bounds.upper - mass.com).minCoeff(), (mass.com - bounds.lower).minCoeff());
  const double I = mass.inertia.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
  if (r > 0 && std::isfinite(r) && I > 0) mobility.tangential += r * r / I;
  return mobility;
}

/// What presses a pair together, to judge by the motion at the start: the larger of m |a|, the weight of a body that is
/// free to fall.
double find_load(const System& system, const Equations& equations, const ContactShape& a, const ContactShape& b) {
  double load = 0;
  for (const ContactShape* shape : {&a, &b}) {
    if (!shape->moves_freely) continue;
    const auto body = static_cast<std::size_t>(shape->body);
    load = std::max(load, system.bodies[body].mass.mass * equations.dynamics().A_WB[body].tail<3>().norm());
  }
  return load;
}

class StepJudge {
 public:
  StepJudge(const Scene& scene, const System& system, std::vector<Notice>& notices)
      : scene_(scene),
        system_(system),
        notices_(notices),
        equations_(system),
        bound_(find_stability_bound(scene.method)) {}

  void judge_damping_at_start() {
    if (system_.forces.empty() && system_.contact.slots.empty()) return;
    if (system_.nv > most_velocities) {
      notices_.push_back({Notice::Kind::remark,
                          fmt::format("{} velocities are too many to check whether time.step is short enough for "
                                      "dampers, motors and contacts that touch at the start (at most {})",
                                      system_.nv, most_velocities)});
      return;
    }
    const FastestDecay fastest = find_fastest_damping(with_friction_at_rest(system_));
    if (fastest.rate * scene_.time.step <= bound_) return;
    const int body = find_body_of_v(system_, fastest.entry);
    add(fmt::format("body \"{}\": damping at the start{}", system_.bodies[static_cast<std::size_t>(body)].name,
                    has_friction() ? ", with the friction of bushings at rest," : ""),
        fastest.rate);
  }

  void judge_contacts_at_rest() {
    equations_.evaluate(system_.initial);
    std::vector<double> worst_normal(system_.contact.rules.size()), worst_bristle(system_.contact.rules.size());
    for (const CompliantSlot& slot : system_.contact.slots) {
      const ContactShape& a = system_.contact.shapes[static_cast<std::size_t>(slot.shape_a)];
      const ContactShape& b = system_.contact.shapes[static_cast<std::size_t>(slot.shape_b)];
      const Mobility of_a = find_mobility(system_, a), of_b = find_mobility(system_, b);
      const double load = find_load(system_, equations_, a, b);
      const auto rule = static_cast<std::size_t>(slot.rule);
      const CompliantLaw& law = *system_.contact.rules[rule].compliant;
      // f_n a (1/m_a + 1/m_b), a = d / (e v_small)
      if (const auto* power = std::get_if<NormalPower>(&law.normal))
        worst_normal[rule] = std::max(worst_normal[rule], load * power->calc_damping(0) * (of_a.normal + of_b.normal));
      // f_n sigma_1 (1/m + r^2/I)
      if (const auto* bristle = std::get_if<FrictionBristle>(&law.friction))
        worst_bristle[rule] =
            std::max(worst_bristle[rule], load * bristle->damping * (of_a.tangential + of_b.tangential));
    }
    for (std::size_t i = 0; i < worst_normal.size(); ++i) {
      const std::string name = "contact " + system_.contact.rules[i].name;
      if (worst_normal[i] * scene_.time.step > bound_)
        add(name + ": the normal damping of bodies at rest", worst_normal[i]);
      if (worst_bristle[i] * scene_.time.step > bound_)
        add(name + ": the damping of the bristles of bodies at rest", worst_bristle[i]);
    }
  }

 private:
  bool has_friction() const {
    return std::any_of(system_.forces.begin(), system_.forces.end(), [](const Force& force) {
      const auto* bushing = std::get_if<Bushing>(&force.kind);
      return bushing && !bushing->friction.isZero(0);
    });
  }

  void add(const std::string& what, double rate) {
    const bool integrated = uses_integrator(scene_.method.type);
    notices_.push_back({Notice::Kind::warning,
                        fmt::format("{} has a rate of {} 1/s: {} needs steps below {} s, but time.step is {} s; use "
                                    "shorter steps{}",
                                    what, format_digits(rate, 2),
                                    integrated ? fmt::format("integrator \"{}\"", scene_.method.integrator)
                                               : fmt::format("method \"{}\"", scene_.method.type),
                                    format_digits(bound_ / rate, 2), format_number(scene_.time.step),
                                    integrated ? ", or \"cvode_bdf\"" : "")});
  }

  const Scene& scene_;
  const System& system_;
  std::vector<Notice>& notices_;
  Equations equations_;
  double bound_;
};

}  // namespace

void list_step_notices(const Scene& scene, const System& system, std::vector<Notice>& notices) {
  if (is_adaptive(scene)) return;
  StepJudge judge(scene, system, notices);
  judge.judge_damping_at_start();
  if (!system.contact.slots.empty()) judge.judge_contacts_at_rest();
}

}  // namespace stiction
