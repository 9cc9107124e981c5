// Hulls and cells against solids whose measures are known.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"

namespace stiction {
namespace {

std::vector<Vec3> cube_corners(double half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) points.push_back(half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  return points;
}
std::string fault_of(const std::vector<Vec3>& points) {
  const auto made = make_polytope(points);
  const auto* fault = std::get_if<std::string>(&made);
  return fault ? *fault : "";
}
std::string fault_of(const std::vector<Quadric>& surfaces) {
  const auto made = make_cell(surfaces);
  const auto* fault = std::get_if<std::string>(&made);
  return fault ? *fault : "";
}

TEST(Polytope, of_a_cube_has_6_faces_12_edges_8_corners_whatever_its_size) {
  for (const double half : {1e-3, 1.0, 1e3}) {
    std::vector<Vec3> points = cube_corners(half);
    points.push_back(Vec3::Zero());                        // inside
    points.push_back(Vec3(half, 0.2 * half, 0.1 * half));  // on a face
    const Polytope cube = std::get<Polytope>(make_polytope(points));
    EXPECT_EQ(cube.faces.size(), 6u);
    EXPECT_EQ(cube.edges.size(), 12u);
    EXPECT_EQ(cube.vertices.size(), 8u);
    for (const PolytopeFace& face : cube.faces) {
      EXPECT_EQ(face.vertices.size(), 4u);
      EXPECT_NEAR(face.offset, half, 1e-15 * half);
    }
  }
}

TEST(Polytope, refuses_what_has_no_inside) {
  EXPECT_NE(fault_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("at least 4"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).find("plane"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).find("plane"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Vec3>(5, Vec3(1, 2, 3))).find("same"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}).find("point 4"),
            std::string::npos);
}

// Tetrahedron of unit legs: V = 1/6, centroid at 1/4, I_xx about it = 3/80 m with m = V (integrals of x^2: 1/60).
TEST(Polytope, tetrahedron_has_its_textbook_mass) {
  const Vec3 away(1e3, -2e3, 5e2);
  const Polytope t =
      std::get<Polytope>(make_polytope({away, away + Vec3::UnitX(), away + Vec3::UnitY(), away + Vec3::UnitZ()}));
  const MassProperties m = calc_mass_properties(t, 6);
  EXPECT_NEAR(m.mass, 1, 1e-11);
  EXPECT_LT((m.com - away - Vec3::Constant(0.25)).norm(), 1e-11);
  EXPECT_NEAR(m.inertia(0, 0), 6.0 * (2.0 / 60 - 2.0 / 96), 1e-11);
  EXPECT_NEAR(m.inertia(0, 1), -6.0 * (1.0 / 120 - 1.0 / 96), 1e-11);
}

TEST(Polytope, random_hulls_hold_their_points_and_obey_euler) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i)
      points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.1, 0.1));
    const Polytope hull = std::get<Polytope>(make_polytope(points));
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
    for (const Vec3& p : points) EXPECT_LE(calc_implicit(hull, p), 1e-12);
  }
}

// A cylinder, a box and an ellipsoid written as cells have the measures of the shapes (closed forms of shape.cpp).
TEST(Cell, has_the_mass_of_the_shape_it_spells_out) {
  const std::vector<Shape> shapes = {Cylinder{0.5, 1.5, Vec3(0.36, 0.48, 0.8)}, Box{Vec3(1, 2, 0.5)},
                                     Ellipsoid{Vec3(1, 0.5, 0.3)}, Sphere{2}};
  for (const Shape& shape : shapes) {
    const Cell cell = std::get<Cell>(make_cell(calc_constraints(shape)));
    const MassProperties m = calc_mass_properties(cell, 3), expected = calc_mass_properties(shape, 3);
    EXPECT_NEAR(m.mass, expected.mass, 1e-8 * expected.mass);
    EXPECT_LT((m.com - expected.com).norm(), 1e-8);
    EXPECT_LT((m.inertia - expected.inertia).norm(), 1e-7 * expected.inertia.norm());
    const Bounds box = calc_bounds(shape, {});
    EXPECT_LT((cell.lower - box.lower).norm() + (cell.upper - box.upper).norm(), 1e-12);
  }
}

// Block 0.6 x 0.4 x 0.2 less half a cylinder of radius 0.05 along it: V = 0.048 - 0.6 pi r^2/2.
TEST(Cell, with_a_groove_lacks_the_groove) {
  const Cell block = make_grooved_block();
  EXPECT_FALSE(block.convex);
  EXPECT_NEAR(calc_volume(block), 0.048 - 0.6 * M_PI * 0.0025 / 2, 1e-10);
  EXPECT_LT(calc_implicit(block, block.inside), 0);
}

// Spherical segment of height h = 0.8 of a unit ball: V = pi h^2 (3 - h)/3.
TEST(Cell, dome_has_the_volume_of_a_spherical_cap) {
  EXPECT_NEAR(calc_volume(make_dome()), M_PI * 0.64 * 2.2 / 3, 1e-9);
}

