#include "stiction/multibody/force.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test/unit/multibody/element_systems.h"

namespace stiction {
namespace {

/// A system at a state with its force elements summed up.
struct Sampled {
  Sampled(const System& s, const State& at) : system(s), state(at), kinematics(s), sum(s) { update(); }
  void update() {
    update_positions(system, state.q, kinematics);
    update_velocities(system, state.v, kinematics);
    sum.set_zero();
    add_forces({system, kinematics, state.t, state.q, state.v, state.z}, state.modes, sum);
  }
  /// Power of all forces on the bodies and joints.
  double power() const {
    double result = sum.tau.dot(state.v);
    for (std::size_t b = 0; b < sum.F.size(); ++b) result += sum.F[b].dot(kinematics.V_WB[b]);
    return result;
  }
  /// Total force and moment about the world's origin.
  Vec6 total() const {
    Vec6 result = Vec6::Zero();
    for (std::size_t b = 0; b < sum.F.size(); ++b) result += shift_force(sum.F[b], kinematics.X_WB[b].p);
    return result;
  }

  const System& system;
  State state;
  Kinematics kinematics;
  ForceSum sum;
};

/// What the elements deliver plus what they dissipate and store is what is fed in:
///     power = input - dissipated - d(stored)/dt,
/// the last by a five-point difference along the motion, its step small enough for points that pass each other closely.
void expect_balanced(const System& system, const State& state, double tolerance = 1e-8) {
  const Sampled at(system, state);
  const double stored_rate = calc_derivative(
      [&](double s) {
        State moved = state;
        add_displacement(TreePlan(system), s * state.v, moved.q);
        return Sampled(system, moved).sum.stored_energy;
      },
      2e-4);
  EXPECT_NEAR(at.power(), at.sum.input_power - at.sum.dissipated_power - stored_rate, tolerance);
}

/// Two free bodies at random poses and velocities.
struct TwoBodies {
  explicit TwoBodies(Random& random) : system(make_world()) {
    add_free_body(system, make_random_mass(random));
    add_free_body(system, make_random_mass(random));
    state = make_state(system, make_random_values(random, system.nq), make_random_values(random, system.nv));
    normalize_quaternions(TreePlan(system), state.q);
  }
  void add(const ForceKind& kind) { system.forces.push_back({"element", kind}); }
  System system;
  State state;
};

/// One body that slides along the world's z axis, origin at z = q.
struct Slider {
  Slider() : system(make_world()) {
    Joint joint;
    joint.kind = JointPrismatic{};
    add_body(system, joint, {2, Vec3::Zero(), Mat3::Identity()});
    add_tree_name(system, 1);
    state = make_state(system, VecX::Zero(1), VecX::Zero(1));
  }
  void move(double position, double velocity) { state.q[0] = position, state.v[0] = velocity; }
  double force(const ForceKind& kind) {
    system.forces = {{"element", kind}};
    return Sampled(system, state).sum.F[1][5];
  }
  System system;
  State state;
};

Mat6 make_semidefinite(Random& random) {
  Mat6 A;
  for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = random.uniform(-1, 1);
  return A * A.transpose();
}

TEST(SpringLinear, PullsAndDampsByHand) {
  // From (0, 0, 1) to the body's origin at z = 4: length 3, stretched by 1; moving away with 0.5 m/s.
  Slider slider;
  slider.move(4, 0.5);
  const SpringLinear spring{{0, Vec3(0, 0, 1)}, {1, Vec3::Zero()}, 10, 3, 2};
  EXPECT_DOUBLE_EQ(slider.force(spring), -(10 * 1 + 3 * 0.5));
  const Sampled at(slider.system, slider.state);
  EXPECT_DOUBLE_EQ(at.sum.stored_energy, 5);
  EXPECT_DOUBLE_EQ(at.sum.dissipated_power, 3 * 0.25);
  EXPECT_EQ(at.sum.input_power, 0);
}

TEST(SpringLinear, OneSidedActsWhenItsModeSaysSo) {
  Slider slider;
  slider.system.n_modes = 1;
  slider.state.modes = {1};
  const SpringLinear rope{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 2, SpringSide::tension, 0};
  slider.move(3, 0);
  EXPECT_DOUBLE_EQ(slider.force(rope), -10);
  slider.state.modes = {0};
  EXPECT_EQ(slider.force(rope), 0);
  EXPECT_EQ(Sampled(slider.system, slider.state).sum.stored_energy, 0);
}

TEST(SpringLinear, DamperOfAOneSidedSpringNeverPushesTheWrongWay) {
  Slider slider;
  slider.system.n_modes = 1;
  slider.state.modes = {1};
  // A rope that shortens fast: 10 * 0.1 - 3 * 2 < 0, so it goes limp; the spring's energy is lost at the rate 10 * 0.1
  // * 2.
  const SpringLinear rope{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 2, SpringSide::tension, 0};
  slider.move(2.1, -2);
  EXPECT_NEAR(slider.force(rope), 0, 1e-15);
  EXPECT_NEAR(Sampled(slider.system, slider.state).sum.dissipated_power, 10 * 0.1 * 2, 1e-14);
  // A bumper that is left fast: -10 * 0.1 + 3 * 2 > 0 would pull.
  const SpringLinear bumper{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 2, SpringSide::compression, 0};
  slider.move(1.9, 2);
  EXPECT_NEAR(slider.force(bumper), 0, 1e-15);
  EXPECT_NEAR(Sampled(slider.system, slider.state).sum.dissipated_power, 10 * 0.1 * 2, 1e-14);
  // Pressed slowly it pushes away: 10 * 0.1 + 3 * 0.2.
  slider.move(1.9, -0.2);
  EXPECT_NEAR(slider.force(bumper), 10 * 0.1 + 3 * 0.2, 1e-14);
}

TEST(SpringLinear, GuardsAndWords) {
  Slider slider;
  const SpringLinear rope{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 2, SpringSide::tension, 0};
  const SpringLinear bumper{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 2, SpringSide::compression, 1};
  slider.system.n_modes = 2;
  slider.system.forces = {{"rope", rope}, {"bumper", bumper}};
  Equations equations(slider.system);
  VecX guards;
  slider.move(2.5, 0);
  equations.calc_guards(0, slider.state.q, slider.state.v, slider.state.z, guards);
  EXPECT_DOUBLE_EQ(guards[0], 0.5);
  EXPECT_DOUBLE_EQ(guards[1], -0.5);
  EXPECT_EQ(Equations::mode_for(guards[0]), 1);
  EXPECT_EQ(Equations::mode_for(guards[1]), 0);
  EXPECT_EQ(equations.mode_infos()[0].element, "rope");
  EXPECT_EQ(equations.mode_infos()[0].on_word, "taut");
  EXPECT_EQ(equations.mode_infos()[0].off_word, "slack");
  EXPECT_EQ(equations.mode_infos()[1].element, "bumper");
  EXPECT_EQ(equations.mode_infos()[1].on_word, "pressed");
  EXPECT_EQ(equations.mode_infos()[1].off_word, "free");
}

TEST(SpringLinear, BalancesPowerForceAndMoment) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    TwoBodies two(random);
    SpringLinear spring{{1, make_random_vector(random)}, {2, make_random_vector(random)}, 20, 4, 0.7};
    if (i % 3 == 1) spring.side = SpringSide::tension, spring.mode = 0;
    if (i % 3 == 2) spring.side = SpringSide::compression, spring.mode = 0;
    two.system.n_modes = 1;
    two.state.modes = {1};
    two.add(spring);
    expect_balanced(two.system, two.state);
    EXPECT_LT(Sampled(two.system, two.state).total().norm(), 1e-12);
    EXPECT_GE(Sampled(two.system, two.state).sum.dissipated_power, 0);
  }
}

