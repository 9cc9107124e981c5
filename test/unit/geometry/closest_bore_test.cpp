// Contact points that can close within a step: a peg in a bore by hand and by the general search; both ends of rods.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/cell.h"

namespace stiction {
namespace {

constexpr double bore_radius = 0.0101, peg_radius = 0.01, peg_length = 0.05;

/// A block of `height` with a bore along z.
Shape make_bored_block(double height) {
  std::vector<Quadric> surfaces = {
      make_plane_quadric(Vec3::UnitX(), 0.03),         make_plane_quadric(-Vec3::UnitX(), 0.03),
      make_plane_quadric(Vec3::UnitY(), 0.03),         make_plane_quadric(-Vec3::UnitY(), 0.03),
      make_plane_quadric(Vec3::UnitZ(), 0.5 * height), make_plane_quadric(-Vec3::UnitZ(), 0.5 * height),
  };
  surfaces.push_back(
      calc_complement({Vec3(1, 1, 0).asDiagonal().toDenseMatrix(), Vec3::Zero(), -bore_radius * bore_radius}));
  return std::get<Cell>(make_cell(surfaces));
}

std::vector<ContactPoint> find_contacts(const Shape& A, const Shape& B, const Transform& X, double margin) {
  std::vector<ContactPoint> points;
  calc_contact_points(A, {}, B, X, margin, points);
  return points;
}

Transform make_tilted(double about_y) {
  return {Mat3(Eigen::AngleAxisd(about_y, Vec3::UnitY()).toRotationMatrix()), Vec3::Zero()};
}

// By hand, in the plane of the tilt: in a long bore the rims are the farthest out, L/2 sin + r cos from its axis; in a
// short one its edges, at H/2, are R cos - H/2 sin from the axis of the peg. Two places, opposite, alike.
TEST(BoreContacts, OfATiltedPegByHand) {
  const Shape peg = Cylinder{peg_radius, peg_length};
  for (const double height : {0.08, 0.03}) {
    const Shape block = make_bored_block(height);
    for (const double tilt : {1e-9, 1e-4, 2e-3, 3.9e-3}) {
      const double by_rims = bore_radius - 0.5 * peg_length * std::sin(tilt) - peg_radius * std::cos(tilt);
      const double by_edges = bore_radius * std::cos(tilt) - 0.5 * height * std::sin(tilt) - peg_radius;
      const double expected = height > peg_length ? by_rims : by_edges;
      const std::vector<ContactPoint> points = find_contacts(block, peg, make_tilted(tilt), 1e-3);
      std::vector<ContactPoint> nearest;
      for (const ContactPoint& p : points) {
        if (p.gap < expected + 1e-12) nearest.push_back(p);
        EXPECT_NEAR((p.point_b - p.point_a).dot(p.normal), p.gap, 1e-15);
        EXPECT_NEAR((p.point_b - p.point_a).norm(), std::abs(p.gap), 1e-15);
      }
      if (tilt < 1e-6) continue;  // then all are
      ASSERT_EQ(nearest.size(), 2u) << height << " " << tilt;
      EXPECT_NEAR(nearest[0].gap, expected, 1e-15);
      EXPECT_NEAR(nearest[1].gap, expected, 1e-15);
      // Upper end on the side to which it leans, lower end opposite
      EXPECT_LT(nearest[0].normal.dot(nearest[1].normal), -0.99);
      EXPECT_LT(nearest[0].point_a.z() * nearest[1].point_a.z(), 0);
    }
  }
}

// The nearest of them is the closest point of the general search, which knows nothing of bores.
TEST(BoreContacts, TheNearestIsTheClosest) {
  Random random(7);
  for (const double height : {0.08, 0.03}) {
    const Shape block = make_bored_block(height);
    for (const Shape& peg : {Shape(Cylinder{peg_radius, peg_length}), Shape(Capsule{peg_radius, peg_length})}) {
      int compared = 0;
      for (int k = 0; k < 12; ++k) {
        const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), 0);
        const Transform X{Mat3(Eigen::AngleAxisd(random.uniform(0, 4e-3), axis.normalized()).toRotationMatrix()),
                          Vec3(random.uniform(-5e-5, 5e-5), random.uniform(-5e-5, 5e-5), random.uniform(-2e-3, 2e-3))};
        const std::vector<ContactPoint> points = find_contacts(block, peg, X, 1e-3);
        ASSERT_FALSE(points.empty());
        const auto nearest =
            std::min_element(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
        const ClosestPoints closest = calc_closest(block, {}, peg, X);
        if (!closest.certified) continue;
        ++compared;
        EXPECT_NEAR(nearest->gap, closest.gap, 1e-12) << k;
      }
      EXPECT_GE(compared, 8);
    }
  }
}

// A and B swapped: the same points.
TEST(BoreContacts, SwappedAreTheSame) {
  const Shape peg = Cylinder{peg_radius, peg_length}, block = make_bored_block(0.03);
  std::vector<ContactPoint> one, other;
  calc_contact_points(block, {}, peg, make_tilted(2e-3), 1e-3, one);
  calc_contact_points(peg, make_tilted(2e-3), block, {}, 1e-3, other);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].point_a, other[i].point_b);
    EXPECT_EQ(one[i].normal, -other[i].normal);
    EXPECT_EQ(one[i].id, other[i].id);
  }
}

// Both ends of a rod are offered however steep it is, and all corners of a box, as far as the margin reaches.
TEST(ContactPoints, OffersWhatATurnMayBringDown) {
  const Shape plane = HalfSpace{}, table = Box{Vec3(3, 3, 1)};
  for (const Shape& rod : {Shape(Capsule{0.1, 1, Vec3::UnitX()}), Shape(Cylinder{0.1, 1, Vec3::UnitX()})}) {
    for (const double angle : {0.0, 0.1, 0.5, 1.2}) {
      const Transform X{make_tilted(angle).R, Vec3(0, 0, 1)};
      for (const double margin : {0.6, 2.0}) {
        const std::vector<ContactPoint> on_plane = find_contacts(plane, rod, X, margin);
        const double upper = 1 + 0.5 * std::sin(angle);  // of the axis' end; its lowest point is 0.1 or less below
        const bool both = upper < margin;
        if (std::abs(upper - margin) > 0.11) {
          EXPECT_EQ(on_plane.size(), both ? 2u : (upper - std::sin(angle) < margin + 0.05 ? 1u : 0u)) << angle;
        }
      }
      Transform X_table = X;
      X_table.p.z() += 0.5;
      EXPECT_EQ(find_contacts(table, rod, X_table, 2.0).size(), 2u) << angle;
    }
  }
  const Transform X{make_tilted(0.3).R, Vec3(0, 0, 1)};
  EXPECT_EQ(find_contacts(plane, Box{Vec3(1, 1, 1)}, X, 3.0).size(), 8u);
}

}  // namespace
}  // namespace stiction