TEST(Cell, refuses_what_is_open_empty_or_no_surface) {
  EXPECT_NE(fault_of(std::vector<Quadric>{make_plane_quadric(Vec3::UnitZ(), 0)}).find("open"), std::string::npos);
  std::vector<Quadric> trough = make_box_planes(Vec3(1, 1, 1));
  trough.erase(trough.begin());
  EXPECT_NE(fault_of(trough).find("open"), std::string::npos);
  const Mat3 across = Mat3::Identity() - Vec3::UnitX() * Vec3::UnitX().transpose();
  EXPECT_NE(fault_of(std::vector<Quadric>{{across, Vec3::Zero(), -1}}).find("open"), std::string::npos);
  EXPECT_NE(
      fault_of(std::vector<Quadric>{{across, Vec3::Zero(), -1}, make_plane_quadric(Vec3::UnitX(), 1)}).find("open"),
      std::string::npos);
  std::vector<Quadric> apart = make_box_planes(Vec3(1, 1, 1));
  apart.push_back(make_plane_quadric(Vec3::UnitX(), -2));
  EXPECT_NE(fault_of(apart).find("empty"), std::string::npos);
  std::vector<Quadric> eaten = make_box_planes(Vec3(1, 1, 1));
  eaten.push_back(calc_complement({Mat3::Identity(), Vec3::Zero(), -9}));
  EXPECT_NE(fault_of(eaten).find("empty"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Quadric>{{Mat3::Zero(), Vec3::Zero(), -1}}).find("surface 1"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Quadric>{{Vec3(1, 1, -1).asDiagonal(), Vec3::Zero(), 0}}).find("neither"),
            std::string::npos);
  EXPECT_NE(fault_of(std::vector<Quadric>{{Mat3::Identity(), Vec3::Zero(), 1}}).find("no points"), std::string::npos);
  EXPECT_NE(fault_of(std::vector<Quadric>{{Mat3::Identity(), Vec3(std::nan(""), 0, 0), -1}}).find("not finite"),
            std::string::npos);
}

// Frustum: a cone less its tip (closed forms of full cones); torus: Pappus; superquadric: e = 1 is the ellipsoid.
TEST(MassOfShapes, frustum_torus_and_superquadric) {
  const Vec3 z = Vec3::UnitZ();
  const MassProperties whole = calc_mass_properties(Cone{2, 4, z, 0}, 1),
                       tip = calc_transformed(calc_mass_properties(Cone{1, 2, z, 0}, 1),
                                              {Mat3::Identity(), Vec3(0, 0, 2)});
  const MassProperties frustum = calc_mass_properties(Cone{2, 2, z, 1}, 1), sum = calc_sum(frustum, tip);
  EXPECT_NEAR(sum.mass, whole.mass, 1e-13 * whole.mass);
  EXPECT_LT((sum.com - whole.com).norm(), 1e-13);
  EXPECT_LT((sum.inertia - whole.inertia).norm(), 1e-12 * whole.inertia.norm());
  EXPECT_NEAR(calc_volume(Torus{2, 0.5, z}), M_PI * 0.25 * 2 * M_PI * 2, 1e-12);
  const Vec3 a(1, 0.5, 0.3);
  const MassProperties e = calc_mass_properties(Ellipsoid{a}, 1), s = calc_mass_properties(Superquadric{a, 1, 1}, 1);
  EXPECT_NEAR(s.mass, e.mass, 1e-13);
  EXPECT_LT((s.inertia - e.inertia).norm(), 1e-13);
  // A parametric ellipsoid by integration over directions.
  const MassProperties p = calc_mass_properties(Parametric{std::make_shared<EllipsoidPatch>(a)}, 1);
  EXPECT_NEAR(p.mass, e.mass, 1e-9 * e.mass);
  EXPECT_LT((p.inertia - e.inertia).norm(), 1e-8 * e.inertia.norm());
}

// A superquadric's moments against sums over a fine grid of a quarter (midpoint rule, error about 1e-4 of it).
TEST(MassOfShapes, superquadric_against_a_grid) {
  const Superquadric s{Vec3(1, 0.8, 0.6), 0.5, 1.4};
  const int n = 160;
  double volume = 0, xx = 0, zz = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vec3 x = s.semi_axes.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5)) / n;
        if (calc_implicit(s, x) > 0) continue;
        volume += 1, xx += x.x() * x.x(), zz += x.z() * x.z();
      }
    }
  }
  const double cell = 8 * s.semi_axes.prod() / n / n / n;
  const MassProperties m = calc_mass_properties(s, 1);
  EXPECT_NEAR(m.mass, volume * cell, 2e-3 * m.mass);
  EXPECT_NEAR(0.5 * (m.inertia(1, 1) + m.inertia(2, 2) - m.inertia(0, 0)), xx * cell, 4e-3 * xx * cell);
  EXPECT_NEAR(0.5 * (m.inertia(0, 0) + m.inertia(1, 1) - m.inertia(2, 2)), zz * cell, 4e-3 * zz * cell);
}

}  // namespace
}  // namespace stiction
