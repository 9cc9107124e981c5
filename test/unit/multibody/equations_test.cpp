#include "stiction/multibody/equations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "test/unit/multibody/planar_linkages.h"

namespace stiction {
namespace {

TEST(Equations, FreeBodyFalls) {
  Random random(1);
  System system = make_world();
  system.gravity = Vec3(0, 0, -9.81);
  add_free_body(system, {2, Vec3::Zero(), Mat3::Identity()});
  State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
  state.q[0] = 1;
  state.v << 0, 0, 3, 1, 2, 4;
  Equations equations(system);
  equations.evaluate(state);
  Vec6 expected;
  expected << 0, 0, 0, 0, 0, -9.81;
  EXPECT_LT((equations.dv() - expected).norm(), 1e-14);
  // A quaternion at rest turning at 3 rad/s about z: its z entry grows by half of that.
  Eigen::Matrix<double, 7, 1> rates;
  rates << 0, 0, 0, 1.5, 1, 2, 4;
  EXPECT_LT((equations.dq() - rates).norm(), 1e-14);
  // 1/2 m v^2 + 1/2 J w^2
  EXPECT_NEAR(equations.kinetic_energy(), 21 + 4.5, 1e-13);
  EXPECT_EQ(equations.dz(), VecX::Zero(ledger_size));
}

/// Force of the hinge on a pendulum, in constraint form: Newton's law at the closed-form acceleration.
TEST(Equations, PendulumReactionAgainstClosedForm) {
  const double m = 1.3, l = 0.8, inertia = 0.2, g = 9.81;
  for (const double theta : {0.0, 0.6, 2.5})
    for (const double omega : {0.0, 4.0}) {
      System system = make_world();
      system.gravity = Vec3(0, -g, 0);
      add_free_body(system, {m, Vec3::Zero(), inertia * Mat3::Identity()});
      NamedJoint hinge;
      hinge.kind = JointRevolute{};
      hinge.child = 1;
      hinge.X_MB.p = Vec3(0, -l, 0);
      add_constraint_joint(system, hinge);
      State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
      // theta from the hanging position, about z.
      const Vec3 r = l * Vec3(std::sin(theta), -std::cos(theta), 0), w(0, 0, omega);
      set_free_body(system, 1, {make_rotation_z(theta), r}, make_spatial(w, w.cross(r)), state);
      Equations equations(system);
      equations.evaluate(state);
      const double alpha = -m * g * l * std::sin(theta) / (inertia + m * l * l);
      const Vec3 a = Vec3(0, 0, alpha).cross(r) + w.cross(w.cross(r));
      EXPECT_LT((equations.dynamics().A_WB[1] - make_spatial(Vec3(0, 0, alpha), a)).norm(), 1e-12);
      const Vec3 force = m * a + Vec3(0, m * g, 0);
      const Vec6 reaction = equations.calc_constraint_force(0);
      EXPECT_LT((linear(reaction) - force).norm(), 1e-12);
      EXPECT_LT((angular(reaction) - (-r).cross(force)).norm(), 1e-12);
      // Hanging at rest or swinging through: m g + m omega^2 l, upwards; the second row is the force along y.
      if (theta == 0) {
        EXPECT_NEAR(equations.lambda()[1], m * g + m * omega * omega * l, 1e-12);
      }
    }
}

TEST(Equations, DrivenSliderCrankAgainstClosedForm) {
  for (const double theta : {0.0, 0.7, 2.0, 3.1, 5.5})
    for (const bool planar : {false, true}) {
      SliderCrank given;
      given.crank.angle = theta;
      const Linkage linkage = make_slider_crank(given, true, planar);
      Equations equations(linkage.system);
      equations.evaluate(linkage.state);
      EXPECT_EQ(equations.n_rows(), planar ? 2 : 5);
      EXPECT_EQ(equations.constraints().rank(), 2);
      // x = r cos + s, s = sqrt(l^2 - r^2 sin^2), twice differentiated at constant rate.
      const double r = given.crank.length, l = given.rod.length, w = given.crank.rate;
      const double si = std::sin(theta), co = std::cos(theta), s = std::sqrt(l * l - r * r * si * si);
      const double expected =
          -w * w * (r * co + r * r * (co * co - si * si) / s + r * r * r * r * si * si * co * co / (s * s * s));
      EXPECT_NEAR(equations.dv()[2], expected, 1e-12);
      EXPECT_NEAR(equations.dynamics().A_WB[3][3], expected, 1e-12);
    }
}

TEST(Equations, FreeSliderCrankAgainstItsEffectiveInertia) {
  // One degree of freedom: T = 1/2 I(theta) omega^2 gives alpha = -1/2 I'(theta) / I omega^2.
  const SliderCrank given;
  const double r = given.crank.length, l = given.rod.length;
  const auto effective_inertia = [&](double theta) {
    const double phi = std::asin(r * std::sin(theta) / l), phi_rate = r * std::cos(theta) / (l * std::cos(phi));
    const double x_rate = -r * std::sin(theta) - l * std::sin(phi) * phi_rate;
    const double rod_x = -r * std::sin(theta) - 0.5 * l * std::sin(phi) * phi_rate, rod_y = 0.5 * r * std::cos(theta);
    return given.crank.inertia + given.crank.mass * 0.25 * r * r + given.rod.inertia * phi_rate * phi_rate +
           given.rod.mass * (rod_x * rod_x + rod_y * rod_y) + given.piston_mass * x_rate * x_rate;
  };
  for (const bool planar : {false, true}) {
    const Linkage linkage = make_slider_crank(given, false, planar);
    Equations equations(linkage.system);
    equations.evaluate(linkage.state);
    const double theta = given.crank.angle, w = given.crank.rate;
    const double slope = calc_derivative([&](double h) { return effective_inertia(theta + h); });
    EXPECT_NEAR(equations.kinetic_energy(), 0.5 * effective_inertia(theta) * w * w, 1e-12);
    EXPECT_NEAR(equations.dv()[0], -0.5 * slope / effective_inertia(theta) * w * w, 1e-9);
  }
}

TEST(Equations, RedundantLoopMovesLikeThePlanarOne) {
  for (const double angle : {0.3, 1.2, 2.9, 4.4}) {
    const std::vector<Link> links = make_four_bar(angle, 2.5);
    std::vector<Vec6> expected;
    // Rows, and how many of them are independent: a spatial four-bar of parallel axes has three rows too many.
    struct Case {
      LinkageForm form;
      int rows, rank;
    };
    for (const Case& c : {Case{LinkageForm::planar_bodies, 8, 8}, Case{LinkageForm::planar_tree, 2, 2},
                          Case{LinkageForm::tree, 5, 2}, Case{LinkageForm::free_bodies, 20, 17}}) {
      Linkage linkage = make_closed_chain(links, c.form);
      linkage.system.gravity = Vec3(0, -9.81, 0);
      Equations equations(linkage.system);
      const State& s = linkage.state;
      EXPECT_LT(equations.calc_drift(0, s.q, s.v, s.z).velocity, 1e-13);
      equations.evaluate(s);
      EXPECT_EQ(equations.n_rows(), c.rows);
      EXPECT_EQ(equations.constraints().rank(), c.rank);
      const auto& A = equations.dynamics().A_WB;
      if (expected.empty()) expected = A;
      for (int b = 1; b <= 3; ++b) EXPECT_LT((A[b] - expected[b]).norm(), 1e-10 * (1 + expected[b].norm()));
    }
  }
}

TEST(Equations, DriveOfAPrescribedJointAndOfAMovingConstraint) {
  // A lift of 2 kg: z = 0.3 sin(2 pi t). In both forms the drive is m (a + g) and its power that times v; a spring
  // beside it carries its own share.
  const Sine motion{0.3, 1, 0, 0};
  const double t = 0.2, m = 2, g = 9.81, k = 50;
  const Sample at = calc_sample(motion, t);
  const SpringTorsional spring{{0, 0}, k, 0, 0};

  System tree = make_world();
  tree.gravity = Vec3(0, 0, -g);
  Joint joint;
  joint.kind = JointPrismatic{};
  joint.motion = CoordinateMotion{{motion}};
  add_body(tree, joint, {m, Vec3::Zero(), Mat3::Identity()});
  add_tree_name(tree, 1);
  tree.forces = {{"spring", spring}};
  Equations driven(tree);
  // q and v are ignored: the prescribed ones are put in place.
  driven.evaluate(t, VecX::Constant(1, 7.0), VecX::Constant(1, 9.0), VecX::Zero(ledger_size), {});
  EXPECT_DOUBLE_EQ(driven.q()[0], at.value);
  EXPECT_DOUBLE_EQ(driven.dq()[0], at.rate);
  EXPECT_DOUBLE_EQ(driven.dv()[0], at.acceleration);
  EXPECT_NEAR(driven.tau()[0], m * (at.acceleration + g), 1e-12);
  const double power = (m * (at.acceleration + g) + k * at.value) * at.rate;
  EXPECT_NEAR(driven.input_power(), power, 1e-12);
  EXPECT_NEAR(driven.stored_energy(), 0.5 * k * at.value * at.value, 1e-13);

  System free = make_world();
  free.gravity = tree.gravity;
  add_free_body(free, {m, Vec3::Zero(), Mat3::Identity()});
  add_constraint_joint(free, tree.named_joints[0]);
  free.constraints.push_back({"driver", {}, {RowCoupler{{{0, 0}}, {1}, motion}}});
  free.forces = tree.forces;
  State state = make_state(free, VecX::Zero(7), VecX::Zero(6));
  state.t = t;
  state.q[0] = 1, state.q[6] = at.value, state.v[5] = at.rate;
  Equations coupled(free);
  coupled.evaluate(state);
  EXPECT_NEAR(coupled.dv()[5], at.acceleration, 1e-12);
  EXPECT_NEAR(coupled.lambda()[5], m * (at.acceleration + g) + k * at.value, 1e-12);
  EXPECT_NEAR(coupled.input_power(), power, 1e-12);
}

TEST(Equations, GearsShareTheTorque) {
  // Two wheels, q0 + 2 q1 = 0, a motor of 3 N m on the first: (J0 + J1/4) a0 = 3.
  System system = make_world();
  const double J0 = 0.4, J1 = 1.2;
  for (const double J : {J0, J1}) {
    Joint joint;
    joint.kind = JointRevolute{};
    add_tree_name(system, add_body(system, joint, {1, Vec3::Zero(), J * Mat3::Identity()}));
  }
  system.constraints = {{"gears", {}, {RowCoupler{{{0, 0}, {1, 0}}, {1, 2}, make_constant(0)}}}};
  Motor motor;
  motor.effort = make_constant(3);
  system.forces = {{"motor", motor}};
  Equations equations(system);
  equations.evaluate(make_state(system, VecX::Zero(2), VecX::Zero(2)));
  const double a0 = 3 / (J0 + J1 / 4);
  EXPECT_NEAR(equations.dv()[0], a0, 1e-13);
  EXPECT_NEAR(equations.dv()[1], -a0 / 2, 1e-13);
  EXPECT_NEAR(equations.lambda()[0], J0 * a0 - 3, 1e-13);
  EXPECT_NEAR(equations.tau()[1], -J1 * a0 / 2, 1e-13);
}

/// A random tree with prescribed joints, every force element, a loop and couplers, on its constraints.
struct Everything {
  explicit Everything(Random& random) {
    system = make_random_tree(random, {9, 0.2});
    // Some joints with coordinates for certain, at the end of the tree.
    for (const JointKind& kind :
         {JointKind(JointRevolute{}), JointKind(JointPrismatic{}), JointKind(JointCylindrical{}),
          JointKind(JointUniversal{}), JointKind(JointSpherical{}), JointKind(JointFree{})}) {
      Joint joint;
      joint.kind = kind;
      joint.parent = random.index(system.n_bodies());
      joint.X_PF = make_random_transform(random), joint.X_MB = make_random_transform(random);
      add_tree_name(system, add_body(system, joint, make_random_mass(random)));
    }
    add_elements(random);
    state = make_state(system, make_random_values(random, system.nq), make_random_values(random, system.nv));
    state.t = 0.3;
    normalize_quaternions(TreePlan(system), state.q);
    add_loop(random);
    state.z = VecX::Zero(system.nz);
  }

