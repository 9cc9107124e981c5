#include "stiction/stepping/rigid/layer_step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

CompliantLayer make_full_layer() {
  CompliantLayer layer;
  layer.stiffness << 4000, 300, -200, 300, 2500, 150, -200, 150, 1800;
  layer.damping << 40, 5, 3, 5, 30, -2, 3, -2, 25;
  return layer;
}

LayerStep make_step(const CompliantLayer& layer, const Vec3& start) {
  LayerStep step;
  step.layer = &layer;
  step.start = start;
  return step;
}

// (1) of layer_step.h, written out.
Vec3 calc_borne(const CompliantLayer& layer, double h, const LayerStep& step) {
  return h * layer.stiffness * step.end + layer.damping * (step.end - step.start);
}

// Closed form: without damping the deflection is K^-1 f at once, K full.
TEST(LayerStep, DeflectsByTheInverseStiffness) {
  CompliantLayer layer = make_full_layer();
  layer.damping.setZero();
  const double h = 1e-3;
  const Vec3 force(10, -2, 3);
  LayerStep step = make_step(layer, Vec3(1e-3, 2e-3, 0));
  pose_layer(h, false, 0, step);
  EXPECT_FALSE(solve_layer(h * force, h, step));
  EXPECT_LT((step.end - layer.stiffness.inverse() * force).norm(), 1e-15);
  EXPECT_EQ(calc_damped_energy(h, step), 0);
}

TEST(LayerStep, KeepsItsLawWithDamping) {
  const CompliantLayer layer = make_full_layer();
  const double h = 2e-3;
  const Vec3 p(0.02, 0.004, -0.003);
  LayerStep step = make_step(layer, Vec3(1e-3, 2e-4, -1e-4));
  pose_layer(h, false, 0, step);
  EXPECT_FALSE(solve_layer(p, h, step));
  EXPECT_LT((calc_borne(layer, h, step) - p).norm(), 1e-16);
  EXPECT_LT(calc_layer_violation(p, h, step), 1e-16);
  EXPECT_GT(calc_damped_energy(h, step), 0);
}

// On the core the normal deflection is the thickness, what the layer does not bear is the core's, and (1) holds for the
// tangential directions with K coupled.
TEST(LayerStep, TheCoreBearsTheRest) {
  CompliantLayer layer = make_full_layer();
  layer.thickness = 2e-3;
  const double h = 1e-3;
  const Vec3 p(0.5, 0.004, -0.003);
  LayerStep step = make_step(layer, Vec3(1.5e-3, 1e-4, 0));
  pose_layer(h, false, 0, step);
  EXPECT_TRUE(solve_layer(p, h, step));
  ASSERT_TRUE(step.on_core);
  pose_layer(h, false, 0, step);
  EXPECT_FALSE(solve_layer(p, h, step));
  EXPECT_EQ(step.end[0], layer.thickness);
  const Vec3 left = p - calc_borne(layer, h, step);
  EXPECT_NEAR(left[0], step.core_impulse, 1e-15);
  EXPECT_GT(step.core_impulse, 0);
  EXPECT_LT(left.tail<2>().norm(), 1e-16);
  EXPECT_LT(calc_layer_violation(p, h, step), 1e-15);
}

// A contact that pulls less than the layer pushes leaves the core.
TEST(LayerStep, LeavesTheCoreWhereItWouldPull) {
  CompliantLayer layer = make_full_layer();
  layer.thickness = 2e-3;
  const double h = 1e-3;
  LayerStep step = make_step(layer, Vec3(2e-3, 0, 0));
  step.on_core = true;
  pose_layer(h, false, 0, step);
  EXPECT_TRUE(solve_layer(Vec3(0.9 * h * 4000 * 2e-3, 0, 0), h, step));
  EXPECT_FALSE(step.on_core);
}

