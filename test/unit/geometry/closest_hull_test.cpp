#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"
#include "test/unit/geometry/closest_pairs.h"

namespace stiction {
namespace {

using namespace test;

// Boxes and polytopes against an enumeration in long double that shares nothing with the library but the corners,
// faces and edges of a polytope: every corner against every face, every edge against every edge.

using Wide = Eigen::Matrix<long double, 3, 1>;

struct WideHull {
  std::vector<Wide> corners;
  std::vector<std::pair<int, int>> edges;
  std::vector<std::vector<int>> faces;  ///< counter-clockwise
};
WideHull make_wide(const Shape& shape, const Transform& X) {
  const auto* box = std::get_if<Box>(&shape);
  const Polytope hull = box ? make_box_polytope(box->size) : std::get<Polytope>(shape);
  WideHull wide;
  for (const Vec3& v : hull.vertices)
    wide.corners.push_back(X.R.cast<long double>() * v.cast<long double>() + X.p.cast<long double>());
  for (const PolytopeEdge& e : hull.edges) wide.edges.push_back({e.start, e.end});
  for (const PolytopeFace& f : hull.faces) wide.faces.push_back(f.vertices);
  return wide;
}
/// The normal of a face by Newell's sum over its corners.
Wide calc_face_normal(const WideHull& hull, const std::vector<int>& face) {
  Wide sum = Wide::Zero();
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Wide p = hull.corners[static_cast<std::size_t>(face[i])] - hull.corners[static_cast<std::size_t>(face[0])];
    const Wide q = hull.corners[static_cast<std::size_t>(face[(i + 1) % face.size()])] -
                   hull.corners[static_cast<std::size_t>(face[0])];
    sum += p.cross(q);
  }
  return sum.normalized();
}
long double calc_distance_along(const WideHull& a, const WideHull& b, const Wide& n) {
  long double top = -1e300L, bottom = 1e300L;
  for (const Wide& v : a.corners) top = std::max(top, n.dot(v));
  for (const Wide& v : b.corners) bottom = std::min(bottom, n.dot(v));
  return bottom - top;
}
/// Largest distance along normals of faces and across pairs of edges: the signed gap in overlap.
long double calc_overlap(const WideHull& a, const WideHull& b) {
  long double gap = -1e300L;
  for (const auto& face : a.faces) gap = std::max(gap, calc_distance_along(a, b, calc_face_normal(a, face)));
  for (const auto& face : b.faces) gap = std::max(gap, calc_distance_along(a, b, -calc_face_normal(b, face)));
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges) {
      const Wide e = (a.corners[static_cast<std::size_t>(j)] - a.corners[static_cast<std::size_t>(i)]).normalized();
      const Wide f = (b.corners[static_cast<std::size_t>(l)] - b.corners[static_cast<std::size_t>(k)]).normalized();
      const Wide n = e.cross(f);
      if (!(n.norm() > 1e-17L)) continue;
      gap = std::max({gap, calc_distance_along(a, b, n.normalized()), calc_distance_along(a, b, -n.normalized())});
    }
  return gap;
}
long double calc_segment_distance(const Wide& p, const Wide& e, const Wide& q, const Wide& f) {
  const auto clamp = [](long double t) { return std::min(1.0L, std::max(0.0L, t)); };
  const auto to_first = [&](long double t) {
    const Wide y = q + t * f;
    return (p + clamp((y - p).dot(e) / e.squaredNorm()) * e - y).norm();
  };
  const auto to_second = [&](long double s) {
    const Wide x = p + s * e;
    return (q + clamp((x - q).dot(f) / f.squaredNorm()) * f - x).norm();
  };
  long double best = std::min({to_first(0), to_first(1), to_second(0), to_second(1)});
  const long double ee = e.squaredNorm(), ff = f.squaredNorm(), ef = e.dot(f), det = ee * ff - ef * ef;
  if (det > 0) best = std::min(best, to_second(clamp(((q - p).dot(e) * ff - (q - p).dot(f) * ef) / det)));
  return best;
}
long double calc_corner_distance(const WideHull& a, const WideHull& b) {
  long double best = 1e300L;
  for (const auto& face : a.faces) {
    const Wide n = calc_face_normal(a, face);
    for (const Wide& v : b.corners) {
      bool over = true;
      for (std::size_t i = 0; i < face.size(); ++i) {
        const Wide p = a.corners[static_cast<std::size_t>(face[i])];
        const Wide q = a.corners[static_cast<std::size_t>(face[(i + 1) % face.size()])];
        over = over && (q - p).cross(n).dot(v - p) <= 0;
      }
      const long double height = n.dot(v - a.corners[static_cast<std::size_t>(face[0])]);
      if (over && height > 0) best = std::min(best, height);
    }
  }
  return best;
}
long double calc_gap_by_enumeration(const WideHull& a, const WideHull& b) {
  const long double overlap = calc_overlap(a, b);
  if (overlap <= 0) return overlap;
  long double best = std::min(calc_corner_distance(a, b), calc_corner_distance(b, a));
  for (const auto& [i, j] : a.edges)
    for (const auto& [k, l] : b.edges) {
      const Wide &p = a.corners[static_cast<std::size_t>(i)], &q = b.corners[static_cast<std::size_t>(k)];
      best = std::min(best, calc_segment_distance(p, a.corners[static_cast<std::size_t>(j)] - p, q,
                                                  b.corners[static_cast<std::size_t>(l)] - q));
    }
  return best;
}

