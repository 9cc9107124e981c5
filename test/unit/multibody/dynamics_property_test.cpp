// Properties that tie the algorithms of the tree to one another and to finite differences, on random trees of all
// joints.
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>

#include "test/unit/multibody/allocation_counter.h"
#include "test/unit/multibody/random_tree.h"

namespace stiction {
namespace {

constexpr int tree_count = 200;

template <class Check>
void for_each_tree(std::uint64_t seed, double prescribed, Check check) {
  Random random(seed);
  for (int i = 0; i < tree_count; ++i) {
    TreeSample sample(make_random_tree(random, {1 + random.index(12), prescribed}), random);
    check(sample);
    if (::testing::Test::HasFailure()) FAIL() << "tree " << i;
  }
}

MatX calc_M(TreeSample& s) {
  MatX M;
  calc_mass_matrix(s.system, s.kinematics, s.dynamics, M);
  return M;
}

/// tau for given vdot.
VecX calc_tau(TreeSample& s, const VecX& vdot, const std::vector<Vec6>& F) {
  VecX tau(s.system.nv);
  calc_inverse_dynamics(s.system, s.kinematics, vdot, F, s.dynamics, tau);
  return tau;
}

/// Of all bodies, the welded ones too.
std::vector<Vec6> calc_joint_forces(const TreeSample& s) {
  std::vector<Vec6> forces;
  for (int b = 0; b < s.system.n_bodies(); ++b)
    forces.push_back(calc_joint_force(s.system, s.kinematics, s.F, s.dynamics, b));
  return forces;
}

/// Indices into v of the joints that are not prescribed.
std::vector<int> find_free_velocities(const System& system) {
  std::vector<int> free;
  for (const Joint& joint : system.joints) {
    for (int i = 0; i < joint.nv && !joint.prescribed(); ++i) free.push_back(joint.v_start + i);
  }
  return free;
}

double calc_energy(TreeSample& s) {
  return calc_kinetic_energy(s.system, s.kinematics) + calc_potential_energy(s.system, s.kinematics);
}

/// The sample moved along its velocities and accelerations: q (+) h v, v + h vdot.
TreeSample calc_moved(const TreeSample& sample, double h) {
  TreeSample moved = sample;
  add_displacement(TreePlan(moved.system), h * sample.v, moved.q);
  moved.v += h * sample.vdot;
  moved.update();
  return moved;
}

TEST(DynamicsProperty, InverseOfForwardGivesTheForces) {
  for (double prescribed : {0.0, 0.3}) {
    for_each_tree(1, prescribed, [](TreeSample& s) {
      VecX tau = s.tau;
      calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, tau, s.vdot);
      const std::vector<Vec6> A = s.dynamics.A_WB, F_joint = calc_joint_forces(s);
      const VecX back = calc_tau(s, s.vdot, s.F);
      const std::vector<Vec6> F_back = calc_joint_forces(s);
      // Forces inside the tree cancel: rounding counts against the largest joint force, times the condition of D.
      double scale = 1;
      for (const Vec6& F : F_joint) scale = std::max(scale, F.norm());
      EXPECT_LT((back - tau).norm(), 1e-10 * scale);
      // Joints that are not prescribed kept the tau given to them.
      for (int i : find_free_velocities(s.system)) EXPECT_EQ(tau[i], s.tau[i]);
      for (int b = 0; b < s.system.n_bodies(); ++b) {
        EXPECT_LT((s.dynamics.A_WB[b] - A[b]).norm(), 1e-10 * (1 + A[b].norm()));
        EXPECT_LT((F_back[b] - F_joint[b]).norm(), 1e-10 * scale);
      }
    });
  }
}

TEST(DynamicsProperty, MassMatrixHasTheColumnsOfInverseDynamics) {
  // M e_j = tau(e_j) - tau(0); symmetric.
  for_each_tree(2, 0.3, [](TreeSample& s) {
    const MatX M = calc_M(s);
    const std::vector<Vec6> none(s.F.size(), Vec6::Zero());
    const VecX b = calc_tau(s, VecX::Zero(s.system.nv), none);
    for (int j = 0; j < s.system.nv; ++j) {
      const VecX column = calc_tau(s, VecX::Unit(s.system.nv, j), none) - b;
      EXPECT_LT((column - M.col(j)).norm(), 1e-13 * (1 + M.norm() + 10 * b.norm()));
    }
    EXPECT_EQ((M - M.transpose()).norm(), 0);
  });
}

TEST(DynamicsProperty, ForwardDynamicsIsADenseSolve) {
  // M vdot = tau + sum J' F - b over the joints that are free to move, with the prescribed vdot on the right.
  for_each_tree(3, 0.3, [](TreeSample& s) {
    const std::vector<int> free = find_free_velocities(s.system);
    const MatX M = calc_M(s);
    VecX known = VecX::Zero(s.system.nv);
    for (const Joint& joint : s.system.joints) {
      if (joint.prescribed()) known.segment(joint.v_start, joint.nv) = s.vdot.segment(joint.v_start, joint.nv);
    }
    VecX rhs = s.tau - calc_tau(s, VecX::Zero(s.system.nv), std::vector<Vec6>(s.F.size(), Vec6::Zero())) - M * known;
    for (int b = 1; b < s.system.n_bodies(); ++b) add_body_force(s.system, s.kinematics, b, s.F[b], rhs);
    VecX tau = s.tau;
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, tau, s.vdot);
    if (free.empty()) return;
    const MatX M_free = M(free, free);
    const VecX expected = M_free.ldlt().solve(rhs(free));
    // The dense solve loses digits by the condition of M, up to 1e4 here.
    const VecX solved = s.vdot(free);
    EXPECT_LT((solved - expected).norm(), 1e-9 * (1 + expected.norm()));
    EXPECT_LT((M_free * solved - rhs(free)).norm(), 1e-10 * (1 + rhs.norm() + M_free.norm() * solved.norm()));
  });
}