  void add_elements(Random& random) {
    const int n = system.n_bodies();
    const auto attach = [&] { return Attachment{random.index(n), make_random_vector(random)}; };
    const auto matrix = [&] {
      Mat6 A;
      for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = random.uniform(-1, 1);
      return Mat6(A * A.transpose());
    };
    system.n_modes = 2;
    Bushing bushing{random.index(n), n - 1, make_random_transform(random), {}, matrix(), matrix()};
    bushing.friction = make_random_values(random, 6).cwiseAbs();
    Motor motor{{0, 0}, Sine{1, 0.5, 0, 0}, Sine{1, 1, 0, 0}, {}, 5, 1, 4};
    AppliedForce push{attach(), {make_constant(1), Sine{2, 1, 0, 0}, make_constant(0)}, {make_constant(1)}, true};
    system.forces = {
        {"spring", SpringLinear{attach(), attach(), 8, 1, 0.5}},
        {"rope", SpringLinear{attach(), attach(), 8, 1, 0.5, SpringSide::tension, 0}},
        {"bumper", SpringLinear{attach(), attach(), 8, 1, 3, SpringSide::compression, 1}},
        {"torsional", SpringTorsional{{2, 0}, 4, 0.3, 0.2}},
        {"damper", Damper{attach(), attach(), matrix().topLeftCorner<3, 3>(), make_random_transform(random).R}},
        {"bushing", bushing},
        {"spatial", SpringSpatial{random.index(n),
                                  n - 1,
                                  make_random_transform(random),
                                  {},
                                  matrix().topLeftCorner<3, 3>(),
                                  matrix().topLeftCorner<3, 3>(),
                                  matrix().topLeftCorner<3, 3>(),
                                  matrix()}},
        {"push", push},
        {"motor", motor}};
  }

