// Accelerations of random trees against Simbody (Sherman, Seth, Delp 2011), an independent O(n) engine.
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "test/oracle/simbody_tree.h"
#include "test/unit/multibody/random_tree.h"

namespace stiction {
namespace {

/// Velocity of M relative to F, resolved in F, from the velocities of the two bodies.
Vec6 calc_relative_velocity(const TreeSample& sample, int b) {
  const Kinematics& k = sample.kinematics;
  const Joint& joint = sample.system.joints[b];
  const Mat3 R_WF = k.X_WB[joint.parent].R * joint.X_PF.R;
  const Vec3 p_BM = (k.X_WB[b] * joint.X_MB.inverse()).p - k.X_WB[b].p;
  const Vec6 V = shift_velocity(k.V_WB[b], p_BM) - shift_velocity(k.V_WB[joint.parent], p_BM + k.p_PB[b]);
  return make_spatial(R_WF.transpose() * angular(V), R_WF.transpose() * linear(V));
}

/// The tree with its pose, velocities and forces. tau becomes a force H (H'H)^-1 tau on the child and its reaction on
/// the parent, which do the same work.
std::vector<SimbodyBody> make_simbody_bodies(const TreeSample& sample) {
  std::vector<SimbodyBody> bodies(sample.system.bodies.size());
  for (int b = 1; b < sample.system.n_bodies(); ++b) {
    const Joint& joint = sample.system.joints[b];
    const Transform X_FM = calc_joint_transform(joint.kind, sample.q.data() + joint.q_start);
    bodies[b] = {joint, sample.system.bodies[b].mass, X_FM, calc_relative_velocity(sample, b), sample.F[b]};
    if (joint.nv == 0) continue;
    const MatX H = sample.kinematics.H[b].leftCols(joint.nv);
    const MatX HH = H.transpose() * H;
    const Vec6 F_tau = H * (HH.inverse() * sample.tau.segment(joint.v_start, joint.nv));
    bodies[b].F += F_tau;
    if (joint.parent > 0) bodies[joint.parent].F -= shift_force(F_tau, sample.kinematics.p_PB[b]);
  }
  return bodies;
}

TEST(Simbody, AccelerationsOfRandomTreesAgree) {
  Random random(20);
  int seen[10] = {};
  for (int i = 0; i < 100; ++i) {
    TreeSample sample(make_random_tree(random, {10, 0}), random);
    const std::vector<SimbodyMotion> simbody = calc_simbody_motion(make_simbody_bodies(sample), sample.system.gravity);
    calc_forward_dynamics(sample.system, sample.kinematics, sample.dynamics, sample.F, sample.tau, sample.vdot);
    for (int b = 1; b < sample.system.n_bodies(); ++b) {
      const JointKind& kind = sample.system.joints[b].kind;
      ++seen[kind.index()];
      // The two engines look at the same state.
      const Vec6& V = sample.kinematics.V_WB[b];
      ASSERT_LT((simbody[b].p_WB - sample.kinematics.X_WB[b].p).norm(), 1e-12) << name_of(kind);
      ASSERT_LT((simbody[b].V_WB - V).norm(), 1e-12 * (1 + V.norm())) << name_of(kind);
      const Vec6& A = sample.dynamics.A_WB[b];
      EXPECT_LT((simbody[b].A_WB - A).norm(), 1e-9 * (1 + A.norm())) << name_of(kind) << " in tree " << i;
    }
  }
  for (int count : seen) EXPECT_GT(count, 50);
}

}  // namespace
}  // namespace stiction
