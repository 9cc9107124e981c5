// Laws from outside, as formulas of a scene and as C++ functions, against the built-in laws that they repeat.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/fault.h"
#include "stiction/contact/contact_core.h"
#include "stiction/run/simulation.h"

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

// Hertz's law as a C++ function, with the damping of an impact at 1 m/s: the bits of the built-in law, in force and
// dissipation. The stored energy is an integral that is exact for x^(3/2): rounding of 8 terms.
TEST(UserLaw, HertzAsAFunctionHasTheBitsOfTheBuiltInLaw) {
  const NormalPower hertz{.exponent = 1.5, .stiffness = 3.4e10, .restitution = 0.5};
  const NormalPower::Memory memory = hertz.start({0, 1, 0, 0});
  const double k = memory.stiffness, a = memory.damping;
  const NormalUser user{[=](double x, double v, double) {
    const double elastic = k * (x * std::sqrt(x)), factor = 1 + a * v;
    return factor > 0 ? elastic * factor : 0;
  }};
  const NormalUser::Memory own = user.start({0, 1, 0, 0});
  for (const double x : {1e-7, 1e-5, 3e-4}) {
    for (const double v : {1.0, 0.2, 0.0, -0.3, -5.0}) {
      const NormalResponse expected = hertz.respond(x, v, memory), got = user.respond(x, v, own);
      EXPECT_EQ(got.force, expected.force);
      EXPECT_EQ(got.dissipated, expected.dissipated);
      EXPECT_NEAR(got.stored, expected.stored, 1e-14 * expected.stored);
    }
  }
}

// The same as a formula: an impact of the example leaves with the same speed, to what x^1.5 and x sqrt(x) differ.
TEST(UserLaw, HertzAsAFormulaMovesAsTheBuiltInLaw) {
  const std::string table = "contact.\"ball/plane\".normal=";
  const RunResult built_in = run_example("impact", {table + "{law=\"hertz\", stiffness=3.4e10}"});
  const RunResult formula =
      run_example("impact", {table + "{law=\"formula\", force=\"k * x^1.5\", parameters={k = 3.4e10}}"});
  const auto &a = built_in.signal("ball.velocity.z"), &b = formula.signal("ball.velocity.z");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-12);
  EXPECT_NEAR(built_in.signal("energy.stored").at(300), formula.signal("energy.stored").at(300), 1e-12);
  EXPECT_LT(formula.summary.energy_worst_residual, 1e-6 * formula.summary.energy_first);
}

// Friction that falls with the speed, mu = 0.2 + 0.2 exp(-v / v0): m dv/dt = -mu(v) m g, whose solution is
// t = (1/(0.2 g)) ... in closed form v0 ln((exp(v_1/v0) + 1) / (exp(v/v0) + 1)) = 0.2 g t.
TEST(UserLaw, ACoefficientThatFallsWithTheSpeed) {
  const double v0 = 0.5, v1 = 1, g = 9.81, t = 0.2;
  const RunResult run = test::run_text(
      "stribeck",
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.2\nstep = 1e-5\noutput = 1e-3\n[method]\ntype = "
      "\"compliant\"\nintegrator = \"rk4\"\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, "
      "0, "
      "1] }\n[body.ball]\nmass = 1\nparticle = true\nposition = [0, 0, 0.0999019]\nvelocity = [1, 0, 0]\nshape = { "
      "type = \"sphere\", radius = 0.1 }\n[contact.\"ball/floor\"]\nnormal = { law = \"formula\", force = \"k * x + c "
      "* "
      "v\", parameters = { k = \"100 kN/m\", c = \"600 N s/m\" } }\nfriction = { law = \"formula\", coefficient = "
      "\"0.2 "
      "+ 0.2 * exp(-v / v0)\", parameters = { v0 = \"0.5 m/s\" } }\n");
  const double expected = v0 * std::log((std::exp(v1 / v0) + 1) * std::exp(-0.2 * g * t / v0) - 1);
  EXPECT_NEAR(run.signal("ball.velocity.x").back(), expected, 1e-6);
  EXPECT_LT(run.summary.energy_worst_residual, 1e-6 * run.summary.energy_first);
}

