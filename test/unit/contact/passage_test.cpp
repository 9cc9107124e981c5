// Ways whose overlap is known in closed form.
#include "stiction/contact/passage.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/index.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double part = 1e-2;

Transform place(double x, double y, double z, double angle = 0) {
  return {calc_matrix(make_axis_angle(Vec3::UnitZ(), angle)), Vec3(x, y, z)};
}

/// Body 1 stays at the origin, body 2 moves.
struct Way {
  Way(Shape still, Shape moving) {
    for (Shape* shape : {&still, &moving}) {
      ContactShape& added = model.shapes.emplace_back();
      added.body = static_cast<int>(model.shapes.size());
      added.shape = *shape;
      added.moves_freely = shape == &moving;
    }
    model.rules.push_back({.name = "default", .a = "", .b = "", .touches = true, .law = {}});
  }
  /// `seen`: how far contacts were sought at both ends [m].
  std::optional<Passage> find(const Transform& from, const Transform& to, double seen = 10) {
    const std::vector<Transform> start = {{}, {}, from}, end = {{}, {}, to};
    ContactFinder finder(model);
    const std::vector<Contact> at_start = finder.update(start, {0, seen}).contacts;
    const std::vector<Contact> at_end = finder.update(end, {0, seen}).contacts;
    PassageSearch search(model, part);
    const int moving[] = {2};
    search.begin(moving, start);
    return search.find(end, at_start, at_end);
  }
  ContactModel model;
};

// A ball of 0.1 m goes 2 m through a plate of 2 cm: it touches at 0.89 m, and is seen within a quarter of the
// plate's thickness of that.
TEST(PassageSearch, FindsABallThatGoesThroughAPlate) {
  Way way(Box{Vec3(0.02, 1, 1)}, Sphere{0.1});
  for (const double seen : {10.0, 0.9}) {
    const std::optional<Passage> found = way.find(place(-1, 0, 0), place(1, 0.1, 0), seen);
    ASSERT_TRUE(found) << seen;
    const double length = std::hypot(2, 0.1);
    EXPECT_GT(found->part, 0.89 / 2);
    EXPECT_LE(found->part, 0.89 / 2 + 1.01 * 0.005 / length);
    // Deepest with its centre in the middle: 0.1 + 0.01, sampled every 2.5 mm to both sides.
    EXPECT_NEAR(found->depth, 0.11, 0.0025);
    EXPECT_EQ(found->shape_a, 0);
    EXPECT_EQ(found->shape_b, 1);
  }
  // Beside it.
  EXPECT_FALSE(way.find(place(-1, 0.61, 0), place(1, 0.61, 0)));
  // Up to it, and back from it: ends that overlap show themselves.
  EXPECT_FALSE(way.find(place(-1, 0, 0), place(-0.11, 0, 0)));
  EXPECT_FALSE(way.find(place(-1, 0, 0), place(-0.05, 0, 0)));
}

// Half a millimetre beyond the middle it has the normal of the other side, and is to be pushed out there: the overlap
// of that end, the deepest on the way, is none that it may have. With 1 mm less it is on its own side.
TEST(PassageSearch, FindsABallThatEndsOnTheOtherSideOfTheMiddle) {
  Way way(Box{Vec3(0.02, 1, 1)}, Sphere{0.1});
  const std::optional<Passage> found = way.find(place(-1, 0, 0), place(0.0005, 0, 0));
  ASSERT_TRUE(found);
  EXPECT_GT(found->part, 0.89 / 1.0005);
  EXPECT_LE(found->part, 0.89 / 1.0005 + 1.01 * 0.005 / 1.0005);
  EXPECT_FALSE(way.find(place(-1, 0, 0), place(-0.0005, 0, 0)));
}