TEST(DynamicsProperty, InverseMassProductIsADenseSolve) {
  for_each_tree(4, 0.3, [](TreeSample& s) {
    const std::vector<int> free = find_free_velocities(s.system);
    VecX x = VecX::Ones(s.system.nv);
    calc_inverse_mass_product(s.system, s.kinematics, s.dynamics, s.tau, x);
    if (!free.empty()) {
      const MatX M = calc_M(s);
      const MatX M_free = M(free, free);
      const VecX expected = M_free.ldlt().solve(s.tau(free));
      const VecX solved = x(free);
      EXPECT_LT((solved - expected).norm(), 1e-9 * (1 + expected.norm()));
    }
    for (const Joint& joint : s.system.joints) {
      if (!joint.prescribed()) continue;
      EXPECT_EQ(x.segment(joint.v_start, joint.nv).norm(), 0);
    }
  });
}

TEST(DynamicsProperty, InverseMassProductLeavesResultsAlone) {
  for_each_tree(5, 0.3, [](TreeSample& s) {
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, s.tau, s.vdot);
    const std::vector<Vec6> A = s.dynamics.A_WB, F_joint = s.dynamics.F_joint;
    const VecX vdot = s.vdot;
    VecX x(s.system.nv);
    calc_inverse_mass_product(s.system, s.kinematics, s.dynamics, s.tau, x);
    calc_M(s);
    EXPECT_EQ(s.dynamics.A_WB, A);
    EXPECT_EQ(s.dynamics.F_joint, F_joint);
    // The factorisation is still there: the same forces give the same accelerations, bit for bit.
    VecX tau = s.tau;
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, tau, s.vdot);
    EXPECT_EQ(s.vdot, vdot);
  });
}

TEST(DynamicsProperty, JacobianMapsVelocitiesAndForces) {
  for_each_tree(6, 0.3, [](TreeSample& s) {
    const Vec3 p_BQ(0.4, -0.3, 0.2);
    for (int b = 1; b < s.system.n_bodies(); ++b) {
      MatX J;
      calc_frame_jacobian(s.system, s.kinematics, b, p_BQ, J);
      const Vec6 V = J * s.v;
      const double tolerance = 1e-13 * (1 + V.norm()) * s.system.n_bodies();
      EXPECT_LT((angular(V) - angular(s.kinematics.V_WB[b])).norm(), tolerance);
      EXPECT_LT((linear(V) - calc_point_velocity(s.kinematics, b, p_BQ)).norm(), tolerance);
      // J' F for a force at Q equals the force moved to the body's origin.
      VecX tau = VecX::Zero(s.system.nv);
      add_body_force(s.system, s.kinematics, b, shift_force(s.F[b], s.kinematics.X_WB[b].R * p_BQ), tau);
      EXPECT_LT((tau - J.transpose() * s.F[b]).norm(), 1e-12 * (1 + tau.norm()));
    }
  });
}

TEST(DynamicsProperty, JacobianIsTheDerivativeOfPositions) {
  Random random(7);
  for (int i = 0; i < 10; ++i) {
    const TreeSample s(make_random_tree(random), random);
    const int b = s.system.n_bodies() - 1;
    MatX J;
    calc_frame_jacobian(s.system, s.kinematics, b, Vec3(1, 2, 3), J);
    for (int j = 0; j < s.system.nv; ++j) {
      const Vec3 expected = calc_derivative([&](double h) {
        VecX q = s.q;
        add_displacement(TreePlan(s.system), h * VecX::Unit(s.system.nv, j), q);
        Kinematics k(s.system);
        update_positions(s.system, q, k);
        return calc_point_position(k, b, Vec3(1, 2, 3));
      });
      // A unit turn of an arm of 30 m: rounding 30 * 2e-16 / 1e-3.
      EXPECT_LT((J.col(j).tail<3>() - expected).norm(), 1e-10);
    }
  }
}

