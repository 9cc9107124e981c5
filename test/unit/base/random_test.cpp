#include "stiction/base/random.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// First outputs of SplitMix64 for the seed 1234567, from the reference implementation of Vigna (splitmix64.c).
TEST(Random, ReferenceSequence) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ull);
  EXPECT_EQ(random.next(), 3203168211198807973ull);
  EXPECT_EQ(random.next(), 9817491932198370423ull);
}

TEST(Random, UniformStaysInRangeAndHasItsMean) {
  Random random(1);
  double sum = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    sum += x;
  }
  // Mean 1, standard deviation 4/sqrt(12); five standard errors of the mean.
  EXPECT_NEAR(sum / count, 1, 5 * 4 / 3.4641 / 316.2);
}

TEST(Random, IndexReachesEveryValue) {
  Random random(2);
  bool seen[7] = {};
  for (int i = 0; i < 1000; ++i) {
    const int index = random.index(7);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, 7);
    seen[index] = true;
  }
  for (const bool value : seen) EXPECT_TRUE(value);
}

}  // namespace
}  // namespace stiction