// Two balls of 0.1 m that pass at a distance d between centres overlap by 0.2 - d. All normals turn round.
TEST(PassageSearch, FindsBallsThatCutThroughEachOther) {
  Way way(Sphere{0.1}, Sphere{0.1});
  const std::optional<Passage> found = way.find(place(-0.5, 0.15, 0), place(0.5, 0.15, 0));
  ASSERT_TRUE(found);
  // Sampled every 0.05 m along the way: 0.025 m from the middle, hypot(0.15, 0.025) - 0.15 less deep at most.
  EXPECT_NEAR(found->depth, 0.05, std::hypot(0.15, 0.025) - 0.15);
  EXPECT_FALSE(way.find(place(-0.5, 0.2001, 0), place(0.5, 0.2001, 0)));
  // Up to a part of the size, half the diagonal of 0.1 * sqrt(3), where the normal turns by less than a right angle.
  const double allowed = part * 0.1 * std::sqrt(3.0);
  const auto cuts = [&](double depth) {
    return way.find(place(-0.19, 0.2 - depth, 0), place(0.19, 0.2 - depth, 0)).has_value();
  };
  EXPECT_TRUE(cuts(2 * allowed));
  EXPECT_FALSE(cuts(0.9 * allowed));
}

// Thin plates of 1 mm, face to face: they never overlap by more than 1 mm, which is less than `part` of their size.
TEST(PassageSearch, FindsThinPlatesThatGoThroughEachOther) {
  Way way(Box{Vec3(0.2, 0.2, 1e-3)}, Box{Vec3(0.2, 0.2, 1e-3)});
  EXPECT_TRUE(way.find(place(0.03, 0.02, 2e-3), place(0.03, 0.02, -3e-3)));
  EXPECT_TRUE(way.find(place(0.03, 0.02, 1e-3), place(0.03, 0.02, -1e-3)));  // touching before and after
  EXPECT_FALSE(way.find(place(0.21, 0.02, 2e-3), place(0.21, 0.02, -3e-3)));
  EXPECT_FALSE(way.find(place(0.03, 0.02, 2e-3), place(-0.03, 0.02, 1e-3)));
}

// A square tile that turns by half a right angle about a corner on a plate: its corners cut the plate on the chord of
// the turn by no more than theta^2 r / 8.
TEST(PassageSearch, LeavesBodiesThatRollOver) {
  Way way(Box{Vec3(2, 0.1, 2)}, Box{Vec3(0.1, 0.1, 0.1)});
  const double turn = std::acos(-1.0) / 4, arm = 0.1 * std::sqrt(0.5);
  EXPECT_FALSE(way.find(place(0, 0.1, 0), place(0.05 - arm * std::cos(3 * turn - turn), 0.05 + arm, 0, -turn)));
}

// A ball in a bore may go from one side to the other: nothing is between.
TEST(PassageSearch, NothingIsBetweenTheSidesOfABore) {
  Way way(HollowCylinder{0.11, Vec3::UnitZ()}, Sphere{0.1});
  EXPECT_FALSE(way.find(place(-0.01, 0, 0), place(0.01, 0, 0)));
}

// 0.4 m ahead, the far side of the other ball; and 0.15 m, still before it.
TEST(PassageSearch, LooksAheadByVelocities) {
  Way way(Sphere{0.1}, Sphere{0.1});
  const std::vector<Transform> start = {{}, {}, place(-0.3, 0.02, 0)};
  ContactFinder finder(way.model);
  const std::vector<Contact> contacts = finder.update(start, {0, 1}).contacts;
  PassageSearch search(way.model, part);
  const int moving[] = {2};
  search.begin(moving, start);
  std::vector<Vec6> V(3, Vec6::Zero());
  V[2] << 0, 0, 0, 20, 0, 0;
  const std::optional<Passage> found = search.find_ahead(V, 0.03, contacts);
  ASSERT_TRUE(found);
  // Touching where x^2 + 0.02^2 = 0.2^2, seen within a sixteenth of the way.
  const double touch = (0.3 - std::sqrt(0.2 * 0.2 - 0.02 * 0.02)) / 0.6;
  EXPECT_GT(found->part, touch);
  EXPECT_LE(found->part, touch + 1.0 / 16);
  EXPECT_FALSE(search.find_ahead(V, 0.0075, contacts));
}

}  // namespace
}  // namespace stiction
