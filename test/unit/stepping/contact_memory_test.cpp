#include "stiction/stepping/rigid/contact_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

ContactMemory follow(const ContactMemory& before, const Eigen::Vector4d& force) {
  ContactMemory now = before;
  now.force = force;
  follow_change(before, now);
  return now;
}

// Closed form: after n equal changes d both means are 1 - a of theirs, a = 0.8^n, so that p = 1 - 2 a where positive.
TEST(ContactMemory, FollowsAForceThatChangesSteadily) {
  const Eigen::Vector4d start(3, -1, 2, 0.5), d(0.01, 0.02, -0.03, 0.001);
  ContactMemory memory;
  memory.force = start;
  for (int n = 1; n <= 60; ++n) {
    memory = follow(memory, start + n * d);
    const double a = std::pow(0.8, n), p = std::max(0.0, 1 - 2 * a);
    const Eigen::Vector4d expected = start + (n + p * (1 - a)) * d;
    ASSERT_LT((calc_expected_force(memory) - expected).norm(), 1e-12) << n;
  }
}

// Chance is not followed: a jump, and what goes to and fro.
TEST(ContactMemory, DoesNotFollowWhatDoesNotGoOn) {
  const Eigen::Vector4d start(3, -1, 2, 0.5), d(0.01, 0.02, -0.03, 0.001);
  ContactMemory jumped, swinging;
  jumped.force = swinging.force = start;
  for (int n = 1; n <= 20; ++n) {
    jumped = follow(jumped, start + d);
    swinging = follow(swinging, n % 2 == 1 ? Eigen::Vector4d(start + d) : start);
    ASSERT_EQ(calc_expected_force(jumped), jumped.force);
    ASSERT_EQ(calc_expected_force(swinging), swinging.force);
  }
}

TEST(ContactMemory, IsTheSameAfterACheckpoint) {
  ContactMemory memory;
  memory.place.shape_a = 3, memory.place.shape_b = 7, memory.place.point = 2;
  memory.place.point_b = Vec3(0.1, 0.2, 0.3);
  memory.force << 1, 2, 3, 4;
  memory.change << 0.5, 0.6, 0.7, 0.8;
  memory.change_square = 9;
  memory.active = true;
  memory.mode = ContactMode::slip;
  std::vector<double> numbers;
  memory.layers[1] = {1e-3, Vec3(1e-4, 2e-4, 3e-4), 0.5, true};
  memory.dwell = 0.75;
  const MemoryLayout layout{.layers = true, .dwell = true};
  append_contact_memory(memory, layout, numbers);
  ASSERT_EQ(numbers.size(), layout.size());
  const ContactMemory read = read_contact_memory(numbers.data(), layout);
  EXPECT_EQ(read.dwell, memory.dwell);
  EXPECT_EQ(read.layers[1].normal, memory.layers[1].normal);
  EXPECT_EQ(read.layers[1].shear, memory.layers[1].shear);
  EXPECT_EQ(read.layers[1].stored, memory.layers[1].stored);
  EXPECT_TRUE(read.layers[1].on_core);
  EXPECT_FALSE(read.layers[0].on_core);
  EXPECT_TRUE(read.place.same_place(memory.place));
  EXPECT_EQ(read.place.point_b, memory.place.point_b);
  EXPECT_EQ(read.force, memory.force);
  EXPECT_EQ(calc_expected_force(read), calc_expected_force(memory));
  EXPECT_EQ(read.change_square, memory.change_square);
  EXPECT_EQ(read.active, memory.active);
  EXPECT_EQ(read.mode, memory.mode);
}

}  // namespace
}  // namespace stiction
