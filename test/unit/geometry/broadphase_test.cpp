// Every answer is compared with the plain comparison of all pairs.
#include "stiction/geometry/broadphase.h"

#include <gtest/gtest.h>

#include <limits>

#include "stiction/base/random.h"

namespace stiction {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

Pairs compare_all(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      const Bounds &a = boxes[static_cast<std::size_t>(i)], &b = boxes[static_cast<std::size_t>(j)];
      bool apart = false;
      for (int k = 0; k < 3; ++k) apart = apart || a.lower[k] > b.upper[k] || b.lower[k] > a.upper[k];
      if (!apart) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

std::vector<Bounds> make_boxes(int count, double width, Random& random) {
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3 centre(random.uniform(0, width), random.uniform(0, width), random.uniform(0, width));
    const Vec3 half(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    boxes.push_back({centre - half, centre + half});
  }
  return boxes;
}

TEST(Broadphase, finds_what_comparing_all_pairs_finds_while_boxes_move) {
  Random random(1);
  std::vector<Bounds> boxes = make_boxes(200, 10, random);
  Broadphase broadphase;
  for (int step = 0; step < 50; ++step) {
    EXPECT_EQ(broadphase.update(boxes), compare_all(boxes)) << "step " << step;
    for (Bounds& box : boxes) {
      // Most creep, some jump.
      const double reach = random.uniform() < 0.05 ? 5 : 0.02;
      const Vec3 d(random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach));
      box.lower += d, box.upper += d;
    }
  }
}

TEST(Broadphase, reports_unbounded_boxes_with_all_that_their_sides_allow) {
  Random random(2);
  std::vector<Bounds> boxes = make_boxes(30, 10, random);
  const double infinity = std::numeric_limits<double>::infinity();
  boxes.insert(boxes.begin() + 3, {Vec3::Constant(-infinity), Vec3(infinity, infinity, 2)});
  boxes.push_back({Vec3::Constant(-infinity), Vec3::Constant(infinity)});
  Broadphase broadphase;
  EXPECT_EQ(broadphase.update(boxes), compare_all(boxes));
  std::swap(boxes[3], boxes[4]);
  EXPECT_EQ(broadphase.update(boxes), compare_all(boxes));
}

TEST(Broadphase, forgets_objects_that_are_gone_and_learns_new_ones) {
  Random random(3);
  Broadphase broadphase;
  for (const int count : {50, 80, 20, 0, 1, 60}) {
    const std::vector<Bounds> boxes = make_boxes(count, 5, random);
    EXPECT_EQ(broadphase.update(boxes), compare_all(boxes));
  }
}

TEST(Broadphase, does_not_depend_on_history) {
  Random random(4);
  const std::vector<Bounds> first = make_boxes(100, 6, random), second = make_boxes(100, 6, random);
  Broadphase travelled, fresh;
  travelled.update(first);
  EXPECT_EQ(travelled.update(second), fresh.update(second));
}

}  // namespace
}  // namespace stiction
