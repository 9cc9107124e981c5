#include "stiction/geometry/shape/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "stiction/base/random.h"

namespace stiction {
namespace {

using std::numbers::pi;

/// Five-point Gauss-Legendre rule on [-1, 1] (Abramowitz and Stegun, table 25.4): exact to degree 9.
constexpr double nodes[5] = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683, 0.906179845938664};
constexpr double weights[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                               0.236926885056189};

/// Sums of dV, p dV and p p' dV over small pieces of matter: everything a mass distribution has.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  void add(const Vec3& p, double dV) {
    volume += dV;
    first += dV * p;
    second += dV * p * p.transpose();
  }
};

/// A solid with elliptic sections: at height s along z the half-axes are (a, b) * profile(s), low < s < high. The rules
/// are exact where profile^2 and profile^4 are polynomials of s up to degree 7; eight angles integrate the section's
/// quadratic terms exactly.
void add_sections(Moments& sum, double low, double high, double a, double b,
                  const std::function<double(double)>& profile, const Mat3& R) {
  for (int i = 0; i < 5; ++i) {
    const double s = 0.5 * (low + high) + 0.5 * (high - low) * nodes[i];
    const double ds = 0.5 * (high - low) * weights[i];
    for (int j = 0; j < 5; ++j) {
      const double r = 0.5 * (1 + nodes[j]), dr = 0.5 * weights[j];
      for (int k = 0; k < 8; ++k) {
        const double angle = 2 * pi * k / 8, da = 2 * pi / 8;
        const double x = a * profile(s), y = b * profile(s);
        sum.add(R * Vec3(x * r * std::cos(angle), y * r * std::sin(angle), s), x * y * r * dr * da * ds);
      }
    }
  }
}

void expect_equal(const Shape& shape, const Moments& sum) {
  const double density = 7.3;
  const MassProperties mass = calc_mass_properties(shape, density);
  const double scale = sum.second.trace() * density;
  EXPECT_NEAR(calc_volume(shape), sum.volume, 1e-13 * sum.volume);
  EXPECT_NEAR(mass.mass, density * sum.volume, 1e-13 * mass.mass);
  const Vec3 com = sum.first / sum.volume;
  EXPECT_LT((mass.com - com).norm(), 1e-13 * std::sqrt(scale / mass.mass));
  // Second moments about the centre, then inertia = trace I - second.
  const Mat3 central = density * (sum.second - sum.volume * com * com.transpose());
  const Mat3 inertia = central.trace() * Mat3::Identity() - central;
  EXPECT_LT((mass.inertia - inertia).norm(), 1e-13 * scale);
}

Vec3 random_axis(Random& random) {
  return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

TEST(Shape, SphereAndEllipsoidAgainstQuadrature) {
  for (const Vec3& d : {Vec3(0.4, 0.4, 0.4), Vec3(0.2, 0.7, 1.3), Vec3(2, 0.1, 0.5)}) {
    Moments sum;
    const auto profile = [&](double s) { return std::sqrt(1 - s * s / (d.z() * d.z())); };
    add_sections(sum, -d.z(), d.z(), d.x(), d.y(), profile, Mat3::Identity());
    expect_equal(Ellipsoid{d}, sum);
    if (d.x() == d.y() && d.y() == d.z()) expect_equal(Sphere{d.x()}, sum);
  }
}

TEST(Shape, BoxAgainstQuadrature) {
  const Vec3 size(0.3, 1.1, 0.6);
  Moments sum;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k)
        sum.add(0.5 * size.cwiseProduct(Vec3(nodes[i], nodes[j], nodes[k])),
                size.prod() / 8 * weights[i] * weights[j] * weights[k]);
  expect_equal(Box{size}, sum);
}

TEST(Shape, CylinderCapsuleAndConeAgainstQuadratureAboutAnyAxis) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const double r = random.uniform(0.1, 1), l = random.uniform(0.1, 2);
    const Vec3 axis = i == 0 ? Vec3(Vec3::UnitZ()) : random_axis(random);
    const Mat3 R = make_frame_with_z(axis, Vec3::UnitX());
    const auto straight = [](double) { return 1.0; };

    Moments cylinder;
    add_sections(cylinder, -l / 2, l / 2, r, r, straight, R);
    expect_equal(Cylinder{r, l, axis}, cylinder);

    // The caps are half-spheres about the ends of the cylinder.
    Moments capsule = cylinder;
    const auto cap = [&](double s) { return std::sqrt(1 - (std::abs(s) - l / 2) * (std::abs(s) - l / 2) / (r * r)); };
    add_sections(capsule, l / 2, l / 2 + r, r, r, cap, R);
    add_sections(capsule, -l / 2 - r, -l / 2, r, r, cap, R);
    expect_equal(Capsule{r, l, axis}, capsule);

    // Base at the origin, apex along the axis.
    Moments cone;
    add_sections(
        cone, 0, l, r, r, [&](double s) { return 1 - s / l; }, R);
    expect_equal(Cone{r, l, axis}, cone);
  }
}

}  // namespace
}  // namespace stiction
