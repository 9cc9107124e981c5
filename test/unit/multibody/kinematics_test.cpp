#include "stiction/multibody/kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/math/spatial.h"

#include "test/unit/multibody/random_tree.h"

namespace stiction {
namespace {

/// Trees with and without prescribed joints.
std::vector<TreeSample> make_samples(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<TreeSample> samples;
  for (int i = 0; i < count; ++i) samples.emplace_back(make_random_tree(random, {10, i % 2 == 0 ? 0.0 : 0.3}), random);
  return samples;
}

/// Kinematics at q (+) s v with the velocities v.
Kinematics calc_moved_tree(const TreeSample& sample, double s) {
  VecX q = sample.q;
  add_displacement(TreePlan(sample.system), s * sample.v, q);
  Kinematics k(sample.system);
  update_positions(sample.system, q, k);
  update_velocities(sample.system, sample.v, k);
  return k;
}

TEST(Kinematics, PosesAreProductsOfTransforms) {
  // X_WB = X_WP X_PF X_FM X_MB, with X_FM from its own definition.
  for (const TreeSample& sample : make_samples(1, 50)) {
    for (int b = 1; b < sample.system.n_bodies(); ++b) {
      const Joint& joint = sample.system.joints[b];
      const Transform& X_WP = sample.kinematics.X_WB[joint.parent];
      const Transform X_FM = calc_joint_transform(joint.kind, sample.q.data() + joint.q_start);
      const Transform expected = X_WP * joint.X_PF * X_FM * joint.X_MB;
      const Transform& X_WB = sample.kinematics.X_WB[b];
      // 1e-13: a few hundred roundings of numbers up to 20.
      EXPECT_LT((X_WB.R - expected.R).norm(), 1e-13) << name_of(joint.kind);
      EXPECT_LT((X_WB.p - expected.p).norm(), 1e-13) << name_of(joint.kind);
      EXPECT_LT((sample.kinematics.p_PB[b] - (expected.p - X_WP.p)).norm(), 1e-13);
      const Vec3 p_MB = X_WP.R * joint.X_PF.R * X_FM.R * joint.X_MB.p;
      EXPECT_LT((sample.kinematics.p_MB[b] - p_MB).norm(), 1e-13);
    }
  }
}

TEST(Kinematics, QuaternionScaleHasNoEffect) {
  for (const TreeSample& sample : make_samples(2, 10)) {
    VecX q = sample.q;
    for (const Joint& joint : sample.system.joints) {
      if (quaternion_offset(joint.kind) >= 0) q.segment(joint.q_start, 4) *= 1.7;
    }
    Kinematics k(sample.system);
    update_positions(sample.system, q, k);
    for (int b = 1; b < sample.system.n_bodies(); ++b) {
      EXPECT_LT((k.X_WB[b].R - sample.kinematics.X_WB[b].R).norm(), 1e-13);
      EXPECT_LT((k.X_WB[b].p - sample.kinematics.X_WB[b].p).norm(), 1e-12);
    }
  }
}

TEST(Kinematics, VelocitiesAreDerivativesOfPoses) {
  for (const TreeSample& sample : make_samples(3, 50)) {
    const double rate = sample.rate(false), h = 1e-2 / rate;
    for (int b = 1; b < sample.system.n_bodies(); ++b) {
      const Mat3 dR = calc_derivative([&](double s) { return calc_moved_tree(sample, s).X_WB[b].R; }, h);
      const Vec3 dp = calc_derivative([&](double s) { return calc_moved_tree(sample, s).X_WB[b].p; }, h);
      const Vec6& V = sample.kinematics.V_WB[b];
      const double tolerance = 1e-9 * rate;
      EXPECT_LT((dR - calc_skew(angular(V)) * sample.kinematics.X_WB[b].R).norm(), tolerance);
      EXPECT_LT((dp - linear(V)).norm(), tolerance);
    }
  }
}

TEST(Kinematics, BiasIsTheDerivativeOfVelocitiesAtConstantV) {
  for (const TreeSample& sample : make_samples(4, 50)) {
    const double rate = sample.rate(false), h = 1e-2 / rate;
    for (int b = 1; b < sample.system.n_bodies(); ++b) {
      const Vec6 dV = calc_derivative([&](double s) { return calc_moved_tree(sample, s).V_WB[b]; }, h);
      const double tolerance = 1e-9 * rate * rate;
      EXPECT_LT((dV - sample.kinematics.A_bias[b]).norm(), tolerance) << name_of(sample.system.joints[b].kind);
      // A_bias sums the biases of the joints inboard.
      const Joint& joint = sample.system.joints[b];
      const Vec6 sum =
          shift_velocity(sample.kinematics.A_bias[joint.parent], sample.kinematics.p_PB[b]) + sample.kinematics.bias[b];
      EXPECT_LT((sum - sample.kinematics.A_bias[b]).norm(), 1e-12 * (1 + sum.norm()));
    }
  }
}

TEST(Kinematics, PointsMoveWithTheirBody) {
  const TreeSample sample = make_samples(5, 1).front();
  const Vec3 p_BQ(0.3, -0.2, 0.7);
  const int b = sample.system.n_bodies() - 1;
  const Vec3 velocity =
      calc_derivative([&](double s) { return calc_point_position(calc_moved_tree(sample, s), b, p_BQ); });
  EXPECT_LT((velocity - calc_point_velocity(sample.kinematics, b, p_BQ)).norm(), 1e-8);
}

TEST(Kinematics, RatesAreTheDerivativeOfDisplacements) {
  for (const TreeSample& sample : make_samples(6, 20)) {
    VecX dq(sample.system.nq);
    calc_rates(TreePlan(sample.system), sample.q, sample.v, dq);
    const VecX expected = calc_derivative([&](double s) {
      VecX q = sample.q;
      add_displacement(TreePlan(sample.system), s * sample.v, q);
      return q;
    });
    // |w| < 4 and d5/ds5 of a quaternion is (|w|/2)^5 < 32: 1e-12.
    EXPECT_LT((dq - expected).norm(), 1e-11);
  }
}

TEST(Kinematics, PrescribedMotionIsConsistent) {
  // Poses at times around t give the velocities and accelerations that v and vdot stand for.
  Random random(7);
  for (int i = 0; i < 30; ++i) {
    const TreeSample sample(make_random_tree(random, {1, 1.0}), random);
    const auto at = [&](double s) {
      VecX q = sample.q, v = sample.v, vdot = sample.vdot;
      update_prescribed(sample.system, sample.t + s, q, v, vdot);
      Kinematics k(sample.system);
      update_positions(sample.system, q, k);
      update_velocities(sample.system, v, k);
      return k;
    };
    if (!sample.system.joints[1].prescribed()) continue;
    const Mat3 dR = calc_derivative([&](double s) { return at(s).X_WB[1].R; });
    const Vec3 dp = calc_derivative([&](double s) { return at(s).X_WB[1].p; });
    const Vec6 dV = calc_derivative([&](double s) { return at(s).V_WB[1]; });
    const Vec6& V = sample.kinematics.V_WB[1];
    Vec6 A = sample.kinematics.A_bias[1];
    for (int k = 0; k < sample.system.nv; ++k) A += sample.kinematics.H[1].col(k) * sample.vdot[k];
    // Frequencies up to 2 pi rad/s on top of turns of 2 pi rad/s: f''''' up to 1e5, 1e-12/30 times that.
    EXPECT_LT((dR - calc_skew(angular(V)) * sample.kinematics.X_WB[1].R).norm(), 1e-7);
    EXPECT_LT((dp - linear(V)).norm(), 1e-7);
    EXPECT_LT((dV - A).norm(), 1e-6);
  }
}

TEST(Kinematics, PathTurnsBeforeTheStartingOrientation) {
  // R_WB = R(axis, angle(t)) R_start at a quarter turn about z of a body that starts a quarter turn about x.
  System system = make_world();
  PathMotion path;
  for (double rate : {1.0, 2.0, 3.0}) path.position.push_back(Polynomial{{0, rate}});
  path.angle = Polynomial{{0, std::numbers::pi}};
  path.start = make_axis_angle(Vec3::UnitX(), std::numbers::pi / 2);
  Joint joint;
  joint.kind = JointFree{};
  joint.motion.emplace(path);
  add_body(system, joint, {});
  VecX q = VecX::Zero(7), v = VecX::Zero(6), vdot = VecX::Ones(6);
  update_prescribed(system, 0.5, q, v, vdot);
  Kinematics k(system);
  update_positions(system, q, k);
  // Body z: up, turned to -y by the start, to x by the path.
  EXPECT_LT((k.X_WB[1].R.col(2) - Vec3::UnitX()).norm(), 1e-15);
  EXPECT_LT((k.X_WB[1].p - Vec3(0.5, 1, 1.5)).norm(), 1e-15);
  EXPECT_LT((v - (VecX(6) << 0, 0, std::numbers::pi, 1, 2, 3).finished()).norm(), 1e-15);
  EXPECT_EQ(vdot.norm(), 0);
}

TEST(Kinematics, FixedBodiesArePlacedOnce) {
  Random random(8);
  System system = make_world();
  Joint joint;
  joint.X_PF = make_random_transform(random);
  joint.X_MB = make_random_transform(random);
  const int first = add_body(system, joint, {});
  joint.parent = first;
  const int second = add_body(system, joint, {});
  const Kinematics k(system);
  const Transform expected = joint.X_PF * joint.X_MB * joint.X_PF * joint.X_MB;
  EXPECT_LT((k.X_WB[second].R - expected.R).norm(), 1e-14);
  EXPECT_LT((k.X_WB[second].p - expected.p).norm(), 1e-14);
  EXPECT_TRUE(k.plan.moving.empty());
}

TEST(Kinematics, QuaternionsStayUnitOverTenMillionSteps) {
  System system = make_world();
  Joint joint;
  joint.kind = JointSpherical{};
  add_body(system, joint, {});
  VecX q(4), dv(3);
  q << 1, 0, 0, 0;
  const double turn = 0.05;  // rad a step
  dv = turn * Vec3(1, 2, -2) / 3;
  const int steps = 10'000'000;
  const TreePlan plan(system);
  for (int i = 0; i < steps; ++i) {
    add_displacement(plan, dv, q);
    normalize_quaternions(plan, q);
  }
  // Normalising leaves at most two roundings of 1.1e-16.
  EXPECT_LE(calc_quaternion_error(system, q), 3e-16);
  // Turns about one axis commute: the whole is one turn by steps * turn. Every step rounds the angle by some 1e-16, in
  // the worst case all to the same side.
  const Quaternion expected = make_axis_angle(Vec3(1, 2, -2) / 3, std::fmod(steps * turn, 4 * std::numbers::pi));
  const Quaternion difference = calc_conjugate(expected) * read_quaternion(q.data());
  EXPECT_LT(calc_logarithm(difference).norm(), 1e-8);
}

}  // namespace
}  // namespace stiction
