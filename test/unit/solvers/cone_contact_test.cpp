#include "stiction/solvers/cone/cone_contact.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

// Relative violation of x in L, y = u + |u_t| e_0 in L, x'y = 0.
template <int D>
double calc_violation(const Eigen::Matrix<double, D, D>& A, const Eigen::Matrix<double, D, 1>& b,
                      const Eigen::Matrix<double, D, 1>& x) {
  const Eigen::Matrix<double, D, 1> u = A * x + b;
  const double size_x = x.norm(), size_u = A.norm() * size_x + b.norm();
  const double outside_x = x.template tail<D - 1>().norm() - x[0];
  const double slip = u.template tail<D - 1>().norm();
  const double work = x[0] * (u[0] + slip) + x.template tail<D - 1>().dot(u.template tail<D - 1>());
  if (size_x == 0) return std::max(0.0, -u[0] / size_u);
  return std::max({outside_x / size_x, -u[0] / size_u, std::abs(work) / (size_x * size_u)});
}

template <int D>
void check_random(int count, bool symmetric) {
  using Mat = Eigen::Matrix<double, D, D>;
  using Vec = Eigen::Matrix<double, D, 1>;
  Random random(D);
  for (int trial = 0; trial < count; ++trial) {
    Mat R;
    for (double& value : R.reshaped()) value = random.uniform(-1, 1);
    // Rows scaled from 1e-4 to 1e4: tiny and huge friction, light and heavy bodies.
    Vec scale;
    for (double& value : scale) value = std::exp(random.uniform(-9, 9));
    Mat A = R * R.transpose() + 1e-3 * Mat::Identity();
    if (!symmetric) A += 0.01 * (R - R.transpose());
    A = scale.asDiagonal() * A * scale.asDiagonal();
    Vec b;
    for (double& value : b) value = random.uniform(-1, 1) * std::exp(random.uniform(-9, 9));
    Vec x = Vec::Zero();
    ConeContact<D> contact(A);
    contact.solve(b, x);
    ASSERT_LE(calc_violation<D>(A, b, x), 1e-10) << "trial " << trial << "\n" << A << "\nb " << b.transpose();
    // Once more from the last answer: the guess must not matter.
    contact.solve(b, x);
    ASSERT_LE(calc_violation<D>(A, b, x), 1e-10);
  }
}

TEST(ConeContact, SolvesRandomContactsInThePlane) {
  check_random<2>(100000, true);
}
TEST(ConeContact, SolvesRandomContactsInSpace) {
  check_random<3>(100000, true);
}
TEST(ConeContact, SolvesRandomContactsWithSpin) {
  check_random<4>(100000, true);
}
TEST(ConeContact, SolvesUnsymmetricContacts) {
  check_random<3>(20000, false);
}

TEST(ConeContact, KnowsItsThreeCases) {
  ConeContact<3> contact(Mat3::Identity());
  Vec3 x = Vec3::Zero();
  contact.solve(Vec3(0.5, 2, 0), x);
  EXPECT_EQ(x, Vec3(0, 0, 0));
  // Stick: x = -b within the cone.
  contact.solve(Vec3(-1, 0.6, 0), x);
  EXPECT_NEAR((x - Vec3(1, -0.6, 0)).norm(), 0, 1e-15);
  // Slip with W = 1: x_0 = 1, x_t = -1 along b_t, u_t = 2 along b_t.
  contact.solve(Vec3(-1, 3, 0), x);
  EXPECT_NEAR((x - Vec3(1, -1, 0)).norm(), 0, 1e-14);
}

TEST(ConeContact, BearsASingularBlock) {
  // No tangential answer to an impulse at all: slip is decided by b alone.
  Mat3 A = Mat3::Zero();
  A(0, 0) = 2;
  ConeContact<3> contact(A);
  Vec3 x = Vec3::Zero();
  const Vec3 b(-1, 1, 0);
  contact.solve(b, x);
  EXPECT_LE(calc_violation<3>(A, b, x), 1e-9);
  // A block of zeros cannot bear anything and is left alone.
  Vec3 untouched(1, 2, 3);
  ConeContact<3>(Mat3::Zero()).solve(b, untouched);
  EXPECT_EQ(untouched, Vec3(1, 2, 3));
}

}  // namespace
}  // namespace stiction
