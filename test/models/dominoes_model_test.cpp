// The dominoes of docs/tutorials.md.
#include <gtest/gtest.h>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double domino_height = 0.048, domino_thickness = 0.0075, domino_gap = 0.02, g_domino = 9.81;
const double domino_diagonal = std::hypot(domino_height, domino_thickness);

RunResult push_domino(double w, const std::vector<std::string>& changes) {
  // Turning about the lower edge: v = w (H / 2, T / 2).
  std::vector<std::string> all = {"body.first.angular_velocity=[0, 0, " + std::to_string(-w) + "]",
                                  "body.first.velocity=[" + std::to_string(0.5 * w * domino_height) + ", " +
                                      std::to_string(0.5 * w * domino_thickness) + ", 0]"};
  all.insert(all.end(), changes.begin(), changes.end());
  return test::run_example("dominoes", all);
}

double first_impact(const RunResult& run) {
  for (const StepEvent& event : run.events) {
    if (event.kind == "impact" && event.name == "first/domino1") return event.t;
  }
  return -1;
}

// w^2 = w0^2 + 3 g / D (cos b - cos(a - b)), tan b = T / H, until sin a = gap / H: t is the integral of 1 / w, by
// Simpson's rule, which is exact to 1e-9 with 1,000 intervals.
double calc_meeting(double w0) {
  const double b = std::atan2(domino_thickness, domino_height), end = std::asin(domino_gap / domino_height);
  const auto slowness = [&](double a) {
    return 1 / std::sqrt(w0 * w0 + 3 * g_domino / domino_diagonal * (std::cos(b) - std::cos(a - b)));
  };
  const int n = 1000;
  double sum = slowness(0) + slowness(end);
  for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * slowness(end * i / n);
  return sum * end / (3 * n);
}

// Over a sticking edge that turns, cone is of first order: 4e-5 s at 1 ms, and smaller steps come nearer.
TEST(ModelDominoes, TheFirstMeetsTheSecondWhenTheHandCalculationSays) {
  const double expected = calc_meeting(3);
  EXPECT_NEAR(expected, 0.1991, 5e-5);  // as the scene and the docs say
  const double coarse = std::abs(first_impact(test::run_example("dominoes", {"time.duration=0.21"})) - expected);
  EXPECT_LT(coarse, 2e-5);
  const double fine =
      std::abs(first_impact(test::run_example("dominoes", {"time.duration=0.21", "time.step=0.000125"})) - expected);
  EXPECT_LT(fine, std::max(0.3 * coarse, 5e-8));  // impacts are located to 1e-4 of a step
}

// It falls over if its energy lifts the centre over the edge: w0^2 > 3 g (D - H) / D^2; and then all do.
TEST(ModelDominoes, FallOnlyIfTheFirstIsPushedHardEnough) {
  const double critical = std::sqrt(3 * g_domino * (domino_diagonal - domino_height)) / domino_diagonal;
  const RunResult stands = push_domino(0.99 * critical, {"time.duration=0.6"});
  EXPECT_EQ(first_impact(stands), -1);
  const RunResult falls = push_domino(1.01 * critical, {});
  for (const char* name : {"first", "domino1", "domino2", "domino3", "domino4"}) {
    // At least at the angle at which it meets the foot of the next one's face.
    EXPECT_LT(falls.signal(std::string(name) + ".orientation.z").back(), -0.5) << name;
  }
  // The last lies flat: a quarter turn.
  EXPECT_NEAR(falls.signal("domino5.orientation.z").back(), -std::sqrt(0.5), 1e-6);
}

}  // namespace
}  // namespace stiction