TEST(LayerStep, HasTwoDirectionsInThePlane) {
  const CompliantLayer layer = make_full_layer();
  const double h = 1e-3;
  const Vec3 p(0.02, 0.01, 0);
  LayerStep step = make_step(layer, Vec3(1e-3, 1e-4, 0));
  pose_layer(h, true, 0, step);
  EXPECT_FALSE(solve_layer(p, h, step));
  EXPECT_EQ(step.end[2], 0);
  EXPECT_LT((calc_borne(layer, h, step) - p).head<2>().norm(), 1e-16);
}

// Newton's iteration of a nonlinear layer ends at k x^p (1 + a (x - x_l) / h) = f.
TEST(LayerStep, NonlinearLayersAreIterated) {
  CompliantLayer layer;
  layer.stiffness.diagonal() << 1e6, 1e4, 1e4;
  layer.exponent = 1.5;
  layer.dissipation = 0.3;
  const double h = 1e-4;
  const Vec3 p(2e-3, 1e-4, 0);
  LayerStep step = make_step(layer, Vec3(5e-4, 0, 0));
  double iterate = 5e-4;
  for (int k = 0; k < 30; ++k) {
    pose_layer(h, false, iterate, step);
    EXPECT_FALSE(solve_layer(p, h, step));
    iterate = step.end[0];
  }
  const double x = step.end[0], force = 1e6 * std::pow(x, 1.5) * (1 + 0.3 * (x - 5e-4) / h);
  EXPECT_NEAR(force, p[0] / h, 1e-11 * force);
  EXPECT_NEAR(step.end[1], p[1] / (h * 1e4), 1e-15);
}

// Closed form: force times deflection by quadrature.
TEST(LayerStep, StoresTheWorkOfItsForce) {
  CompliantLayer layer;
  layer.stiffness.diagonal() << 1e6, 1e4, 2e4;
  layer.exponent = 1.5;
  EXPECT_NEAR(calc_stored_energy(layer, Vec3(1e-3, 0, 0)), 1e6 * std::pow(1e-3, 2.5) / 2.5, 1e-15);
  EXPECT_NEAR(calc_stored_energy(layer, Vec3(0, 1e-3, 2e-3)), 0.5 * (1e4 * 1e-6 + 2e4 * 4e-6), 1e-15);
  const CompliantLayer full = make_full_layer();
  const Vec3 delta(1e-3, -2e-3, 5e-4);
  EXPECT_NEAR(calc_stored_energy(full, delta), 0.5 * delta.dot(full.stiffness * delta), 1e-18);
}

// Two springs in series: the force is the same in both.
TEST(LayerStep, SharesADepth) {
  CompliantLayer soft, hard;
  soft.stiffness *= 1000;
  hard.stiffness *= 3000;
  const SharedDepth depth = share_depth(soft, &hard, 4e-3);
  EXPECT_NEAR(depth.first, 3e-3, 1e-15);
  EXPECT_NEAR(depth.second, 1e-3, 1e-15);
  soft.thickness = 2e-3;
  EXPECT_NEAR(share_depth(soft, &hard, 4e-3).second, 2e-3, 1e-15);
  EXPECT_EQ(share_depth(hard, nullptr, 4e-3).first, 4e-3);
}

// Body and contact turn together: the deflection along the frame is the same.
TEST(LayerStep, ShearTurnsWithTheBody) {
  const CompliantLayer layer = make_full_layer();
  LayerStep step = make_step(layer, Vec3::Zero());
  step.end = Vec3(1e-3, 2e-4, -3e-4);
  const Mat3 frame = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(-1, 1, 0.5).normalized()).toRotationMatrix();
  const LayerMemory memory = remember_layer(frame, Mat3::Identity(), step);
  EXPECT_LT((calc_deflection_in(R * frame, R, memory) - step.end).norm(), 1e-18);
  // Where the normal alone turns, its size stays.
  const Mat3 tilted = Eigen::AngleAxisd(0.2, frame.col(2)).toRotationMatrix() * frame;
  EXPECT_NEAR(calc_deflection_in(tilted, Mat3::Identity(), memory).tail<2>().norm(), step.end.tail<2>().norm(), 1e-18);
}

}  // namespace
}  // namespace stiction
