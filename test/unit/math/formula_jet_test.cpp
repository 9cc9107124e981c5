#include "stiction/math/formula_jet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

FormulaJet read_jet_formula(const std::string& text, const FormulaJet::Constants& constants = {}) {
  auto made = FormulaJet::parse(text, constants);
  EXPECT_TRUE(std::holds_alternative<FormulaJet>(made)) << text;
  return std::get<FormulaJet>(std::move(made));
}

// The order of operations is that of muParser: docs of its language, and these numbers.
TEST(FormulaJet, HasTheUsualOrderOfOperations) {
  const std::pair<const char*, double> cases[] = {{"-2^2", -4},      {"2^3^2", 512},
                                                  {"2^-1", 0.5},     {"1 - 2 - 3", -4},
                                                  {"8/4/2", 1},      {"2 + 3*4", 14},
                                                  {"(2 + 3)*4", 20}, {"--1e-3", 1e-3},
                                                  {"-u*v", -6},      {"ln(_e) + sqrt(4) + _pi", 3 + std::numbers::pi},
                                                  {"a*u_1", 10}};
  for (const auto& [text, value] : cases)
    EXPECT_NEAR(read_jet_formula(text, {{"a", 5}, {"u_1", 2}}).evaluate(2, 3).value, value, 1e-15) << text;
}

// Closed forms of the derivatives, at u = 0.7, v = 1.3.
TEST(FormulaJet, HasExactDerivatives) {
  const double u = 0.7, v = 1.3, s = std::sin(u * v), c = std::cos(u * v), e = std::exp(-u / v);
  const Jet a = read_jet_formula("sin(u*v)").evaluate(u, v);
  EXPECT_NEAR(a.u, v * c, 1e-15);
  EXPECT_NEAR(a.v, u * c, 1e-15);
  EXPECT_NEAR(a.uu, -v * v * s, 1e-15);
  EXPECT_NEAR(a.uv, c - u * v * s, 1e-15);
  EXPECT_NEAR(a.vv, -u * u * s, 1e-15);
  const Jet b = read_jet_formula("exp(-u/v)").evaluate(u, v);
  EXPECT_NEAR(b.u, -e / v, 1e-15);
  EXPECT_NEAR(b.uv, e * (1 / (v * v) - u / (v * v * v)), 1e-15);
  EXPECT_NEAR(b.vv, e * (u * u / std::pow(v, 4) - 2 * u / std::pow(v, 3)), 1e-15);
  const Jet p = read_jet_formula("(u - 0.7)^2*v^0.5").evaluate(u, v);
  EXPECT_EQ(p.u, 0);
  EXPECT_NEAR(p.uu, 2 * std::sqrt(v), 1e-15);
  const Jet q = read_jet_formula("u^v").evaluate(u, v);
  EXPECT_NEAR(q.uv, std::pow(u, v - 1) * (1 + v * std::log(u)), 1e-15);
}

// Every function against central differences of its own values, whose error is of the order 1e-10.
TEST(FormulaJet, HasTheDerivativesOfItsFunctions) {
  constexpr double u = 0.4, v = 0.9, h = 1e-4;
  for (const char* name : {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "ln", "sqrt"}) {
    const FormulaJet formula = read_jet_formula(std::string(name) + "(0.3 + u^2*v + v/2)");
    const Jet at = formula.evaluate(u, v);
    const auto value = [&](double du, double dv) { return formula.evaluate(u + du, v + dv).value; };
    EXPECT_NEAR(at.u, (value(h, 0) - value(-h, 0)) / (2 * h), 1e-7) << name;
    EXPECT_NEAR(at.v, (value(0, h) - value(0, -h)) / (2 * h), 1e-7) << name;
    EXPECT_NEAR(at.uu, (value(h, 0) - 2 * at.value + value(-h, 0)) / (h * h), 1e-6) << name;
    EXPECT_NEAR(at.vv, (value(0, h) - 2 * at.value + value(0, -h)) / (h * h), 1e-6) << name;
    EXPECT_NEAR(at.uv, (value(h, h) - value(h, -h) - value(-h, h) + value(-h, -h)) / (4 * h * h), 1e-6) << name;
  }
}

TEST(FormulaJet, SaysWhatItCannotRead) {
  const std::pair<std::string, const char*> cases[] = {{"cos(u", "a bracket is not closed"},
                                                       {"abs(u)", "there is no smooth function or constant abs"},
                                                       {"u +", "it ends too early"},
                                                       {"", "it ends too early"},
                                                       {"u v", "\"v\" does not belong there"},
                                                       {"sin u", "sin needs brackets"},
                                                       {std::string(1000, '('), "too many brackets in one another"},
                                                       {std::string(1000, '-'), "it ends too early"}};
  for (const auto& [text, message] : cases) {
    const auto made = FormulaJet::parse(text, {});
    ASSERT_TRUE(std::holds_alternative<std::string>(made)) << text;
    EXPECT_NE(std::get<std::string>(made).find(message), std::string::npos) << std::get<std::string>(made);
  }
}

}  // namespace
}  // namespace stiction