Shape make_hull(Random& random, int kind) {
  if (kind == 0) return Box{Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1))};
  std::vector<Vec3> points;
  if (kind == 1) {
    // A wedge, as arches are built of.
    for (double x : {-0.3, 0.3})
      for (double y : {-0.2, 0.2})
        for (double z : {-0.25, 0.25}) points.emplace_back(x * (1 + 0.5 * z), y, z);
  } else {
    for (int i = 0; i < 14; ++i) points.push_back(0.4 * make_direction(random));
  }
  return std::get<Polytope>(make_polytope(points));
}
void expect_gap(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB, const std::string& what) {
  const double size = calc_size(A) + calc_size(B);
  const ClosestPoints c = calc_closest(A, X_WA, B, X_WB), swapped = calc_closest(B, X_WB, A, X_WA);
  ASSERT_TRUE(c.certified && swapped.certified) << what << ": residual " << c.residual << " " << swapped.residual;
  // Rotation matrices are orthogonal to a few rounding units; each gap is a sum of products with them.
  const double expected = static_cast<double>(calc_gap_by_enumeration(make_wide(A, X_WA), make_wide(B, X_WB)));
  EXPECT_NEAR(c.gap, expected, 1e-13 * size) << what;
  EXPECT_NEAR(swapped.gap, expected, 1e-13 * size) << what;
  // The memory of a pair changes nothing.
  ClosestCache cache{Vec3(0.6, 0, 0.8)};
  const ClosestPoints warm = calc_closest(A, X_WA, B, X_WB, &cache);
  EXPECT_TRUE(warm.gap == c.gap && warm.point_a == c.point_a && warm.normal == c.normal) << what;
}

TEST(ClosestHull, AgreesWithEnumerationAtRandomPoses) {
  Random random(31);
  for (int i = 0; i < 600; ++i) {
    const Shape A = make_hull(random, i % 3), B = make_hull(random, i / 3 % 3);
    const Transform X_WA = make_pose(random, 0.3), X_WB = make_pose(random, random.uniform(0, 1.5));
    expect_gap(A, X_WA, B, X_WB, "random pair " + std::to_string(i));
    // The same pair at touching, and a little to either side of it.
    const ClosestPoints c = calc_closest(A, X_WA, B, X_WB);
    const double gap = i % 5 == 0 ? 0 : (i % 2 ? 1 : -1) * std::pow(10.0, random.uniform(-15, -3));
    expect_gap(A, X_WA, B, {X_WB.R, X_WB.p + (gap - c.gap) * c.normal}, "grazing pair " + std::to_string(i));
  }
}

struct Tilted {
  Shape A, B;
  Transform X_WB;
  Vec3 axis;
  double gap;
};
/// B stands on A, somewhere, often over an edge or flush with it; turned about the vertical by a right angle, a little
/// or anyhow.
Tilted make_tilted(Random& random, int i) {
  Tilted t{make_hull(random, i % 2), make_hull(random, i / 2 % 2), {}, make_direction(random), 0};
  const auto half_height = [](const Shape& s) { return calc_bounds(s, {}).upper.z(); };
  const Vec3 reach = calc_bounds(t.A, {}).upper + calc_bounds(t.B, {}).upper;
  const double turns[] = {0, M_PI / 2, 1e-9, random.uniform(-3, 3)}, places[] = {0, 0.5, random.uniform(-0.9, 0.9)};
  t.gap = std::vector<double>{0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-3, -1e-3}[static_cast<std::size_t>(random.index(7))];
  t.X_WB.R = Eigen::AngleAxisd(turns[random.index(4)], Vec3::UnitZ()).toRotationMatrix();
  t.X_WB.p = {places[random.index(3)] * reach.x(), places[random.index(3)] * reach.y(),
              half_height(t.A) + half_height(t.B) + t.gap};
  return t;
}
Transform calc_turned(const Transform& X, double angle, const Vec3& axis) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix() * X.R, X.p};
}

TEST(ClosestHull, AgreesWithEnumerationAtTinyTilts) {
  Random random(32);
  for (int i = 0; i < 120; ++i) {
    const Tilted t = make_tilted(random, i);
    for (double tilt : {0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3})
      expect_gap(t.A, {}, t.B, calc_turned(t.X_WB, tilt, t.axis),
                 "pair " + std::to_string(i) + " tilted by " + std::to_string(tilt * 1e12) + "e-12");
  }
}

