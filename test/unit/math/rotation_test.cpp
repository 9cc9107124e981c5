#include "stiction/math/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/base/random.h"

namespace stiction {
namespace {

using std::numbers::pi;

Vec3 make_vector(Random& random, double size) {
  return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
}

Quaternion make_unit_quaternion(Random& random) {
  return calc_normalized({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
}

/// Rodrigues' formula: an independent way from axis and angle to the matrix.
Mat3 rodrigues(const Vec3& axis, double angle) {
  const Mat3 S = calc_skew(axis);
  return Mat3::Identity() + std::sin(angle) * S + (1 - std::cos(angle)) * S * S;
}

double distance(const Quaternion& a, const Quaternion& b) {
  return std::hypot(std::hypot(a.w - b.w, a.x - b.x), std::hypot(a.y - b.y, a.z - b.z));
}

TEST(Rotation, MatrixOfAxisAndAngleIsRodriguesFormula) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = make_vector(random, 1).normalized();
    const double angle = random.uniform(-2 * pi, 2 * pi);
    EXPECT_LT((calc_matrix(make_axis_angle(axis, angle)) - rodrigues(axis, angle)).norm(), 1e-14);
  }
}

TEST(Rotation, ProductOfQuaternionsIsProductOfMatrices) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = make_unit_quaternion(random), b = make_unit_quaternion(random);
    EXPECT_LT((calc_matrix(a * b) - calc_matrix(a) * calc_matrix(b)).norm(), 1e-14);
    EXPECT_LT((calc_matrix(calc_conjugate(a)) - calc_matrix(a).transpose()).norm(), 1e-15);
  }
}

TEST(Rotation, ScaleOfTheQuaternionHasNoEffectOnTheMatrix) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Quaternion q = make_unit_quaternion(random);
    const double s = random.uniform(0.1, 10);
    EXPECT_LT((calc_matrix({s * q.w, s * q.x, s * q.y, s * q.z}) - calc_matrix(q)).norm(), 1e-14);
    // Two units in the last place: one rounding of the division, one of measuring the norm.
    EXPECT_NEAR(calc_norm(calc_normalized({s * q.w, s * q.x, s * q.y, s * q.z})), 1, 4.5e-16);
  }
}

TEST(Rotation, MatrixToQuaternionAndBackInEveryBranch) {
  Random random(4);
  int branch[4] = {0, 0, 0, 0};
  for (int i = 0; i < 400; ++i) {
    // Large angles put the largest component on x, y or z.
    const Quaternion q = make_unit_quaternion(random);
    const double parts[4] = {std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)};
    ++branch[std::max_element(parts, parts + 4) - parts];
    const Quaternion back = calc_quaternion(calc_matrix(q));
    EXPECT_GE(back.w, 0);
    EXPECT_LT(std::min(distance(back, q), distance(back, {-q.w, -q.x, -q.y, -q.z})), 1e-15);
  }
  for (const int count : branch) EXPECT_GT(count, 40);
}

TEST(Rotation, ExponentialIsTheRotationByTheVector) {
  Random random(5);
  // Both sides of the switch to the series at |phi| = 1e-3, and down to nothing.
  for (const double size : {3.0, 1e-2, 1.01e-3, 0.99e-3, 1e-5, 1e-9, 1e-200}) {
    const Vec3 phi = size * make_vector(random, 1).normalized();
    EXPECT_LT((calc_matrix(calc_exponential(phi)) - rodrigues(phi.normalized(), size)).norm(), 3e-16) << size;
    EXPECT_NEAR(calc_norm(calc_exponential(phi)), 1, 3e-16) << size;
  }
  EXPECT_LT(distance(calc_exponential(Vec3::Zero()), Quaternion{}), 1e-300);
}

