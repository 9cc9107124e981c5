#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/contact/friction_bristle.h"
#include "stiction/contact/hertz_stiffness.h"
#include "stiction/contact/normal_power.h"
#include "stiction/scene/read/unit.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

struct MaterialOptions {
  double mass = 1, radius = 0.05, gravity = 9.81, velocity = 1, poisson = 0.3;
  double friction = 0, restitution = 0.5, presliding = usual_presliding;
  double damping_ratio = 1;
  std::optional<double> kinetic, modulus, frequency;
};

struct Line {
  const char* name;
  double value;
  const char* unit;
  std::string formula;
};

void check(const MaterialOptions& o) {
  std::vector<Fault> faults;
  const auto require = [&](bool holds, const char* option, double value, const char* rule, const char* hint = "") {
    if (holds) return;
    Fault fault;
    fault.message = fmt::format("--{}: must be {}, got {}", option, rule, format_number(value));
    fault.hint = hint;
    faults.push_back(std::move(fault));
  };
  require(o.mass > 0, "mass", o.mass, "> 0 kg");
  require(o.radius > 0, "radius", o.radius, "> 0 m");
  require(o.gravity > 0, "gravity", o.gravity, "> 0 m/s^2");
  require(o.velocity > 0, "velocity", o.velocity, "> 0 m/s");
  require(o.presliding > 0, "presliding", o.presliding, "> 0 m");
  require(o.friction >= 0, "friction", o.friction, ">= 0");
  const double kinetic = o.kinetic.value_or(o.friction);
  require(kinetic >= 0, "kinetic", kinetic, ">= 0");
  require(kinetic <= o.friction, "kinetic", kinetic, "at most --friction", "mu_C <= mu_S");
  require(o.restitution > 0 && o.restitution <= 1, "restitution", o.restitution, "in (0, 1]",
          o.restitution > 0 ? "1 is an impact that loses no energy" : "at 0 the damping d/(e v) is infinite: use 0.01");
  require(!o.modulus || *o.modulus > 0, "modulus", o.modulus.value_or(1), "> 0 Pa");
  require(o.poisson >= 0 && o.poisson <= 0.5, "poisson", o.poisson, "in [0, 0.5]",
          "0.5 is an incompressible material, such as rubber");
  require(!o.frequency || *o.frequency > 0, "frequency", o.frequency.value_or(1), "> 0 Hz");
  require(!o.frequency || (o.damping_ratio >= 0 && o.damping_ratio < 1), "damping-ratio", o.damping_ratio, "in [0, 1)",
          "what oscillates at a frequency that can be measured is damped less than critically");
  if (!faults.empty()) throw InputError(std::move(faults));
}

/// Bristles from the oscillation of a body that lies on them by its weight, x'' + g sigma_1 x' + g sigma_0 x = 0
/// (gonthier-thesis-2007, eqs 3.48-3.50): from the frequency w_d at which it is seen to oscillate and its damping ratio
///     w = w_d / sqrt(1 - zeta^2),   sigma_0 = w^2 / g,   sigma_1 = 2 zeta w / g
/// DEPARTURE: (3.50) takes the frequency that is seen for w.
void set_measured_bristles(const MaterialOptions& o, FrictionBristle& law) {
  const double w = 2 * std::numbers::pi * *o.frequency / std::sqrt(1 - o.damping_ratio * o.damping_ratio);
  law.stiffness = w * w / o.gravity;
  law.damping = 2 * o.damping_ratio * w / o.gravity;
}

/// Numbers are SI; "10 GPa" is taken too, as in scenes, where the dimension fits.
CLI::Validator make_quantity(const Dimension& wanted) {
  return CLI::Validator(
      [wanted](std::string& text) -> std::string {
        const auto parsed = parse_quantity(text);
        if (const auto* fault = std::get_if<QuantityFault>(&parsed))
          return fmt::format("expected {}, got {}: {}", describe_dimension(wanted), quote(text), fault->message);
        const auto& [value, given] = std::get<0>(parsed);
        if (given != dimension::number && !fits(given, wanted))
          return fmt::format("expected {}, got {}, {}", describe_dimension(wanted), quote(text),
                             describe_dimension(given));
        text = fmt::format("{:.17g}", value);
        return {};
      },
      "");
}

std::string format_lines(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines)
    text += fmt::format("  {:<20}{:>13} {:<8} {}\n", line.name, format_digits(line.value, 6), line.unit, line.formula);
  return text;
}