TEST(SpringLinear, OfNoLengthHasNoForce) {
  Slider slider;
  slider.move(0, 1);
  EXPECT_EQ(slider.force(SpringLinear{{0, Vec3::Zero()}, {1, Vec3::Zero()}, 10, 3, 0}), 0);
}

TEST(SpringTorsional, ByHandAndInBothForms) {
  Random random(2);
  for (const JointKind& kind : {JointKind(JointRevolute{}), JointKind(JointPrismatic{}), JointKind(JointScrew{0.3})}) {
    TwoForms forms(random, kind, 2);
    const SpringTorsional spring{{1, 0}, 7, 0.4, 0.2};
    for (System* system : {&forms.tree, &forms.free}) system->forces = {{"spring", spring}};
    const Sampled tree(forms.tree, forms.tree_state), free(forms.free, forms.free_state);
    const double q = forms.tree_state.q[1], v = forms.tree_state.v[1];
    EXPECT_NEAR(tree.sum.tau[1], -7 * (q - 0.2) - 0.4 * v, 1e-14);
    EXPECT_NEAR(free.sum.stored_energy, 3.5 * (q - 0.2) * (q - 0.2), 1e-12);
    EXPECT_NEAR(free.sum.dissipated_power, 0.4 * v * v, 1e-12);
    // The same generalised force, and nothing on the pair as a whole.
    EXPECT_NEAR(free.power(), tree.power(), 1e-12);
    EXPECT_LT(free.total().norm(), 1e-12);
    expect_balanced(forms.tree, forms.tree_state);
    expect_balanced(forms.free, forms.free_state);
  }
}

