#include "stiction/math/roots.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

struct Case {
  const char* name;
  double (*f)(double);
  double a, b, root;
};

// Roots in closed form; the last are hard for interpolation: flat, steep, a jump.
const Case cases[] = {
    {"line", [](double x) { return x - 0.3; }, 0, 1, 0.3},
    {"falling line", [](double x) { return 0.3 - x; }, 0, 1, 0.3},
    {"cosine", [](double x) { return std::cos(x) - 0.5; }, 0, 2, std::acos(0.5)},
    {"exponential", [](double x) { return std::exp(20 * x) - 2; }, -1, 1, std::log(2.0) / 20},
    {"flat", [](double x) { return x * x * x * x * x * x * x; }, -1, 1.7, 0},
    {"jump", [](double x) { return x < 0.7 ? -1e-6 : 1e6; }, 0, 1, 0.7},
};

TEST(RootBracket, ContainsTheRootAndIsNarrow) {
  for (const Case& c : cases) {
    const double tolerance = 1e-12;
    const RootBracket bracket = find_root_bracket(c.f, c.a, c.b, c.f(c.a), c.f(c.b), tolerance);
    EXPECT_TRUE(bracket.converged) << c.name;
    EXPECT_LE(bracket.b - bracket.a, tolerance) << c.name;
    EXPECT_LE(bracket.a, c.root + 1e-15) << c.name;
    EXPECT_GE(bracket.b, c.root - 1e-15) << c.name;
    // At b the sign is that of the original right end, at a it is the other.
    EXPECT_GE(c.f(bracket.b) * (c.f(c.b) > 0 ? 1 : -1), 0) << c.name;
    EXPECT_LT(c.f(bracket.a) * (c.f(c.b) > 0 ? 1 : -1), 0) << c.name;
    // Oliveira and Takahashi's bound: bisection plus n0 = 1, one more for the tolerance's rounding.
    EXPECT_LE(bracket.evaluations, std::ceil(std::log2((c.b - c.a) / tolerance)) + 2) << c.name;
  }
}

TEST(RootBracket, IsFasterThanBisectionOnSmoothFunctions) {
  const RootBracket bracket =
      find_root_bracket([](double x) { return std::cos(x) - 0.5; }, 0.0, 2.0, 0.5, std::cos(2.0) - 0.5, 1e-12);
  EXPECT_LE(bracket.evaluations, 14);  // bisection: 41
}

TEST(RootBracket, StopsWhereTheNumbersEnd) {
  const auto f = [](double x) { return x - 1e6 / 3; };
  const RootBracket bracket = find_root_bracket(f, 0.0, 1e6, f(0), f(1e6), 1e-30);
  EXPECT_FALSE(bracket.converged);
  EXPECT_LE(bracket.b - bracket.a, 1.2e-10);  // two units in the last place of 3.3e5
}

}  // namespace
}  // namespace stiction
