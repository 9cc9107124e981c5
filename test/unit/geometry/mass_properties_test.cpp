#include "stiction/geometry/shape/mass_properties.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "stiction/base/random.h"

namespace stiction {
namespace {

struct Particle {
  double mass;
  Vec3 p;
};

std::vector<Particle> make_particles(Random& random, int count) {
  std::vector<Particle> result;
  for (int i = 0; i < count; ++i)
    result.push_back(
        {random.uniform(0.1, 2), Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))});
  return result;
}

/// The definition: sums over particles.
MassProperties sum_particles(const std::vector<Particle>& particles) {
  MassProperties result;
  for (const Particle& i : particles) result.mass += i.mass, result.com += i.mass * i.p;
  result.com /= result.mass;
  for (const Particle& i : particles) {
    const Vec3 d = i.p - result.com;
    result.inertia += i.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return result;
}

void expect_equal(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, 1e-13);
  EXPECT_LT((a.com - b.com).norm(), 1e-13);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13);
}

TEST(MassProperties, TransformAndSumAgreeWithParticles) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const std::vector<Particle> a = make_particles(random, 5), b = make_particles(random, 4);
    // b stands in its own frame B, seen from A by X_AB.
    const Transform X_AB{calc_matrix(calc_normalized({random.uniform(-1, 1), random.uniform(-1, 1), 0.3, 0.7})),
                         Vec3(random.uniform(-2, 2), 0.5, -1)};
    std::vector<Particle> both = a;
    for (const Particle& k : b) both.push_back({k.mass, X_AB * k.p});
    expect_equal(calc_sum(sum_particles(a), calc_transformed(sum_particles(b), X_AB)), sum_particles(both));
  }
}

TEST(MassProperties, NothingIsTheZeroOfTheSum) {
  Random random(2);
  const MassProperties some = sum_particles(make_particles(random, 6));
  expect_equal(calc_sum(some, {}), some);
  expect_equal(calc_sum({}, some), some);
  EXPECT_EQ(calc_sum({}, {}).mass, 0);
}

TEST(MassProperties, InertiaOfParticlesHasNoFault) {
  Random random(3);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(find_inertia_fault(sum_particles(make_particles(random, 2 + i % 5)).inertia), InertiaFault::none);
  // A plate (J1 + J2 = J3) and a rod (J1 = 0, J2 = J3) are the borderline cases.
  EXPECT_EQ(find_inertia_fault(Vec3(1, 2, 3).asDiagonal()), InertiaFault::none);
  EXPECT_EQ(find_inertia_fault(Vec3(0, 2, 2).asDiagonal()), InertiaFault::none);
}

TEST(MassProperties, FaultsOfAnInertia) {
  Mat3 J = Vec3(1, 2, 2.5).asDiagonal();
  EXPECT_EQ(find_inertia_fault(J), InertiaFault::none);
  J(0, 1) = 0.1;
  EXPECT_EQ(find_inertia_fault(J), InertiaFault::not_symmetric);
  J(1, 0) = 0.1;
  EXPECT_EQ(find_inertia_fault(J), InertiaFault::none);
  J(2, 2) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find_inertia_fault(J), InertiaFault::not_finite);
  EXPECT_EQ(find_inertia_fault(Vec3(1, 1, -0.1).asDiagonal()), InertiaFault::not_positive);
  EXPECT_EQ(find_inertia_fault(Mat3::Zero()), InertiaFault::not_positive);
  EXPECT_EQ(find_inertia_fault(Vec3(1, 1, 2.001).asDiagonal()), InertiaFault::triangle_inequality);
  // The violation shows in any axes.
  const Mat3 R = calc_matrix(make_axis_angle(Vec3(1, 2, 3).normalized(), 0.8));
  const Mat3 turned = R * Mat3(Vec3(1, 1, 2.001).asDiagonal()) * R.transpose();
  EXPECT_EQ(find_inertia_fault(0.5 * (turned + turned.transpose())), InertiaFault::triangle_inequality);
}

}  // namespace
}  // namespace stiction