TEST(Bushing, SmallDisplacementIsTheMatrixItself) {
  // The wrench on B is -K x to first order; x of 1e-7 leaves second-order terms of 1e-7 relative.
  Random random(3);
  System system = make_world();
  add_free_body(system, make_random_mass(random));
  Bushing bushing;
  bushing.body_b = 1;
  bushing.stiffness = make_semidefinite(random);
  system.forces = {{"bushing", bushing}};
  const Vec6 x = 1e-7 * make_random_values(random, 6);
  State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
  set_free_body(system, 1, {calc_matrix(calc_exponential(x.head<3>())), x.tail<3>()}, Vec6::Zero(), state);
  EXPECT_LT((Sampled(system, state).sum.F[1] + bushing.stiffness * x).norm(), 1e-12);
}

TEST(Bushing, BalancesPowerForceAndMomentAtLargeRotations) {
  Random random(4);
  double largest_angle = 0;
  for (int i = 0; i < 200; ++i) {
    TwoBodies two(random);
    Bushing bushing{1,
                    2,
                    make_random_transform(random),
                    make_random_transform(random),
                    make_semidefinite(random),
                    make_semidefinite(random)};
    // Velocities are of the order of 1: some components are below the tolerances, some above.
    bushing.friction = make_random_values(random, 6).cwiseAbs();
    bushing.tolerance_rate = 0.5, bushing.tolerance_velocity = 0.3;
    two.add(bushing);
    const Sampled at(two.system, two.state);
    const Mat3 R_AB = (at.kinematics.X_WB[1].R * bushing.X_aA.R).transpose() * at.kinematics.X_WB[2].R * bushing.X_bB.R;
    const double angle = calc_logarithm(calc_quaternion(R_AB)).norm();
    // At pi the rotation vector jumps: keep the difference stencil on one side of it.
    if (angle > std::numbers::pi - 0.05) continue;
    largest_angle = std::max(largest_angle, angle);
    expect_balanced(two.system, two.state, 1e-7);
    EXPECT_LT(at.total().norm(), 1e-11);
    EXPECT_GE(at.sum.dissipated_power, 0);
  }
  EXPECT_GT(largest_angle, 2.9);
}

SpringSpatial make_spatial_spring(Random& random) {
  const Mat6 K = make_semidefinite(random);
  const Mat3 K_c = K.topRightCorner<3, 3>();
  return {1,
          2,
          make_random_transform(random),
          make_random_transform(random),
          SpringSpatial::calc_co_stiffness(K.topLeftCorner<3, 3>()),
          K.bottomRightCorner<3, 3>(),
          SpringSpatial::calc_co_stiffness(0.5 * (K_c + K_c.transpose())),
          make_semidefinite(random)};
}

// The wrench is the gradient of (9): power is what is stored and dissipated, at every rotation. Energy and forces are
// the same if the bodies are exchanged.
TEST(SpringSpatial, BalancesAndPrefersNoBody) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    TwoBodies two(random);
    SpringSpatial spring = make_spatial_spring(random);
    two.add(spring);
    expect_balanced(two.system, two.state, 1e-7);
    EXPECT_LT(Sampled(two.system, two.state).total().norm(), 1e-11);
    // A damper at B is not the same at A.
    spring.damping.setZero();
    two.system.forces = {{"element", spring}};
    const Sampled at(two.system, two.state);
    std::swap(spring.body_a, spring.body_b);
    std::swap(spring.X_aA, spring.X_bB);
    System exchanged = two.system;
    exchanged.forces = {{"element", spring}};
    const Sampled other(exchanged, two.state);
    EXPECT_NEAR(other.sum.stored_energy, at.sum.stored_energy, 1e-12);
    for (const std::size_t b : {1u, 2u}) EXPECT_LT((other.sum.F[b] - at.sum.F[b]).norm(), 1e-12);
  }
}

