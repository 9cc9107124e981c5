#include "stiction/base/check.h"

#include <gtest/gtest.h>

#include "stiction/base/internal_error.h"

namespace stiction {
namespace {

TEST(Check, BrokenInvariantThrowsWithItsPlace) {
  try {
    STICTION_CHECK(1 + 1 == 3);
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("check_test.cpp:"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("internal fault: 1 + 1 == 3 does not hold"), std::string::npos);
  }
}

TEST(Check, HoldingConditionIsEvaluatedOnce) {
  int count = 0;
  STICTION_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace stiction