TEST(DynamicsProperty, PowerOfTheForcesChangesTheEnergy) {
  // d(T + V)/dt = tau . v + sum F . V, drives of prescribed joints included.
  for_each_tree(8, 0.3, [](TreeSample& s) {
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, s.tau, s.vdot);
    double power = s.tau.dot(s.v), scale = calc_kinetic_energy(s.system, s.kinematics) + std::abs(power);
    for (int b = 1; b < s.system.n_bodies(); ++b) power += s.F[b].dot(s.kinematics.V_WB[b]);
    const double rate = s.rate(true);
    const double expected = calc_derivative(
        [&](double step) {
          TreeSample moved = calc_moved(s, step);
          return calc_energy(moved);
        },
        1e-2 / rate);
    // The relative error of the difference, 3e-10, against the sum of terms that cancel.
    scale += std::abs(calc_energy(s));
    EXPECT_NEAR(power, expected, 1e-8 * scale * rate);
  });
}

TEST(DynamicsProperty, OnlyGravityAndForcesChangeTheMomentum) {
  // A tree on a free root: d(momentum)/dt = m g + sum F, d(angular momentum)/dt = their moments about the origin.
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const System tree = make_random_tree(random);
    System floating = make_world();
    floating.gravity = tree.gravity;
    for (int b = 1; b < tree.n_bodies(); ++b) {
      Joint joint = tree.joints[b];
      if (b == 1) joint.kind = JointFree{};
      if (b > 1) joint.parent = std::max(1, joint.parent);
      add_body(floating, joint, tree.bodies[b].mass);
    }
    TreeSample s(floating, random);
    // The root's free joint does not push on the world.
    s.tau.head<6>().setZero();
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, s.tau, s.vdot);
    Vec6 expected = Vec6::Zero();
    for (int b = 1; b < s.system.n_bodies(); ++b) {
      const Vec3 weight = s.system.bodies[b].mass.mass * s.system.gravity;
      const Vec3 at = calc_point_position(s.kinematics, b, s.system.bodies[b].mass.com);
      expected += shift_force(s.F[b], s.kinematics.X_WB[b].p) + make_spatial(at.cross(weight), weight);
    }
    const double rate = s.rate(true);
    const Vec6 change = calc_derivative(
        [&](double step) {
          const TreeSample moved = calc_moved(s, step);
          return calc_momentum(moved.system, moved.kinematics);
        },
        1e-2 / rate);
    const double scale = calc_momentum(s.system, s.kinematics).norm() + 1;
    EXPECT_LT((change - expected).norm(), 1e-8 * scale * rate);
  }
}

TEST(DynamicsProperty, NothingAllocates) {
  Random random(10);
  for (int i = 0; i < 20; ++i) {
    TreeSample s(make_random_tree(random, {12, 0.2}), random);
    VecX x(s.system.nv), dq(s.system.nq);
    MatX M(s.system.nv, s.system.nv), J(6, s.system.nv);
    double sum = 0;
    const std::int64_t before = count_allocations();
    update_prescribed(s.system, s.kinematics.plan, s.t, s.q, s.v, s.vdot);
    s.update();
    calc_forward_dynamics(s.system, s.kinematics, s.dynamics, s.F, s.tau, s.vdot);
    calc_inverse_dynamics(s.system, s.kinematics, s.vdot, s.F, s.dynamics, s.tau);
    calc_inverse_mass_product(s.system, s.kinematics, s.dynamics, s.tau, x);
    calc_mass_matrix(s.system, s.kinematics, s.dynamics, M);
    calc_frame_jacobian(s.system, s.kinematics, 5, Vec3::UnitX(), J);
    add_body_force(s.system, s.kinematics, 5, s.F[5], x);
    calc_rates(s.kinematics.plan, s.q, s.v, dq);
    add_displacement(s.kinematics.plan, s.v, s.q);
    normalize_quaternions(s.kinematics.plan, s.q);
    sum += calc_energy(s) + calc_momentum(s.system, s.kinematics).norm();
    EXPECT_EQ(count_allocations() - before, 0);
    EXPECT_TRUE(std::isfinite(sum));
  }
  // The counter sees Eigen's own allocations.
  const std::int64_t before = count_allocations();
  const VecX fresh = VecX::Zero(1000);
  EXPECT_EQ(count_allocations() - before, fresh.size() == 1000 ? 1 : 0);
}

}  // namespace
}  // namespace stiction