// To first order the wrench on B is -K x; x of 1e-7 leaves second-order terms of 1e-7 relative.
TEST(SpringSpatial, SmallDisplacementIsTheMatrixItself) {
  Random random(6);
  System system = make_world();
  add_free_body(system, make_random_mass(random));
  Mat6 K = make_semidefinite(random);
  const Mat3 K_c = 0.5 * (K.topRightCorner<3, 3>() + K.bottomLeftCorner<3, 3>());
  K.topRightCorner<3, 3>() = K.bottomLeftCorner<3, 3>() = K_c;
  SpringSpatial spring;
  spring.body_b = 1;
  spring.rotational = SpringSpatial::calc_co_stiffness(K.topLeftCorner<3, 3>());
  spring.translational = K.bottomRightCorner<3, 3>();
  spring.coupling = SpringSpatial::calc_co_stiffness(K_c);
  system.forces = {{"spring", spring}};
  const Vec6 x = 1e-7 * make_random_values(random, 6);
  State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
  set_free_body(system, 1, {calc_matrix(calc_exponential(x.head<3>())), x.tail<3>()}, Vec6::Zero(), state);
  EXPECT_LT((Sampled(system, state).sum.F[1] + K * x).norm(), 1e-12);
}

// A control with a gain of 1 mm/s for each 10 N and a dead-band of 10 N gives way by G max(0, |F| - F0): 2 mm/s at 30
// N. Below v_eps dir(u) = 3/2 r - 1/2 r^3.
TEST(Bushing, FrictionIsTheDeadBandOfAForceAccommodation) {
  Slider slider;
  Bushing bushing;
  bushing.body_b = 1;
  bushing.damping(5, 5) = 1e4;
  bushing.friction[5] = 10;
  bushing.tolerance_velocity = 1e-3;
  const double gain = 1e-4;
  for (const double F : {20.0, 25.0, 30.0, 1000.0}) {
    for (const double sign : {-1.0, 1.0}) {
      slider.move(0.3, sign * gain * (F - 10));
      EXPECT_NEAR(slider.force(bushing), -sign * F, 1e-12 * F);
      EXPECT_NEAR(Sampled(slider.system, slider.state).sum.dissipated_power, F * gain * (F - 10), 1e-12);
    }
  }
  slider.move(0.3, 0.5e-3);
  EXPECT_NEAR(slider.force(bushing), -(5 + 10 * (1.5 * 0.5 - 0.5 * 0.125)), 1e-12);
  slider.move(0.3, 0);
  EXPECT_EQ(slider.force(bushing), 0);
  EXPECT_DOUBLE_EQ(bushing.calc_steepest_friction()[5], 1.5e4);
  EXPECT_EQ(Sampled(slider.system, slider.state).sum.stored_energy, 0);
}

// Each component for itself, along the axes of frame A: turned by 45 degrees about x, motion along z is shared by y and
// z, of which each holds 10 N: 20 cos 45 along z and nothing across. A turn about x meets its torque and no force.
TEST(Bushing, FrictionActsAlongTheAxesOfItsFrame) {
  System system = make_world();
  add_free_body(system, {2, Vec3::Zero(), Mat3::Identity()});
  Bushing bushing;
  bushing.body_b = 1;
  const double c = std::sqrt(0.5);
  bushing.X_aA.R << 1, 0, 0, 0, c, -c, 0, c, c;
  bushing.X_bB.R = bushing.X_aA.R;
  bushing.friction << 3, 4, 5, 10, 10, 10;
  system.forces = {{"bushing", bushing}};
  State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
  Vec6 expected;
  set_free_body(system, 1, {}, (Vec6() << 0, 0, 0, 0, 0, 2).finished(), state);
  expected << 0, 0, 0, 0, 0, -20 * c;
  EXPECT_LT((Sampled(system, state).sum.F[1] - expected).norm(), 1e-13);
  set_free_body(system, 1, {}, (Vec6() << 0.5, 0, 0, 0, 0, 0).finished(), state);
  expected << -3, 0, 0, 0, 0, 0;
  EXPECT_LT((Sampled(system, state).sum.F[1] - expected).norm(), 1e-13);
}