  /// A ball joint and a hinge in constraint form that hold at the state, a rod of the length it has, a moving coupler.
  void add_loop(Random& random) {
    Kinematics kinematics(system);
    VecX ignored = VecX::Zero(system.nv);
    update_prescribed(system, state.t, state.q, state.v, ignored);
    update_positions(system, state.q, kinematics);
    const int n = system.n_bodies();
    const auto relative = [&](int a, int b) { return kinematics.X_WB[b].inverse() * kinematics.X_WB[a]; };
    NamedJoint ball, hinge;
    ball.kind = JointSpherical{};
    ball.parent = 1, ball.child = n - 1;
    ball.X_PF = make_random_transform(random);
    ball.X_MB = (relative(1, n - 1) * ball.X_PF).inverse();
    add_constraint_joint(system, ball);
    hinge.kind = JointRevolute{};
    hinge.parent = n - 2, hinge.child = add_free_body(system, make_random_mass(random));
    hinge.X_PF = make_random_transform(random), hinge.X_MB = make_random_transform(random);
    const int measured = add_constraint_joint(system, hinge);
    // The hinged body stands at an angle of 0.
    state.q.conservativeResize(system.nq), state.v.conservativeResize(system.nv);
    state.v.tail(6).setZero();
    set_free_body(system, n, kinematics.X_WB[n - 2] * hinge.X_PF * hinge.X_MB, Vec6::Zero(), state);
    Kinematics all(system);
    update_positions(system, state.q, all);
    Constraint rod{"rod", {2, n - 3, make_random_transform(random), make_random_transform(random)}, {}};
    rod.rows = {RowDistance{calc_distance(calc_pair_pose(all, rod.frames)).value}};
    system.constraints.push_back(rod);
    // 1.2 q_slide - 0.4 q_hinge = sine, equal to its present value at t.
    const double value = 1.2 * state.q[system.joints[system.named_joints[1].child].q_start];
    const Sine offset{0.4, 0.7, 0, value - 0.4 * std::sin(2 * std::numbers::pi * 0.7 * state.t)};
    system.constraints.push_back({"coupler", {}, {RowCoupler{{{1, 0}, {measured, 0}}, {1.2, -0.4}, offset}}});
  }

