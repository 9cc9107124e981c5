#include "stiction/scene/read/unit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

namespace dim = dimension;
using std::numbers::pi;

Quantity parse(std::string_view text) {
  const auto result = parse_quantity(text);
  if (const auto* fault = std::get_if<QuantityFault>(&result)) {
    ADD_FAILURE() << text << ": " << fault->message;
    return {std::nan(""), {}};
  }
  return std::get<Quantity>(result);
}

std::string fault_of(std::string_view text) {
  const auto result = parse_quantity(text);
  const auto* fault = std::get_if<QuantityFault>(&result);
  return fault ? fault->message : "no fault";
}

void expect_quantity(std::string_view text, double value, const Dimension& dimension) {
  const Quantity quantity = parse(text);
  EXPECT_EQ(quantity.value, value) << text;
  EXPECT_EQ(quantity.dimension, dimension) << text << " is " << describe_dimension(quantity.dimension);
}

// Decimal prefixes give the very double of the SI literal.
TEST(ParseQuantity, DecimalPrefixesAreExact) {
  expect_quantity("15 mm", 0.015, dim::length);
  expect_quantity("6 g", 0.006, dim::mass);
  expect_quantity("20 us", 20e-6, dim::time);
  expect_quantity("20 µs", 20e-6, dim::time);
  expect_quantity("0.1 mm", 1e-4, dim::length);
  expect_quantity("1.5e3 kg", 1500, dim::mass);
  expect_quantity("-2.5e-1 cm", -0.0025, dim::length);
  expect_quantity("3 t", 3000, dim::mass);
  expect_quantity("10 GPa", 1e10, {.mass = 1, .length = -1, .time = -2});
  expect_quantity("50 %", 0.5, dim::number);
}

TEST(ParseQuantity, ProductsQuotientsAndPowers) {
  expect_quantity("9.81 m/s^2", 9.81, dim::acceleration);
  expect_quantity("9.81 m/s²", 9.81, dim::acceleration);
  expect_quantity("5 N m/rad", 5, dim::torsional_stiffness);
  expect_quantity("1e5 N/m", 1e5, dim::stiffness);
  expect_quantity("2 kg m^2", 2, dim::inertia);
  expect_quantity("0.1 kg*m^2/s", 0.1, {.mass = 1, .length = 2, .time = -1});
  expect_quantity("7.8 g/cm^3", 7800, dim::density);
  expect_quantity("2 N/(m/s)", 2, dim::damping);
  expect_quantity("2 kg/m/s", 2, {.mass = 1, .length = -1, .time = -1});
  expect_quantity("4 m s^-2", 4, dim::acceleration);
  expect_quantity("3 1/s", 3, {.time = -1});
  expect_quantity("3 /s", 3, {.time = -1});
  expect_quantity("3mm", 0.003, dim::length);
  expect_quantity("1 mm^2", 1e-6, {.length = 2});
  expect_quantity("2 (m/s)^2", 2, {.length = 2, .time = -2});
}

TEST(ParseQuantity, AnglesAndRates) {
  expect_quantity("180 deg", pi, dim::angle);
  expect_quantity("90°", pi / 2, dim::angle);
  expect_quantity("120 rpm", 4 * pi, dim::angular_velocity);
  expect_quantity("2 rev", 4 * pi, dim::angle);
  expect_quantity("180 deg/s", pi, dim::angular_velocity);
  expect_quantity("5 mrad", 0.005, dim::angle);
  expect_quantity("2 kHz", 2000, dim::frequency);
  expect_quantity("36 km/h", 10, dim::velocity);
  expect_quantity("2 min", 120, dim::time);
  // Per degree: 1 N m/deg = 180/pi N m/rad. One rounding in pi, one in the division, one in the product.
  EXPECT_NEAR(parse("1 N m/deg").value, 180 / pi, 1e-14 * 180 / pi);
}

TEST(ParseQuantity, PlainNumbers) {
  expect_quantity("2", 2, dim::number);
  expect_quantity(" +.5 ", 0.5, dim::number);
  expect_quantity("5.", 5, dim::number);
}