// As B turns about its centre every point of it moves by at most the angle times its radius, and with it the gap.
TEST(ClosestHull, GapsAreContinuousOverTilt) {
  Random random(33);
  for (int i = 0; i < 60; ++i) {
    const Tilted t = make_tilted(random, i);
    const double radius = calc_size(t.B), flat = calc_closest(t.A, {}, t.B, t.X_WB).gap;
    for (int k = -60; k <= 60; ++k) {
      const double tilt = k == 0 ? 0 : std::copysign(std::pow(10.0, -17 + 0.25 * std::abs(k)), k);
      const double gap = calc_closest(t.A, {}, t.B, calc_turned(t.X_WB, tilt, t.axis)).gap;
      EXPECT_NEAR(gap, flat, std::abs(tilt) * radius * 1.001 + 1e-14) << i << " tilted by " << tilt;
    }
  }
}

/// Corners of the part of the plane that two rectangles have in common, each given by its corners in order.
std::vector<Vec3> calc_common_corners(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> found;
  const auto inside = [](const std::vector<Vec3>& r, const Vec3& x) {
    bool in = true;
    for (std::size_t i = 0; i < 4; ++i) in = in && (r[(i + 1) % 4] - r[i]).cross(Vec3::UnitZ()).dot(x - r[i]) <= 1e-12;
    return in;
  };
  for (const Vec3& x : a)
    if (inside(b, x)) found.push_back(x);
  for (const Vec3& x : b)
    if (inside(a, x)) found.push_back(x);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const Vec3 e = a[(i + 1) % 4] - a[i], f = b[(j + 1) % 4] - b[j], d = b[j] - a[i];
      const double det = e.cross(f).z();
      if (std::abs(det) < 1e-9) continue;
      const double s = d.cross(f).z() / det, u = d.cross(e).z() / det;
      if (s > 0 && s < 1 && u > 0 && u < 1) found.push_back(a[i] + s * e);
    }
  return found;
}
std::vector<Vec3> calc_rectangle(const Vec3& size, const Transform& X) {
  std::vector<Vec3> corners;
  for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
    const Vec3 corner = X * Vec3(0.5 * x * size.x(), 0.5 * y * size.y(), 0);
    corners.emplace_back(corner.x(), corner.y(), 0);
  }
  return corners;
}

// A box on a box offers the corners of their common rectangle or polygon, at any tilt within the margin the same ones,
// and each with its own height above the plane of A's face.
TEST(ClosestHull, ContactPointsAreTheCornersOfTheCommonFace) {
  Random random(34);
  for (int i = 0; i < 200; ++i) {
    const Box A{Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), 0.2)}, B{Vec3(random.uniform(0.1, 1), 0.3, 0.4)};
    const Transform X_WB =
        calc_turned({Mat3::Identity(), Vec3(random.uniform(-0.3, 0.3), random.uniform(-0.15, 0.15), 0.3 + 1e-7)},
                    M_PI / 2 * random.index(4) + random.uniform(0.1, 1.47), Vec3::UnitZ());
    const std::vector<Vec3> expected = calc_common_corners(calc_rectangle(A.size, {}), calc_rectangle(B.size, X_WB));
    const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0).normalized();
    for (double tilt : {0.0, 1e-15, -1e-12, 1e-9, -1e-7, 1e-5}) {
      std::vector<ContactPoint> points;
      calc_contact_points(A, {}, B, calc_turned(X_WB, tilt, axis), 1e-4, points);
      double lowest = 1;
      for (const ContactPoint& p : points) {
        EXPECT_TRUE(p.certified);
        EXPECT_NEAR(p.gap, p.normal.dot(p.point_b - p.point_a), 1e-15);
        EXPECT_LT((p.point_b - p.point_a - p.gap * p.normal).norm(), 1e-15);
        lowest = std::min(lowest, p.gap);
      }
      const double gap = calc_closest(A, {}, B, calc_turned(X_WB, tilt, axis)).gap;
      EXPECT_TRUE(expected.empty() || std::abs(lowest - gap) < 1e-9) << i << " tilted by " << tilt;
      // Corners nearer to each other than 1e-7 of the size count once.
      ASSERT_EQ(points.size(), expected.size()) << i << " tilted by " << tilt;
      for (const Vec3& corner : expected) {
        double nearest = 1;
        for (const ContactPoint& p : points) nearest = std::min(nearest, (p.point_b - corner).head<2>().norm());
        // B's face shifts by up to 0.2 m times the tilt, a crossing of sides at 0.1 rad by ten times that.
        EXPECT_LT(nearest, 1e-6 + 5 * std::abs(tilt)) << i << " tilted by " << tilt;
      }
    }
  }
}

// Two boxes beyond the margin have no contact points, whatever their place.
TEST(ClosestHull, MarginDecidesLikeTheGap) {
  Random random(35);
  for (int i = 0; i < 500; ++i) {
    const Shape A = make_hull(random, i % 3), B = make_hull(random, i / 3 % 3);
    const Transform X_WB = make_pose(random, random.uniform(0, 1.5));
    const double gap = calc_closest(A, {}, B, X_WB).gap;
    std::vector<ContactPoint> points;
    calc_contact_points(A, {}, B, X_WB, gap + 1e-9, points);
    EXPECT_FALSE(points.empty()) << i;
    points.clear();
    calc_contact_points(A, {}, B, X_WB, gap - 1e-9, points);
    EXPECT_TRUE(points.empty()) << i;
  }
}

}  // namespace
}  // namespace stiction
