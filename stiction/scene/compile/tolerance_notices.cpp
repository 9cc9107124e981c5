#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/stepping/ode/integrators.h"

// Does an adaptive integrator resolve sticking? At rest the errors of velocities are as large as absolute_tolerance
// allows (times what the integrator holds itself to). Friction that is to hold must not take them for sliding. Bristles
// do so where sigma_1 times the error comes near the limit mu_S, and where the error comes near v_S, whatever v_eps is;
// Coulomb's law and the friction of bushings where it comes near v_eps. On the slope of examples/block_on_slope.toml,
// which takes half of the limit, all blocks held with errors of up to 0.2 times that speed, some, by chance, with 0.3,
// none with 0.4: 0.15 is allowed.

namespace stiction {
namespace {

constexpr double allowed_part = 0.15;

/// The speed beside which errors must be small, as the user would call it.
struct HoldingSpeed {
  double speed = std::numeric_limits<double>::infinity();  ///< [m/s, rad/s]
  const char* name = "";
  const char* unit = "m/s";
  void take(const HoldingSpeed& other) {
    if (other.speed < speed) *this = other;
  }
};

HoldingSpeed find_holding_speed(const FrictionLaw& law) {
  HoldingSpeed least;
  if (const auto* bristle = std::get_if<FrictionBristle>(&law)) {
    least.take({bristle->stribeck_velocity, "stribeck_velocity"});
    least.take({bristle->static_coefficient / bristle->damping, "static / damping"});
  } else if (const auto* coulomb = std::get_if<FrictionCoulomb>(&law)) {
    if (coulomb->kinetic > 0) least.take({coulomb->tolerance, "tolerance_velocity"});
  }
  return least;
}

HoldingSpeed find_holding_speed(const Bushing& bushing) {
  HoldingSpeed least;
  if (!bushing.friction.head<3>().isZero(0)) least.take({bushing.tolerance_rate, "tolerance_rate", "rad/s"});
  if (!bushing.friction.tail<3>().isZero(0)) least.take({bushing.tolerance_velocity, "tolerance_velocity"});
  return least;
}

HoldingSpeed find_holding_speed(const JointFriction& friction) {
  HoldingSpeed least = find_holding_speed(FrictionLaw(friction.law));
  least.unit = "m/s or rad/s";
  return least;
}

/// To one digit, never up.
double round_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / unit) * unit;
}

}  // namespace

void list_tolerance_notices(const Scene& scene, const System& system, std::vector<Notice>& notices) {
  if (!is_adaptive(scene)) return;
  const double strictness = find_integrator(scene.method.integrator)->strictness;
  const auto judge = [&](const std::string& what, const HoldingSpeed& holding) {
    const double largest = allowed_part * holding.speed / strictness;
    if (scene.method.absolute_tolerance <= largest) return;
    notices.push_back(
        {Notice::Kind::warning,
         fmt::format("{} does not hold with method.absolute_tolerance = {}: errors of velocities must stay "
                     "well below {}, {:.2g} {}; take {:.1g} or less",
                     what, format_number(scene.method.absolute_tolerance), holding.name, holding.speed, holding.unit,
                     round_down(largest))});
  };
  for (const ContactRule& rule : system.contact.rules)
    if (rule.compliant) judge("contact " + rule.name + ": friction", find_holding_speed(rule.compliant->friction));
  for (const Force& force : system.forces)
    if (const auto* bushing = std::get_if<Bushing>(&force.kind))
      judge("spring \"" + force.name + "\": friction", find_holding_speed(*bushing));
  for (const Force& force : system.forces)
    if (const auto* friction = std::get_if<JointFriction>(&force.kind))
      judge("joint \"" + force.name + "\": friction", find_holding_speed(*friction));
}

}  // namespace stiction
