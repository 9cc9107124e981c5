// Torque-free rotation against closed forms: the symmetric top, Jacobi's elliptic functions, the conserved quantities.
#include "stiction/math/free_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

struct TurningBody {
  Mat3 J, J_inverse;
  explicit TurningBody(const Vec3& moments) : J(moments.asDiagonal()), J_inverse(moments.cwiseInverse().asDiagonal()) {}
  Vec3 calc_momentum(const Mat3& R, const Vec3& w) const { return R * (J * (R.transpose() * w)); }
  double calc_energy(const Mat3& R, const Vec3& w) const { return 0.5 * w.dot(calc_momentum(R, w)); }
};

/// sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun, 16.4); k2 is the parameter m.
struct JacobiFunctions {
  double sn, cn, dn;
};
JacobiFunctions calc_jacobi(double u, double k2) {
  double a[20], c[20], b = std::sqrt(1 - k2);
  a[0] = 1, c[0] = std::sqrt(k2);
  int n = 0;
  while (std::abs(c[n]) > 1e-17 && n < 18) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k2 * sn * sn)};
}

TEST(FreeRotation, SymmetricTopPrecessesRegularly) {
  // R(t) = Rz(L t / J1) R_0 Rz(w3 (1 - J3/J1) t) for L along z (Landau and Lifshitz, Mechanics, section 35).
  const double J1 = 0.02, J3 = 0.05, tilt = 0.7, momentum = 0.3;
  const TurningBody body(Vec3(J1, J1, J3));
  const Mat3 R_0 = make_rotation_x(tilt);
  const Vec3 L(0, 0, momentum);
  const double w3 = momentum * std::cos(tilt) / J3;
  for (const double t : {1e-3, 0.1, 1.0, 20.0}) {
    const FreeRotation end = calc_free_rotation(body.J_inverse, R_0, L, t);
    const Mat3 expected = make_rotation_z(momentum / J1 * t) * R_0 * make_rotation_z(w3 * (1 - J3 / J1) * t);
    // 300 rad within the longest: a few roundings a radian.
    EXPECT_LT((end.R_end - expected).cwiseAbs().maxCoeff(), 1e-13 * (1 + t)) << t;
    EXPECT_LT((calc_matrix(calc_exponential(end.turn)) * R_0 - expected).cwiseAbs().maxCoeff(), 1e-13 * (1 + t)) << t;
  }
}

TEST(FreeRotation, AsymmetricBodyFollowsJacobisFunctions) {
  // Landau and Lifshitz, Mechanics, section 37, with L^2 > 2 T J2 and J3 > J2 > J1; at t = 0 w2 = 0.
  const double J1 = 1, J2 = 1.7, J3 = 2.6;
  const TurningBody body(Vec3(J1, J2, J3));
  for (const double w1 : {0.1, 0.5, 1.0}) {
    const double w3 = 1;
    const double twoT = J1 * w1 * w1 + J3 * w3 * w3, LL = J1 * J1 * w1 * w1 + J3 * J3 * w3 * w3;
    ASSERT_GT(LL, twoT * J2);
    const double k2 = (J2 - J1) * (twoT * J3 - LL) / ((J3 - J2) * (LL - twoT * J1));
    const double rate = std::sqrt((J3 - J2) * (LL - twoT * J1) / (J1 * J2 * J3));
    const double w2_most = std::sqrt((twoT * J3 - LL) / (J2 * (J3 - J2)));
    const Mat3 R_0 = Mat3::Identity();
    const Vec3 L = body.calc_momentum(R_0, Vec3(w1, 0, w3));
    for (const double t : {0.01, 0.3, 1.0, 4.0, 15.0}) {
      const FreeRotation end = calc_free_rotation(body.J_inverse, R_0, L, t);
      const Vec3 w_B = end.R_end.transpose() * end.velocity_end;
      const JacobiFunctions f = calc_jacobi(rate * t, k2);
      EXPECT_NEAR(w_B[0], w1 * f.cn, 1e-13 * (1 + t)) << t;
      EXPECT_NEAR(w_B[1], w2_most * f.sn, 1e-13 * (1 + t)) << t;
      EXPECT_NEAR(w_B[2], w3 * f.dn, 1e-13 * (1 + t)) << t;
    }
  }
}

TEST(FreeRotation, KeepsEnergyAndMomentumOverManySteps) {
  const TurningBody body(Vec3(1, 2, 2.5));
  for (const double way : {0.3, 1.0, 3.0}) {
    Quaternion q;
    Vec3 w = Vec3(0.3, 1, 0.2).normalized();  // near the middle axis: it flips over and over
    const Vec3 L_0 = body.calc_momentum(Mat3::Identity(), w);
    const double E_0 = body.calc_energy(Mat3::Identity(), w);
    for (int i = 0; i < 100'000; ++i) {
      const Mat3 R = calc_matrix(q);
      const FreeRotation end = calc_free_rotation(body.J_inverse, R, body.calc_momentum(R, w), way);
      q = calc_normalized(calc_exponential(end.turn) * q);
      w = end.velocity_end;
    }
    // Rounding alone: 1e-15 a step were 1e-10 if it all had one sign.
    const Mat3 R = calc_matrix(q);
    EXPECT_LT(std::abs(body.calc_energy(R, w) - E_0), 1e-10 * E_0) << way;
    EXPECT_LT((body.calc_momentum(R, w) - L_0).norm(), 1e-10 * L_0.norm()) << way;
  }
}

}  // namespace
}  // namespace stiction