  System system;
  State state;
};

/// On the constraints, and with velocities that violate them, where the constraint forces do work.
TEST(Equations, EnergyChangesByInputLessDissipationPlusWorkAgainstDrift) {
  Random random(7);
  for (int trial = 0; trial < 60; ++trial) {
    Everything sample(random);
    const System& system = sample.system;
    State& state = sample.state;
    Equations equations(system);
    const Equations::Projection assembled = equations.assemble(state);
    ASSERT_TRUE(assembled.converged) << "trial " << trial << " " << assembled.drift.position << " "
                                     << assembled.drift.velocity;
    const bool drifting = trial % 3 == 2;
    if (drifting) state.v += 0.1 * make_random_values(random, system.nv);
    equations.evaluate(state);
    if (!drifting) {
      EXPECT_NEAR(equations.dz()[ledger_projection], 0, 1e-11 * (1 + equations.lambda().norm()));
    }
    const double expected = equations.input_power() - equations.dissipated_power() + equations.dz()[ledger_projection];
    EXPECT_GE(equations.dissipated_power(), 0);
    // The energy along the motion q(s), v(s) at time t + s, by a five-point difference.
    Equations moved(system);
    double rate = 1;
    for (const Vec6& V : equations.kinematics().V_WB) rate = std::max(rate, V.norm());
    for (const Vec6& A : equations.dynamics().A_WB) rate = std::max(rate, std::sqrt(A.norm()));
    const auto energy_at = [&](double s) {
      VecX q = state.q;
      add_displacement(TreePlan(system), s * equations.v(), q);
      moved.evaluate(state.t + s, q, equations.v() + s * equations.dv(), state.z, state.modes);
      return moved.kinetic_energy() + moved.potential_energy() + moved.stored_energy();
    };
    const double measured = calc_derivative(energy_at, 1e-3 / rate);
    const double scale = 1 + std::abs(energy_at(0)) * rate;
    EXPECT_NEAR(measured, expected, 1e-8 * scale) << "trial " << trial;
    // The rows hold at the acceleration level.
    const ConstraintSet& rows = equations.constraints();
    const VecX residual = rows.jacobian_transposed().transpose() * equations.dv() + rows.gamma();
    EXPECT_LT(residual.lpNorm<Eigen::Infinity>(), 1e-9 * rate * rate) << "trial " << trial;
  }
}

}  // namespace
}  // namespace stiction