TEST(AppliedForce, InWorldAndInBodyAxes) {
  Random random(5);
  for (const bool in_body : {false, true}) {
    System system = make_world();
    add_free_body(system, make_random_mass(random));
    State state = make_state(system, make_random_values(random, 7), make_random_values(random, 6));
    state.t = 0.5;
    AppliedForce applied;
    applied.at = {1, Vec3(0.1, 0.2, 0.3)};
    applied.force = {Polynomial{{1, 2}}, make_constant(0), make_constant(-1)};
    applied.torque = {make_constant(0), make_constant(3), make_constant(0)};
    applied.in_body_axes = in_body;
    system.forces = {{"push", applied}};
    const Sampled at(system, state);
    // At t = 0.5 the force is (2, 0, -1).
    const Mat3 R = at.kinematics.X_WB[1].R, axes = in_body ? R : Mat3(Mat3::Identity());
    const Vec3 f = axes * Vec3(2, 0, -1), arm = R * Vec3(0.1, 0.2, 0.3);
    EXPECT_LT((at.sum.F[1].tail<3>() - f).norm(), 1e-14);
    EXPECT_LT((at.sum.F[1].head<3>() - (arm.cross(f) + axes * Vec3(0, 3, 0))).norm(), 1e-14);
    EXPECT_NEAR(at.sum.input_power, at.power(), 1e-13);
  }
}

// C = diag(1, 2, 3) N s/m in axes turned by 90 degrees about z, so that along the world's axes it is diag(2, 1, 3).
TEST(Damper, ByHand) {
  Random random(5);
  System system = make_world();
  add_free_body(system, make_random_mass(random));
  State state = make_state(system, VecX::Zero(7), VecX::Zero(6));
  state.q[0] = 1;
  state.v << 0, 0, 4, 1, 1, 1;  // turns about z at 4 rad/s
  Mat3 turned;
  turned << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  system.forces = {{"damper", Damper{{0, Vec3::Zero()}, {1, Vec3(0.5, 0, 0)}, Vec3(1, 2, 3).asDiagonal(), turned}}};
  const Sampled at(system, state);
  // The point moves at (1, 1 + 4 * 0.5, 1): f = -(2, 3, 3), with a lever of 0.5 along x.
  EXPECT_LT((at.sum.F[1].tail<3>() - Vec3(-2, -3, -3)).norm(), 1e-14);
  EXPECT_LT((at.sum.F[1].head<3>() - Vec3(0, 1.5, -1.5)).norm(), 1e-14);
  EXPECT_NEAR(at.sum.dissipated_power, 2 * 1 + 3 * 3 + 3 * 1, 1e-13);
  EXPECT_NEAR(-at.power(), at.sum.dissipated_power, 1e-13);
}

TEST(Motor, ByHand) {
  Slider slider;
  slider.move(0.5, -1);
  slider.state.t = 2;
  Motor motor;
  motor.coordinate = {0, 0};
  motor.effort = Polynomial{{1, 1}};
  motor.target = Polynomial{{0, 0.5}};
  motor.proportional = 4;
  motor.derivative = 2;
  const auto tau = [&] {
    slider.system.forces = {{"motor", motor}};
    return Sampled(slider.system, slider.state).sum.tau[0];
  };
  // effort 3, target 1 at rate 0.5: 3 + 4 (1 - 0.5) + 2 (0.5 + 1) = 8
  EXPECT_DOUBLE_EQ(tau(), 8);
  EXPECT_DOUBLE_EQ(Sampled(slider.system, slider.state).sum.input_power, -8);
  // A given rate replaces that of the target: 3 + 2 + 2 (2 + 1) = 11
  motor.target_rate = make_constant(2);
  EXPECT_DOUBLE_EQ(tau(), 11);
  motor.limit = 5;
  EXPECT_DOUBLE_EQ(tau(), 5);
  motor.effort = make_constant(-100);
  EXPECT_DOUBLE_EQ(tau(), -5);
}

}  // namespace
}  // namespace stiction