TEST(ParseQuantity, Faults) {
  EXPECT_EQ(fault_of(""), "it does not start with a number");
  EXPECT_EQ(fault_of("heavy"), "it does not start with a number");
  EXPECT_EQ(fault_of("."), "it does not start with a number");
  EXPECT_EQ(fault_of("-"), "it does not start with a number");
  EXPECT_EQ(fault_of("nan kg"), "it does not start with a number");
  EXPECT_EQ(fault_of("5 kgs"), "there is no unit \"kgs\"");
  EXPECT_EQ(fault_of("5 kdeg"), "there is no unit \"kdeg\"");
  EXPECT_EQ(fault_of("5 m/"), "a unit is missing at the end");
  EXPECT_EQ(fault_of("5 m^"), "a power must be a whole number between -9 and 9");
  EXPECT_EQ(fault_of("5 m^99"), "a power must be a whole number between -9 and 9");
  EXPECT_EQ(fault_of("5 (m"), "a \")\" is missing");
  EXPECT_EQ(fault_of("5 m)"), "\")\" cannot be read");
  EXPECT_EQ(fault_of("5 kg m/s s"), "it is ambiguous what \"/\" divides by");
  EXPECT_EQ(fault_of("1e400 m"), "the number is too large or too small");
  EXPECT_EQ(fault_of("1e300 Tm"), "the number is too large or too small");
  EXPECT_EQ(fault_of("1e999999999999 m"), "there is no unit \"e\"");
  EXPECT_EQ(fault_of("5 " + std::string(100, 'm')), "a quantity has at most 96 characters");
  EXPECT_EQ(fault_of("5 m $"), "\"$\" is not a unit");
}

// n and 10^k are exact, and IEEE division rounds correctly: n / 10^k is the double nearest to the written number.
RC_GTEST_PROP(ParseQuantity, PrefixIsRoundedOnce, ()) {
  const auto n = *rc::gen::inRange(-1000000000, 1000000000);
  const auto [prefix, divisor] =
      *rc::gen::element(std::pair("m", 1e3), std::pair("u", 1e6), std::pair("n", 1e9), std::pair("p", 1e12));
  const auto result = parse_quantity(fmt::format("{} {}s", n, prefix));
  RC_ASSERT(std::get<Quantity>(result).value == n / divisor);
}

RC_GTEST_PROP(ParseQuantity, AnyTextEndsInAResult, (const std::string& text)) {
  const auto result = parse_quantity("1 " + text);
  if (const auto* quantity = std::get_if<Quantity>(&result)) RC_ASSERT(std::isfinite(quantity->value));
}

TEST(Fits, AnglesMayBeLeftOutButNotPutIn) {
  EXPECT_TRUE(fits(dim::torque, dim::torsional_stiffness));
  EXPECT_TRUE(fits({.time = -1}, dim::angular_velocity));
  EXPECT_TRUE(fits(dim::number, dim::angle));
  EXPECT_TRUE(fits({.time = -1}, dim::frequency));
  EXPECT_FALSE(fits(dim::angle, dim::number));
  EXPECT_FALSE(fits(dim::angle, dim::length));
  EXPECT_FALSE(fits(dim::frequency, dim::angular_velocity));
  EXPECT_FALSE(fits(dim::angular_velocity, dim::frequency));
  EXPECT_FALSE(fits(dim::length, dim::mass));
}

TEST(UnitOf, NamedAndComposed) {
  EXPECT_EQ(unit_of(dim::torsional_damping), "N m s/rad");
  EXPECT_EQ(unit_of({.mass = 2, .length = -1}), "kg^2/m");
  EXPECT_EQ(unit_of({.length = -1, .time = -1}), "1/(m s)");
  EXPECT_EQ(describe_dimension({.mass = 1, .length = 1}), "a quantity in kg m");
  EXPECT_EQ(describe_dimension(dim::angle), "an angle");
}

}  // namespace
}  // namespace stiction
