#include <gtest/gtest.h>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/mass_properties.h"

#include "volume_tools.h"

namespace stiction {
namespace {

using std::numbers::pi;

InterferenceRegion on_ground(const Shape& shape, const Transform& X) {
  return calc_interference(shape, X, HalfSpace{}, {});
}

TEST(VolumeClosedForm, SphereCapOfEveryHeight) {
  // V = pi h^2 (3R - h)/3; centroid 3 (2R - h)^2 / (4 (3R - h)) from the centre; patch pi h (2R - h).
  const double R = 0.7;
  for (double h : {1e-9, 1e-4, 0.1, 0.7, 1.2, 1.4 - 1e-6}) {
    // The height as the pose carries it: R - z is exact to rounding only.
    const double z = R - h, depth = R - z;
    const InterferenceRegion region = on_ground(Sphere{R}, at(0.3, -0.2, z));
    EXPECT_EQ(region.method, RegionMethod::closed_form);
    EXPECT_NEAR(region.volume / (pi * depth * depth * (3 * R - depth) / 3), 1, 1e-12 + 1e-15 * R / h) << h;
    const double from_centre = 3 * (2 * R - depth) * (2 * R - depth) / (4 * (3 * R - depth));
    EXPECT_NEAR(region.centroid.z(), z - from_centre, 2e-15);
    EXPECT_NEAR(region.centroid.x(), 0.3, 1e-15);
    // The half-space is B: moving it up makes the volume grow by the patch.
    EXPECT_NEAR(region.dV_dx.z() / (pi * depth * (2 * R - depth)), 1, 1e-12 + 1e-15 * R / std::min(h, 2 * R - h));
  }
}

TEST(VolumeClosedForm, WholeBodiesHaveTheirMassProperties) {
  Random random(1);
  const std::vector<Shape> shapes = {Sphere{0.5},
                                     Ellipsoid{Vec3(0.3, 0.5, 0.9)},
                                     Box{Vec3(0.5, 0.6, 1.1)},
                                     Cylinder{0.4, 0.9, Vec3(0.6, 0, 0.8)},
                                     Capsule{0.3, 0.8, Vec3(0, 0.6, 0.8)},
                                     Cone{0.5, 0.9, Vec3(0.6, 0.8, 0)},
                                     Cone{0.5, 0.9, Vec3::UnitX(), 0.2},
                                     Torus{0.6, 0.25, Vec3(0.6, 0.8, 0)}};
  for (const Shape& shape : shapes) {
    const Transform X = turned(make_random_vector(random, 2), Vec3(5, -7, -20));
    const MassProperties mass = calc_transformed(calc_mass_properties(shape, 1), X);
    const InterferenceRegion region = on_ground(shape, X);
    EXPECT_NEAR(region.volume / mass.mass, 1, 1e-13) << shape.index();
    EXPECT_LT((region.centroid - mass.com).norm(), 1e-13 * 20) << shape.index();
    EXPECT_LT((region.inertia - mass.inertia).norm() / mass.inertia.norm(), 1e-12) << shape.index();
    EXPECT_LT(region.dV_dx.norm(), 1e-12) << shape.index();
  }
}

TEST(VolumeClosedForm, TorusOnThePlane) {
  // Pappus: lying, the segment of the tube below the plane times 2 pi R. Tilted by so little that the ring stays cut
  // all around it is the same in first order.
  const double R = 0.6, r = 0.25;
  for (const double depth : {1e-6, 1e-3, 0.1, 0.25, 0.4}) {
    const double height = r - depth, wide = std::sqrt((r - height) * (r + height)),
                 half_angle = std::atan2(wide, height);
    const double volume = 2 * pi * R * r * r * (half_angle - 0.5 * std::sin(2 * half_angle));
    for (const double tilt : {0.0, 1e-12, 1e-9}) {
      const InterferenceRegion region = on_ground(Torus{R, r}, turned(Vec3(tilt, 0, 0), Vec3(0, 0, height)));
      EXPECT_EQ(region.method, RegionMethod::closed_form);
      // Rounding of the height, 1e-16, is a share of the depth; a tilt changes it by R tilt.
      EXPECT_NEAR(region.volume / volume, 1, 1e-9 + std::pow(R * tilt / depth, 2)) << depth << " " << tilt;
      EXPECT_NEAR(region.dV_dx.z() / (4 * pi * R * wide), 1, 1e-9 + std::pow(R * tilt / depth, 2)) << depth;
    }
  }
  // Any plane: as the integral of chords against a box, one face of which is the plane.
  Random random(5);
  for (int i = 0; i < 12; ++i) {
    const Transform X = turned(make_random_vector(random, 2), Vec3(0, 0, random.uniform(-0.5, 0.5)));
    const Torus torus{R, r};
    const InterferenceRegion exact = on_ground(torus, X), sum = calc(torus, X, Box{Vec3(4, 4, 4)}, at(0, 0, -2), 1e-6);
    EXPECT_NEAR(exact.volume / sum.volume, 1, 2e-6) << i;
    EXPECT_LT((exact.centroid - sum.centroid).norm(), 2e-6) << i;
    EXPECT_LT((exact.inertia - sum.inertia).norm(), 1e-5 * sum.inertia.norm()) << i;
    EXPECT_LT((exact.dV_dx - sum.dV_dx).norm(), 1e-4 * sum.dV_dx.norm()) << i;
  }
}

TEST(VolumeClosedForm, TwoSpheres) {
  // pi (R + r - d)^2 (d^2 + 2 d (R + r) - 3 (R - r)^2) / (12 d)   (Weisstein, Sphere-Sphere Intersection)
  const double R = 0.8, r = 0.5;
  for (double d : {0.31, 0.6, 0.9, 1.2, 1.2999}) {
    const double exact = pi * (R + r - d) * (R + r - d) * (d * d + 2 * d * (R + r) - 3 * (R - r) * (R - r)) / (12 * d);
    const Vec3 n = Vec3(1, 2, -2) / 3;
    const InterferenceRegion region =
        calc_interference(Sphere{R}, at(1, 1, 1), Sphere{r}, {Mat3::Identity(), Vec3::Ones() + d * n});
    EXPECT_NEAR(region.volume / exact, 1, 1e-12) << d;
    // Square of the rim's radius.
    const double x = (d * d + R * R - r * r) / (2 * d);
    EXPECT_LT((region.dV_dx + pi * (R * R - x * x) * n).norm(), 1e-13);
    EXPECT_LT(region.dV_dr.norm(), 1e-14);
  }
  EXPECT_EQ(calc_interference(Sphere{1}, {}, Sphere{1}, at(2.0, 0, 0)).volume, 0);
  EXPECT_NEAR(calc_interference(Sphere{1}, {}, Sphere{0.25}, at(0.5, 0, 0)).volume, 4.0 / 3 * pi / 64, 1e-16);
}

TEST(VolumeClosedForm, EllipsoidIsAStretchedCap) {
  // Standing ellipsoid, cap of relative height k of its half axis c: V = pi a b c k^2 (3 - k)/3.
  for (double k : {1e-3, 0.4, 1.0, 1.9}) {
    const Vec3 s(0.3, 0.5, 0.9);
    const InterferenceRegion region = on_ground(Ellipsoid{s}, at(0, 0, s.z() * (1 - k)));
    EXPECT_NEAR(region.volume / (pi * s.prod() * k * k * (3 - k) / 3), 1, 1e-12);
  }
}

/// A cylinder cut by s x + c z <= d: int 2 sqrt(R^2 - x^2) times the height under the plane, kinks as breaks.
double calc_cut_cylinder(double R, double l, double s, double c, double d) {
  const auto height = [&](double x) { return std::clamp((d - s * x) / c + l / 2, 0.0, l); };
  std::vector<double> breaks = {-R};
  for (double kink : {(d - c * l / 2) / s, (d + c * l / 2) / s})
    if (kink > -R && kink < R) breaks.push_back(kink);
  breaks.push_back(R);
  return integrate([&](double x) { return 2 * std::sqrt(std::max(0.0, R * R - x * x)) * height(x); }, breaks);
}

TEST(VolumeClosedForm, CylinderStandingTiltingLying) {
  const double R = 0.4, l = 1.1;
  for (double tilt : {1e-12, 1e-6, 0.01, 0.3, 0.8, 1.2, 1.5})
    for (double d : {-0.5, -0.3, -0.1, 0.0, 0.2, 0.45}) {
      const double s = std::sin(tilt), c = std::cos(tilt), exact = calc_cut_cylinder(R, l, s, c, d);
      const InterferenceRegion region = calc_interference(Cylinder{R, l}, {}, HalfSpace{Vec3(s, 0, c), d}, {});
      if (exact < 1e-12) continue;
      EXPECT_NEAR(region.volume / exact, 1, 1e-12) << tilt << " " << d;
    }
  // Standing: a slice of the cylinder; lying: circular segment times length.
  EXPECT_NEAR(on_ground(Cylinder{R, l}, at(0, 0, 0.5)).volume / (pi * R * R * 0.05), 1, 2e-14);
  const double h = 0.01, segment = R * R * std::acos(1 - h / R) - (R - h) * std::sqrt(2 * R * h - h * h);
  const InterferenceRegion lying = on_ground(Cylinder{R, l, Vec3::UnitX()}, at(0, 0, R - h));
  EXPECT_NEAR(lying.volume / (segment * l), 1, 1e-12);
  EXPECT_NEAR(lying.dV_dx.z() / (2 * std::sqrt(2 * R * h - h * h) * l), 1, 1e-12);
}

TEST(VolumeClosedForm, CapsuleAgreesWithItsParts) {
  const double R = 0.4, l = 1.1;
  // By symmetry a plane through the centre halves it, at any tilt.
  for (double tilt : {0.0, 1e-9, 0.3, 1.2, pi / 2})
    EXPECT_NEAR(
        on_ground(Capsule{R, l}, {make_rotation_x(tilt), Vec3::Zero()}).volume / (pi * R * R * (l + 4 * R / 3) / 2), 1,
        1e-13);
  // Lying: segment times length and a spherical cap (two halves). Standing: a cap.
  const double h = 0.02, segment = R * R * std::acos(1 - h / R) - (R - h) * std::sqrt(2 * R * h - h * h);
  const double cap = pi * h * h * (3 * R - h) / 3;
  EXPECT_NEAR(on_ground(Capsule{R, l, Vec3::UnitX()}, at(0, 0, R - h)).volume / (segment * l + cap), 1, 1e-12);
  EXPECT_NEAR(on_ground(Capsule{R, l}, at(0, 0, l / 2 + R - h)).volume / cap, 1, 1e-12);
  // Tilted: sections z = const integrated here, by plain segments.
  const double tilt = 0.5, s = std::sin(tilt), c = std::cos(tilt), d = -0.35;
  const auto radius = [&](double z) {
    return std::sqrt(std::max(0.0, R * R - std::pow(std::max(0.0, std::abs(z) - l / 2), 2)));
  };
  const auto area = [&](double z) {
    const double r = radius(z), x = std::clamp((d - c * z) / s, -r, r);
    return r == 0
               ? 0
               : r * r * (pi - std::acos(std::clamp(x / r, -1.0, 1.0))) + x * std::sqrt(std::max(0.0, r * r - x * x));
  };
  std::vector<double> breaks = {-l / 2 - R, -l / 2, (d - s * R) / c, (d + s * R) / c, l / 2, l / 2 + R};
  // Where the plane touches the lower ball's sections.
  const double D = d + c * l / 2;
  for (double sign : {-1.0, 1.0})
    if (std::abs(D) < R) breaks.push_back(-l / 2 + c * D + sign * s * std::sqrt(R * R - D * D));
  std::sort(breaks.begin(), breaks.end());
  const InterferenceRegion region = calc_interference(Capsule{R, l}, {}, HalfSpace{Vec3(s, 0, c), d}, {});
  EXPECT_NEAR(region.volume / integrate(area, breaks), 1, 1e-10);
}

TEST(VolumeClosedForm, MomentsAgreeWithIntegrationByChords) {
  // A half-space and a large block with one face in its plane leave the same region; the block as a cell goes by
  // chords, and a sphere on the face of a box has a closed form of its own.
  const Shape box = Box{Vec3(4, 4, 4)}, block = std::get<Cell>(make_cell(calc_constraints(box)));
  Random random(3);
  RegionOptions options;
  options.accuracy = 1e-12;
  const std::vector<Shape> shapes = {Sphere{0.5}, Ellipsoid{Vec3(0.3, 0.5, 0.9)}, Cylinder{0.4, 0.9, Vec3(0.6, 0, 0.8)},
                                     Capsule{0.3, 0.8, Vec3(0, 0.6, 0.8)}, Cone{0.5, 0.9, Vec3(0.6, 0.8, 0)}};
  for (const Shape& shape : shapes)
    for (int pose = 0; pose < 3; ++pose) {
      const Transform X = turned(make_random_vector(random, 2), make_random_vector(random, 0.2));
      const InterferenceRegion exact = on_ground(shape, X);
      const InterferenceRegion chords = calc_interference(shape, X, block, at(0, 0, -2), options);
      EXPECT_EQ(chords.method, RegionMethod::chords);
      EXPECT_LT(calc_distance(exact, chords), 1e-9) << shape.index();
      const InterferenceRegion on_box = calc_interference(shape, X, box, at(0, 0, -2), options);
      EXPECT_LT(calc_distance(exact, on_box), 1e-9) << shape.index();
      EXPECT_LT((exact.dV_dx - on_box.dV_dx).norm(), 1e-8);
      EXPECT_LT((exact.dV_dx - chords.dV_dx).norm(), 1e-8);
      EXPECT_LT((exact.dV_dr - chords.dV_dr).norm(), 1e-8);
    }
}

TEST(VolumeClosedForm, TwoUnboundedShapesHaveNoRegion) {
  for (const Shape& other : {Shape(HalfSpace{}), Shape(HollowSphere{1}), Shape(HollowCylinder{1})}) {
    const InterferenceRegion region = calc_interference(HollowSphere{1}, {}, other, {});
    EXPECT_EQ(region.volume, 0);
    EXPECT_FALSE(region.converged);
    EXPECT_EQ(region.method, RegionMethod::none);
  }
}

}  // namespace
}  // namespace stiction