TEST(Rotation, LogarithmInvertsTheExponential) {
  Random random(6);
  for (const double size : {3.14, 2.0, 0.3, 1e-3, 1e-8, 1e-11, 1e-100}) {
    const Vec3 phi = size * make_vector(random, 1).normalized();
    const Quaternion q = calc_exponential(phi);
    EXPECT_LT((calc_logarithm(q) - phi).norm(), 4e-16 * std::max(size, 1e-300)) << size;
    // q and -q are one rotation.
    EXPECT_LT((calc_logarithm({-q.w, -q.x, -q.y, -q.z}) - phi).norm(), 4e-16 * std::max(size, 1e-300)) << size;
  }
  // Beyond pi the shorter way round is returned.
  EXPECT_LT((calc_logarithm(make_axis_angle(Vec3::UnitX(), 1.5 * pi)) - Vec3(-0.5 * pi, 0, 0)).norm(), 1e-15);
}

TEST(Rotation, LogRateMatrixIsTheDerivativeOfTheLogarithm) {
  Random random(7);
  for (const double size : {3.0, 1.0, 0.1, 0.032, 0.031, 1e-3, 0.0}) {
    const Vec3 phi = size * make_vector(random, 1).normalized();
    const Vec3 w = make_vector(random, 1);
    // Central difference of log(exp(h w) exp(phi)), w resolved in A; the error is of order h^2 = 1e-10.
    const double h = 1e-5;
    const auto log_at = [&](double s) { return calc_logarithm(calc_exponential(s * w) * calc_exponential(phi)); };
    const Vec3 expected = (log_at(h) - log_at(-h)) / (2 * h);
    EXPECT_LT((calc_log_rate_matrix(phi) * w - expected).norm(), 1e-9) << size;
  }
  // Both sides of the switch to the series agree with J phi = phi, and the factor is continuous.
  const Vec3 axis = Vec3(1, 2, 3).normalized();
  const double a = std::sqrt(1e-3);
  const Mat3 below = calc_log_rate_matrix(a * (1 - 1e-12) * axis), above = calc_log_rate_matrix(a * (1 + 1e-12) * axis);
  EXPECT_LT((below - above).norm(), 1e-12);
  EXPECT_LT((above * axis - axis).norm(), 1e-15);
}

TEST(Rotation, RateIsTheDerivativeOfTheQuaternion) {
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Quaternion q = make_unit_quaternion(random);
    const Vec3 w = make_vector(random, 2);
    const double h = 1e-5;
    const Quaternion p = calc_exponential(h * w) * q, m = calc_exponential(-h * w) * q;
    const Quaternion expected{(p.w - m.w) / (2 * h), (p.x - m.x) / (2 * h), (p.y - m.y) / (2 * h),
                              (p.z - m.z) / (2 * h)};
    EXPECT_LT(distance(calc_rate(q, w), expected), 1e-9);
  }
}

TEST(Rotation, AboutCoordinateAxes) {
  EXPECT_LT((make_rotation_x(0.7) - rodrigues(Vec3::UnitX(), 0.7)).norm(), 1e-15);
  EXPECT_LT((make_rotation_z(-2.1) - rodrigues(Vec3::UnitZ(), -2.1)).norm(), 1e-15);
}

TEST(Rotation, TangentsAndFramesAreRightHandedAndOrthonormal) {
  Random random(9);
  const auto expect_frame = [](const Vec3& u, const Vec3& v, const Vec3& n) {
    Mat3 R;
    R << u, v, n;
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
  };
  for (int i = 0; i < 200; ++i) {
    const Vec3 n = i < 3 ? Vec3(-Vec3::Unit(i)) : Vec3(make_vector(random, 1).normalized());
    Vec3 u, v;
    calc_tangents(n, u, v);
    expect_frame(u, v, n);
    const Vec3 hint = make_vector(random, 3);
    const Mat3 R = make_frame_with_z(n, hint);
    expect_frame(R.col(0), R.col(1), R.col(2));
    // x lies in the plane of axis and hint, on the hint's side.
    EXPECT_NEAR(R.col(1).dot(hint), 0, 1e-14);
    EXPECT_GT(R.col(0).dot(hint), 0);
    // A hint along the axis says nothing; any frame about the axis will do.
    const Mat3 along = make_frame_with_z(n, -2 * n);
    expect_frame(along.col(0), along.col(1), n);
  }
}

}  // namespace
}  // namespace stiction