template <class Spec, class Function>
Spec make_function_law(Function function) {
  Spec spec;
  spec.law = "function";
  spec.function = function;
  return spec;
}

// Functions in the scene of a program: the bits of the formulas that say the same.
TEST(UserLaw, FunctionsOfAProgramMoveAsFormulas) {
  const std::string table = "contact.\"ball/plane\".";
  Simulation formulas(
      test::load_example("impact", {table + "normal={law=\"formula\", force=\"1e8 * x + 200 * v\"}",
                                    table + "friction={law=\"formula\", coefficient=\"0.2 + 0.1 * v\"}"}));
  Scene scene = test::load_example("impact");
  for (auto& [name, contact] : scene.contacts) {
    contact.normal = make_function_law<NormalSpec>([](double x, double v, double) { return 1e8 * x + 200 * v; });
    contact.friction = make_function_law<FrictionSpec>([](double v, double) { return 0.2 + 0.1 * v; });
  }
  Simulation functions(scene);
  EXPECT_EQ(formulas.step_to(formulas.scene().time.duration).status, StepStatus::ok);
  EXPECT_EQ(functions.step_to(functions.scene().time.duration).status, StepStatus::ok);
  EXPECT_EQ(calc_hash(formulas.state()), calc_hash(functions.state()));
  // A copy has functions of its own; text they have none.
  Simulation copy = functions;
  EXPECT_EQ(calc_hash(copy.state()), calc_hash(functions.state()));
  EXPECT_THROW((void)functions.to_toml(), InputError);
  EXPECT_THROW(functions.set("time.step", "1e-4"), InputError);
}

// They are sampled and refused as formulas are.
TEST(UserLaw, FunctionsAreRefusedWhereTheyFeedEnergy) {
  const auto fault_of = [](NormalSpec spec) -> std::string {
    Scene scene = test::load_example("impact");
    for (auto& [name, contact] : scene.contacts) contact.normal = spec;
    try {
      Simulation simulation(std::move(scene));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto feeds = [](double x, double v, double) { return 1e6 * x - 10 * v; };
  EXPECT_NE(fault_of(make_function_law<NormalSpec>(feeds)).find("feeds energy"), std::string::npos);
  EXPECT_NE(fault_of(make_function_law<NormalSpec>(nullptr)).find("has no function"), std::string::npos);
}

std::string find_fault(const std::string& normal) {
  try {
    run_example("impact", {"contact.\"ball/plane\".normal={law=\"formula\", " + normal + "}"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// What a law may not do is refused with the place where it does it.
TEST(UserLaw, IsRefusedWhereItFeedsEnergyOrIsNoNumber) {
  const auto says = [](const std::string& normal, const char* words) {
    const std::string message = find_fault(normal);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says("force=\"1e6 * x - 10 * v\"", "feeds energy");
  says("force=\"-1e6 * x\"", "pulls at rest");
  says("force=\"sqrt(x - 1)\"", "is not a number");
  // Between round numbers, and at other speeds of touch-down: 0 is that of a body which lies there when the run begins.
  says("force=\"1e6 * x + 100 * v * cos(6.283185307179586 * log10(abs(v) + 1e-9))\"", "feeds energy");
  says("force=\"1e6 * x + 100 * (2 - vi) * v\"", "vi = 10: it is");
  says("force=\"1e6 * x^1.5 * (1 + 0.3 * v / vi)\"", "vi = 0: it is");
  EXPECT_EQ(find_fault("force=\"1e6 * x^1.5 * max(1 + 0.3 * v / max(vi, 1e-3), 0)\""), "");
  says("force=\"k * y\", parameters={k = 1}", "cannot read the formula");
  says("force=\"sin * x\", parameters={sin = 1e6}", "the parameter sin has the name of a function");
  says("force=\"k * x^2\", parameters={k = \"1 MN/m\"}", "is not a force");
  EXPECT_EQ(find_fault("force=\"k * x\", parameters={k = \"1 MN/m\"}"), "");
}

}  // namespace
}  // namespace stiction
