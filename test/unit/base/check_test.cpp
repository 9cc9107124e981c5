#include "stiction/base/check.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(CheckDeathTest, BrokenInvariantAbortsWithItsPlace) {
  EXPECT_DEATH(STICTION_CHECK(1 + 1 == 3), "check_test.cpp:[0-9]+: internal fault: 1 \\+ 1 == 3 does not hold");
}

TEST(Check, HoldingConditionIsEvaluatedOnce) {
  int count = 0;
  STICTION_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace stiction
