// Closed forms of mechanics, written out here without the library's help.
#include "stiction/multibody/dynamics.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test/unit/multibody/random_tree.h"

namespace stiction {
namespace {

constexpr double g = 9.81;

Joint make_joint(const JointKind& kind, int parent, const Vec3& at) {
  Joint joint;
  joint.kind = kind;
  joint.parent = parent;
  joint.X_PF.p = at;
  return joint;
}

/// Accelerations at (q, v) under tau; vdot holds the prescribed ones on entry.
struct Evaluation {
  Evaluation(const System& system, const VecX& q, const VecX& v, VecX joint_force, VecX acceleration)
      : kinematics(system), dynamics(system), tau(std::move(joint_force)), vdot(std::move(acceleration)) {
    update_positions(system, q, kinematics);
    update_velocities(system, v, kinematics);
    update_articulated_inertia(system, kinematics, dynamics);
    calc_forward_dynamics(system, kinematics, dynamics, std::vector<Vec6>(system.bodies.size(), Vec6::Zero()), tau,
                          vdot);
  }
  Evaluation(const System& system, const VecX& q, const VecX& v)
      : Evaluation(system, q, v, VecX::Zero(system.nv), VecX::Zero(system.nv)) {}
  Kinematics kinematics;
  TreeDynamics dynamics;
  VecX tau, vdot;
};

VecX make(std::initializer_list<double> values) {
  VecX x(static_cast<int>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

TEST(Dynamics, PhysicalPendulum) {
  // Turning about z in the x-y plane, gravity along -y, centre of mass at distance l from the pivot, angle from -y:
  // (J + m l^2) angle'' = -m g l sin(angle).
  const double m = 2, l = 0.7, J = 0.3;
  System system = make_world();
  system.gravity = Vec3(0, -g, 0);
  add_body(system, make_joint(JointRevolute{}, 0, Vec3(1, 2, 3)), {m, Vec3(0, -l, 0), Vec3(0.1, 0.2, J).asDiagonal()});
  for (double angle : {-2.0, 0.3, 1.5}) {
    const Evaluation e(system, make({angle}), make({1.7}));
    EXPECT_NEAR(e.vdot[0], -m * g * l * std::sin(angle) / (J + m * l * l), 1e-14);
    // The pivot's force: m (a_c - g) with a_c = l angle'' tangentially, l angle'^2 towards the pivot.
    const Vec3 tangent(std::cos(angle), std::sin(angle), 0), inward(-std::sin(angle), std::cos(angle), 0);
    const Vec3 a_c = l * e.vdot[0] * tangent + l * 1.7 * 1.7 * inward;
    EXPECT_LT((linear(e.dynamics.F_joint[1]) - m * (a_c + Vec3(0, g, 0))).norm(), 1e-13);
  }
}

TEST(Dynamics, SmallOscillationFrequency) {
  // omega^2 = -d angle''/d angle at rest = m g l / (J + m l^2) for a rod of length 2 l: 3 g / (4 l).
  const double m = 1.3, l = 0.5;
  System system = make_world();
  system.gravity = Vec3(0, -g, 0);
  add_body(system, make_joint(JointRevolute{}, 0, Vec3::Zero()),
           {m, Vec3(0, -l, 0), m * l * l / 3 * Vec3(1, 0, 1).asDiagonal().toDenseMatrix()});
  const double slope =
      calc_derivative([&](double angle) { return Evaluation(system, make({angle}), make({0})).vdot[0]; });
  EXPECT_NEAR(std::sqrt(-slope), std::sqrt(3 * g / (4 * l)), 1e-11);
}

TEST(Dynamics, DoublePendulum) {
  // Point masses m1, m2 on massless rods l1, l2, angles a1, a2 from the vertical (a2 absolute). Lagrange's equations:
  //   (m1 + m2) l1 a1'' + m2 l2 a2'' cos d + m2 l2 a2'^2 sin d + (m1 + m2) g sin a1 = 0,   d = a1 - a2
  //   l2 a2'' + l1 a1'' cos d - l1 a1'^2 sin d + g sin a2 = 0
  const double m1 = 1.2, m2 = 0.8, l1 = 0.9, l2 = 0.6;
  System system = make_world();
  system.gravity = Vec3(0, -g, 0);
  add_body(system, make_joint(JointRevolute{}, 0, Vec3::Zero()), {m1, Vec3(0, -l1, 0), Mat3::Zero()});
  add_body(system, make_joint(JointRevolute{}, 1, Vec3(0, -l1, 0)), {m2, Vec3(0, -l2, 0), Mat3::Zero()});
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const double a1 = random.uniform(-3, 3), a2 = random.uniform(-3, 3), w1 = random.uniform(-3, 3),
                 w2 = random.uniform(-3, 3), d = a1 - a2;
    Eigen::Matrix2d A;
    A << (m1 + m2) * l1, m2 * l2 * std::cos(d), l1 * std::cos(d), l2;
    const Eigen::Vector2d rhs(-m2 * l2 * w2 * w2 * std::sin(d) - (m1 + m2) * g * std::sin(a1),
                              l1 * w1 * w1 * std::sin(d) - g * std::sin(a2));
    const Eigen::Vector2d expected = A.inverse() * rhs;
    const Evaluation e(system, make({a1, a2 - a1}), make({w1, w2 - w1}));
    EXPECT_NEAR(e.vdot[0], expected[0], 1e-12);
    EXPECT_NEAR(e.vdot[0] + e.vdot[1], expected[1], 1e-12);
  }
}

TEST(Dynamics, ScrewUnderGravityAndTorque) {
  // A nut on a vertical screw: (J + m p^2) angle'' = torque - m g p.
  const double m = 2, J = 0.04, pitch = 0.05, torque = 1.5;
  System system = make_world();
  system.gravity = Vec3(0, 0, -g);
  add_body(system, make_joint(JointScrew{pitch}, 0, Vec3::Zero()),
           {m, Vec3(0, 0, 0.2), Vec3(0.1, 0.1, J).asDiagonal()});
  const Evaluation e(system, make({2.0}), make({3.0}), make({torque}), make({0}));
  EXPECT_NEAR(e.vdot[0], (torque - m * g * pitch) / (J + m * pitch * pitch), 1e-12);
  EXPECT_NEAR(e.dynamics.A_WB[1][5], pitch * e.vdot[0], 1e-13);
}

TEST(Dynamics, TorqueFreeBodyObeysEulersEquations) {
  // J w' + w x J w = 0 in body axes, the centre of mass falls freely: with the frames of a scene (F = W, M = B) and
  // with frames turned and displaced.
  Random random(2);
  for (bool plain : {true, false}) {
    System system = make_world();
    system.gravity = Vec3(1, 2, -g);
    const MassProperties mass = make_random_mass(random);
    Joint joint = make_joint(JointFree{}, 0, Vec3::Zero());
    if (!plain) joint.X_PF = make_random_transform(random), joint.X_MB = make_random_transform(random);
    add_body(system, joint, mass);
    VecX q = make_random_values(random, 7);
    normalize_quaternions(TreePlan(system), q);
    const Evaluation e(system, q, make_random_values(random, 6));
    ASSERT_EQ(e.kinematics.plan.joints[1].plain, plain);
    const Mat3 R = e.kinematics.X_WB[1].R;
    const Vec3 w = e.kinematics.V_WB[1].head<3>(), w_B = R.transpose() * w;
    const Vec3 alpha = e.dynamics.A_WB[1].head<3>(), a = e.dynamics.A_WB[1].tail<3>();
    const Vec3 expected = -mass.inertia.inverse() * w_B.cross(mass.inertia * w_B);
    EXPECT_LT((R.transpose() * alpha - expected).norm(), 1e-12);
    const Vec3 c = R * mass.com;
    EXPECT_LT((a + alpha.cross(c) + w.cross(w.cross(c)) - system.gravity).norm(), 1e-12);
  }
}

TEST(Dynamics, BeadOnATurningRod) {
  // Rod turning at the prescribed rate W, bead at r: r'' = W^2 r, and the drive's torque is 2 m r r' W + m r^2 W'.
  const double m = 0.5, W = 3, W_dot = 0.7, r = 0.8, r_dot = 0.4;
  System system = make_world();
  Joint rod = make_joint(JointRevolute{}, 0, Vec3::Zero());
  rod.motion.emplace(CoordinateMotion{{make_constant(0)}});
  add_body(system, rod, {});
  Joint slide = make_joint(JointPrismatic{}, 1, Vec3::Zero());
  // Slides along x of the rod.
  slide.X_PF.R.col(0) = Vec3::UnitY();
  slide.X_PF.R.col(1) = Vec3::UnitZ();
  slide.X_PF.R.col(2) = Vec3::UnitX();
  add_body(system, slide, {m, Vec3::Zero(), Mat3::Zero()});
  const Evaluation e(system, make({0.3, r}), make({W, r_dot}), make({0, 0}), make({W_dot, 0}));
  EXPECT_NEAR(e.vdot[1], W * W * r, 1e-13);
  EXPECT_NEAR(e.tau[0], 2 * m * r * r_dot * W + m * r * r * W_dot, 1e-13);
  EXPECT_EQ(e.vdot[0], W_dot);
}

TEST(Dynamics, PendulumOnADrivenMasslessCart) {
  // Support with acceleration a along x: l angle'' = -g sin(angle) - a cos(angle).
  const double l = 0.6, a = 4;
  System system = make_world();
  system.gravity = Vec3(0, -g, 0);
  Joint cart = make_joint(JointPlanar{}, 0, Vec3::Zero());
  cart.motion.emplace(CoordinateMotion{{make_constant(0), make_constant(0), make_constant(0)}});
  add_body(system, cart, {});
  add_body(system, make_joint(JointRevolute{}, 1, Vec3::Zero()), {1.1, Vec3(0, -l, 0), Mat3::Zero()});
  const double angle = 0.9;
  const Evaluation e(system, make({1, 2, 0, angle}), make({0.3, 0, 0, 2.2}), VecX::Zero(4), make({a, 0, 0, 0}));
  EXPECT_NEAR(e.vdot[3], -(g * std::sin(angle) + a * std::cos(angle)) / l, 1e-12);
}

TEST(Dynamics, UniversalJointGyroscope) {
  // A wheel spins at s about the second axis e, which the first axis z turns at W. Its angular momentum along e, J s e,
  // turns with it: the joint supplies the torque J s W (z x e), normal to both axes.
  const double J = 0.2, W = 3, s = 50;
  System system = make_world();
  Joint joint = make_joint(JointUniversal{}, 0, Vec3::Zero());
  joint.motion.emplace(CoordinateMotion{{make_constant(0), make_constant(0)}});
  add_body(system, joint, {1, Vec3::Zero(), Vec3(J, 0.1, 0.1).asDiagonal()});
  const Evaluation e(system, make({0, 0}), make({W, s}));
  EXPECT_LT((e.dynamics.F_joint[1].head<3>() - J * s * W * Vec3::UnitY()).norm(), 1e-12);
  // Its angular acceleration is that of the axis e: W s (z x e).
  EXPECT_LT((e.dynamics.A_WB[1].head<3>() - W * s * Vec3::UnitY()).norm(), 1e-12);
}

TEST(Dynamics, FixedBodiesCarryWeight) {
  // Two bodies welded to the world carry a hanging free-turning body at rest: joint forces are sums of weights, moments
  // are weights times horizontal offsets.
  System system = make_world();
  system.gravity = Vec3(0, 0, -g);
  add_body(system, make_joint(JointWeld{}, 0, Vec3(1, 0, 0)), {2, Vec3(0.5, 0, 0), Mat3::Identity()});
  add_body(system, make_joint(JointWeld{}, 1, Vec3(1, 0, 0)), {3, Vec3::Zero(), Mat3::Identity()});
  add_body(system, make_joint(JointSpherical{}, 2, Vec3(0.25, 0, 0)), {4, Vec3(0, 0, -1), Mat3::Identity()});
  const Evaluation e(system, make({1, 0, 0, 0}), VecX::Zero(3));
  EXPECT_LT(e.vdot.norm(), 1e-14);
  const std::vector<Vec6> none(4, Vec6::Zero());
  const auto force = [&](int body) { return calc_joint_force(system, e.kinematics, none, e.dynamics, body); };
  EXPECT_NEAR(force(3)[5], 4 * g, 1e-12);
  EXPECT_NEAR(force(2)[5], 7 * g, 1e-12);
  EXPECT_NEAR(force(1)[5], 9 * g, 1e-12);
  // Torque about y that holds weights at x: -(sum of x m g) turned: n = r x (0, 0, m g) = (0, -x m g, 0).
  EXPECT_NEAR(force(1)[1], -g * (2 * 0.5 + 3 * 1 + 4 * 1.25), 1e-12);
  EXPECT_EQ(e.dynamics.A_WB[1].norm(), 0);
}

TEST(Dynamics, EnergyAndMomentumOfASpinningBody) {
  // T = 1/2 m v_c^2 + 1/2 w . J w, V = -m g . p_c, L = J w + p_c x m v_c.
  System system = make_world();
  system.gravity = Vec3(0, 0, -g);
  add_body(system, make_joint(JointFree{}, 0, Vec3::Zero()), {2, Vec3(0.1, 0, 0), Vec3(1, 2, 3).asDiagonal()});
  Kinematics k(system);
  update_positions(system, make({1, 0, 0, 0, 5, 6, 7}), k);
  update_velocities(system, make({0, 0, 4, 1, 0, 0}), k);
  const Vec3 v_c(1, 0.4, 0), p_c(5.1, 6, 7);
  EXPECT_NEAR(calc_kinetic_energy(system, k), 0.5 * 2 * v_c.squaredNorm() + 0.5 * 3 * 16, 1e-13);
  EXPECT_NEAR(calc_potential_energy(system, k), 2 * g * 7, 1e-12);
  const Vec6 momentum = calc_momentum(system, k);
  EXPECT_LT((linear(momentum) - 2 * v_c).norm(), 1e-14);
  EXPECT_LT((angular(momentum) - Vec3(0, 0, 12) - p_c.cross(2 * v_c)).norm(), 1e-13);
}

}  // namespace
}  // namespace stiction