int print_material(const MaterialOptions& o) {
  check(o);
  const double kinetic = o.kinetic.value_or(o.friction), weight = o.mass * o.gravity;
  // Without a modulus: the body's weight presses it in by a thousandth of its radius.
  const double depth_wanted = 1e-3 * o.radius;
  const double stiffness =
      o.modulus ? calc_hertz_stiffness(calc_effective_modulus({*o.modulus, o.poisson}, {*o.modulus, o.poisson}),
                                       1 / o.radius, 1 / o.radius)
                : weight / (depth_wanted * std::sqrt(depth_wanted));
  const NormalPower normal{.stiffness = stiffness, .restitution = o.restitution};
  const double depth = std::pow(weight / stiffness, 2.0 / 3);
  const double deepest = std::pow(1.25 * o.mass * o.velocity * o.velocity / stiffness, 0.4);
  const double duration = 2.94 * deepest / o.velocity;
  std::string text = paint("normal = { law = \"hertz\", ... }", Color::bold) + "\n";
  text += format_lines(
      {{"stiffness", stiffness, "N/m^1.5",
        o.modulus ? "k = 4/3 E* sqrt(R), 1/E* = 2 (1 - nu^2)/E: sphere on a plane of its material (2.4)"
                  : "k = m g / x^1.5 with x = R/1000 under its own weight (no modulus given)"},
       {"restitution", o.restitution, "", "given"},
       {"small_velocity", normal.small_velocity, "m/s", "1 mm/s: much slower than the impacts (section 3.3.1)"},
       {"damping factor d", calc_damping_factor(o.restitution), "", "(1 + d/e)/(1 - d) = exp(d (1 + 1/e)) (3.23)"},
       {"damping a", normal.calc_damping(o.velocity), "s/m", "d / (e v) at the given velocity (3.24)"},
       {"static depth", depth, "m", "(m g / k)^(2/3)"},
       {"deepest", deepest, "m", "(5/4 m v^2 / k)^(2/5): an impact at the given velocity, e = 1"},
       {"duration", duration, "s", "2.94 deepest / v: duration of that impact"}});
  std::vector<double> steps = {duration / 50};
  if (o.friction > 0) {
    FrictionBristle law{.static_coefficient = o.friction, .kinetic = kinetic};
    law.stiffness = calc_bristle_stiffness(o.friction, o.presliding);
    law.damping = calc_critical_bristle_damping(law.stiffness, o.gravity);
    if (o.frequency) set_measured_bristles(o, law);
    law.stribeck_velocity = std::max(usual_stribeck_velocity, kinetic / law.damping);
    steps.push_back(1 / (3.5 * o.gravity * law.damping));
    text += paint("friction = { law = \"bristle\", ... }", Color::bold) + "\n";
    text += format_lines(
        {{"static", o.friction, "", "mu_S, given"},
         {"kinetic", kinetic, "", o.kinetic ? "mu_C, given" : "mu_C = mu_S, not given"},
         {"stiffness", law.stiffness, "1/m",
          o.frequency ? "sigma_0 = w^2 / g, w = 2 pi f / sqrt(1 - zeta^2) (3.50)"
                      : "sigma_0 = mu_S / presliding (3.46)"},
         {"damping", law.damping, "s/m",
          o.frequency ? "sigma_1 = 2 zeta w / g (3.50)" : "sigma_1 = 2 sqrt(sigma_0 / g): critical (3.51)"},
         {"viscous", 0, "s/m", "sigma_2: only for lubricated surfaces"},
         {"stribeck_velocity", law.stribeck_velocity, "m/s",
          "v_S = 1 mm/s, at least mu_C / sigma_1: below, bristles could create energy"},
         {"dwell_time", usual_dwell_ratio * law.calc_bristle_time(), "s",
          "tau_dw = 10 tau_br, tau_br = sigma_1 / sigma_0 (section 3.3.2)"},
         {"tolerance_velocity", usual_tolerance_ratio * law.stribeck_velocity, "m/s", "v_eps = v_S / 100"}});
  }
  if (o.friction == 0) text += paint("friction = 0", Color::bold) + "\n";
  text += paint("step", Color::bold) + "\n";
  text += format_lines(
      {{"time.step", *std::min_element(steps.begin(), steps.end()), "s",
        o.friction > 0 ? "fixed steps: 50 per impact, and below 1 / (3.5 g sigma_1) for the bristles of a rolling ball"
                       : "fixed steps: 50 per impact"}});
  print(text);
  return exit_ok;
}

}  // namespace

void add_material(CLI::App& app, Action& action) {
  auto options = std::make_shared<MaterialOptions>();
  constexpr Dimension pressure{.mass = 1, .length = -1, .time = -2};
  CLI::App* command = app.add_subcommand("material", "Suggest the parameters of a compliant contact");
  command->add_option("--mass", options->mass, "Mass of the body [kg]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::mass));
  command->add_option("--radius", options->radius, "Radius of curvature at the contact [m]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::length));
  command->add_option("--friction", options->friction, "Coefficient of static friction [-]")
      ->required()
      ->transform(make_quantity(dimension::number));
  command->add_option("--kinetic", options->kinetic, "Coefficient of kinetic friction [-]; default: the static one")
      ->transform(make_quantity(dimension::number));
  command->add_option("--restitution", options->restitution, "Coefficient of restitution [-]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::number));
  command->add_option("--modulus", options->modulus, "Young's modulus of both bodies [Pa]")
      ->transform(make_quantity(pressure));
  command->add_option("--poisson", options->poisson, "Poisson's ratio [-]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::number));
  command
      ->add_option("--frequency", options->frequency,
                   "Frequency at which the body oscillates on its bristles when it is struck; instead of presliding")
      ->transform(make_quantity(dimension::frequency))
      ->type_name("HZ");
  command->add_option("--damping-ratio", options->damping_ratio, "Damping ratio of that oscillation, below 1")
      ->type_name("NUMBER");
  command->add_option("--presliding", options->presliding, "Displacement before the contact breaks away [m]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::length));
  command->add_option("--velocity", options->velocity, "Typical impact velocity [m/s]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::velocity));
  command->add_option("--gravity", options->gravity, "Gravity [m/s^2]")
      ->capture_default_str()
      ->transform(make_quantity(dimension::acceleration));
  command->footer("Example: stiction material --mass 2 --radius 0.1 --friction 0.45 --kinetic 0.4 --modulus \"2 GPa\"");
  command->callback([options, &action] { action = [options] { return print_material(*options); }; });
}

}  // namespace stiction::cli
