#include "stiction/solvers/performance_profile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

// Dolan and More's definition by hand: three problems, times (1, 4, fails) and (2, 2, 6). The best are 1, 2, 6; the
// ratios (1, 2, inf) and (2, 1, 1).
TEST(PerformanceProfile, IsTheDefinition) {
  const PerformanceProfile profile = make_performance_profile({"a", "b"}, {{1, 4, std::nan("")}, {2, 2, 6}});
  EXPECT_EQ(profile.problems, 3);
  EXPECT_EQ(profile.ratios[0], (std::vector<double>{1, 2}));
  EXPECT_EQ(profile.ratios[1], (std::vector<double>{1, 1, 2}));
  EXPECT_DOUBLE_EQ(profile.calc_rho(0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(profile.calc_rho(1, 1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.calc_rho(0, 1.99), 1.0 / 3);
  EXPECT_DOUBLE_EQ(profile.calc_rho(0, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.calc_rho(0, 1e9), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.calc_rho(1, 2), 1);
  EXPECT_EQ(profile.solved(0), 2);
  EXPECT_EQ(profile.calc_largest_ratio(), 2);
}

TEST(PerformanceProfile, AProblemThatNobodySolvesLowersAll) {
  const PerformanceProfile profile = make_performance_profile({"a", "b"}, {{1, INFINITY}, {1, -1}});
  EXPECT_DOUBLE_EQ(profile.calc_rho(0, 1e9), 0.5);
  EXPECT_DOUBLE_EQ(profile.calc_rho(1, 1), 0.5);
}

TEST(PerformanceProfile, BearsNothingAndTimesOfZero) {
  EXPECT_EQ(make_performance_profile({}, {}).problems, 0);
  const PerformanceProfile none = make_performance_profile({"a"}, {{}});
  EXPECT_EQ(none.calc_rho(0, 10), 0);
  EXPECT_EQ(none.calc_largest_ratio(), 1);
  EXPECT_EQ(make_performance_profile({"a", "b"}, {{0}, {0}}).calc_rho(1, 1), 1);
}

}  // namespace
}  // namespace stiction
