#include "stiction/solvers/cone/cone.h"

#include <gtest/gtest.h>

#include "stiction/base/fault.h"

#include "cone_problems.h"

namespace stiction {
namespace {

ConeProblem make_single(const Vec3& q, double mu) {
  ConeProblem problem;
  problem.W = ConeMatrix(3, 1, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  problem.q = q;
  problem.mu = VecX::Constant(1, mu);
  return problem;
}

TEST(Cone, ResidualVanishesAtClosedForms) {
  // W = 1, mu = 0.5. Stick: r = -q. Slip along x: r = (1, -0.5, 0). Take-off: r = 0.
  EXPECT_NEAR(calc_residual(make_single({-1, 0.3, 0}, 0.5), Vec3(1, -0.3, 0)), 0, 1e-16);
  EXPECT_NEAR(calc_residual(make_single({-1, 2, 0}, 0.5), Vec3(1, -0.5, 0)), 0, 1e-16);
  EXPECT_EQ(calc_residual(make_single({1, 2, 0}, 0.5), Vec3(0, 0, 0)), 0);
}

TEST(Cone, ResidualIsTheNaturalMapOverOnePlusQ) {
  // q = (-3, 0, 4), r = 0: u + mu |u_t| e_n = (-3 + 2, 0, 4); z = -(-1, 0, 4) = (1, 0, -4); with mu = 0.5 the
  // projection is n = (1 + 2) / 1.25 = 2.4, t = -1.2; residual = |(2.4, 0, -1.2)| / (1 + 5).
  EXPECT_NEAR(calc_residual(make_single({-3, 0, 4}, 0.5), Vec3::Zero()), std::hypot(2.4, 1.2) / 6, 1e-15);
}

TEST(Cone, NaNCountsAsInfinite) {
  EXPECT_EQ(calc_residual(make_single({-1, 0, 0}, 0.5), Vec3(NAN, 0, 0)), INFINITY);
}

void expect_fault(const ConeProblem& problem, const std::string& path) {
  try {
    validate(problem);
    ADD_FAILURE() << "no fault at " << path;
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults()[0].path, path) << error.what();
  }
}

TEST(Cone, ValidateNamesTheOffendingEntry) {
  ConeProblem good = make_single({-1, 0, 0}, 0.5);
  EXPECT_NO_THROW(validate(good));
  ConeProblem bad = good;
  bad.mu[0] = -0.1;
  expect_fault(bad, "mu[0]");
  bad = good;
  bad.q[2] = NAN;
  expect_fault(bad, "q[2]");
  bad = good;
  bad.W.block(0)(1, 2) = INFINITY;
  expect_fault(bad, "W[1,2]");
  bad = good;
  bad.q.resize(4);
  expect_fault(bad, "q");
  bad = good;
  bad.mu.resize(2);
  expect_fault(bad, "mu");
  bad = good;
  bad.ellipsoid = MatX::Ones(1, 3);
  expect_fault(bad, "ellipsoid");
  bad.ellipsoid = MatX::Constant(1, 2, -1);
  expect_fault(bad, "ellipsoid[0,0]");
}

TEST(Cone, MatrixAddsEntriesAndMultiplies) {
  const ConeMatrix W(2, 2, {{0, 3, 1}, {0, 3, 2}, {3, 0, 5}, {1, 1, 7}});
  MatX dense = MatX::Zero(4, 4);
  dense(0, 3) = 3;
  dense(3, 0) = 5;
  dense(1, 1) = 7;
  EXPECT_EQ(W.calc_dense(), dense);
  const VecX x = Eigen::Vector4d(1, 2, 3, 4);
  EXPECT_EQ(VecX(W * x), VecX(dense * x));
}

TEST(Cone, LocalAndGlobalFormAgree) {
  GlobalConeProblem global = test::make_pile(5, 0.7, 9);
  global.compliance = VecX::Constant(global.w.size(), 0.01);
  const ConeProblem local = make_local(global);
  // W = H' M^-1 H + C by dense algebra.
  const MatX H = global.H, M = global.M;
  EXPECT_NEAR(
      (local.W.calc_dense() - H.transpose() * M.inverse() * H - 0.01 * MatX::Identity(H.cols(), H.cols())).norm(), 0,
      1e-10);
  const VecX r = VecX::LinSpaced(global.w.size(), -1, 1);
  EXPECT_NEAR(calc_residual(global, r), calc_residual(local, r), 1e-12 * calc_residual(local, r));
}

}  // namespace
}  // namespace stiction
