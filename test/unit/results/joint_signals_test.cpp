// Signals of joints, in tree and in constraint form, against the plane motion of a physical pendulum:
//     I_p alpha = f - m g l sin(angle),   I_p = I_c + m l^2                                                 (1)
// with f the torque of motors, springs and drivers, and the reaction at the hinge from Newton's law for the centre of
// mass:
//     F = m (a_c - g),   a_c = alpha l t + rate^2 l n,   t = (cos, sin), n = (-sin, cos) of the angle       (2)
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "stiction/results/signals.h"

#include "test_system.h"

namespace stiction {
namespace {

constexpr double moment = rod_inertia + rod_mass * rod_arm * rod_arm;
constexpr double weight_torque = rod_mass * rod_gravity * rod_arm;

class JointSignals : public testing::TestWithParam<JointForm> {
 protected:
  JointSignals() : system(make_pendulum(GetParam())) {}

  void evaluate(const State& state) {
    SignalTable table(system, {"*"});
    const VecX& x = table.evaluate(state, {});
    for (int i = 0; i < table.size(); ++i) values[table.infos()[static_cast<std::size_t>(i)].name] = x[i];
  }

  // (2) for a torque f on the hinge.
  void expect_reaction(double angle, double rate, double f) {
    const double alpha = (f - weight_torque * std::sin(angle)) / moment;
    const double ax = rod_arm * (alpha * std::cos(angle) - rate * rate * std::sin(angle));
    const double ay = rod_arm * (alpha * std::sin(angle) + rate * rate * std::cos(angle));
    EXPECT_NEAR(values["hinge.reaction.force.x"], rod_mass * ax, tolerance);
    EXPECT_NEAR(values["hinge.reaction.force.y"], rod_mass * (ay + rod_gravity), tolerance);
    EXPECT_NEAR(values["hinge.reaction.force.z"], 0, tolerance);
    EXPECT_NEAR(values["hinge.reaction.torque.x"], 0, tolerance);
    EXPECT_NEAR(values["hinge.reaction.torque.y"], 0, tolerance);
    EXPECT_NEAR(values["hinge.reaction.torque.z"], f, tolerance);
    EXPECT_NEAR(values["hinge.force"], f, tolerance);
  }

  // Forces of some 10 N: a few hundred roundings.
  static constexpr double tolerance = 1e-12;
  System system;
  std::map<std::string, double> values;
};

TEST_P(JointSignals, ASwingingPendulum) {
  for (const double angle : {0.0, 0.7, 2.5, -1.2}) {
    evaluate(make_pendulum_state(system, angle, 3));
    EXPECT_NEAR(values["hinge.position"], angle, 1e-15);
    EXPECT_NEAR(values["hinge.velocity"], 3, 1e-14);
    expect_reaction(angle, 3, 0);
  }
}

TEST_P(JointSignals, WholeTurnsAreCounted) {
  const double angle = 0.7 + 6 * std::numbers::pi;
  evaluate(make_pendulum_state(system, angle, 1));
  EXPECT_NEAR(values["hinge.position"], angle, 1e-14);
}

TEST_P(JointSignals, MotorsAndSpringsAddUp) {
  Motor motor;
  motor.effort = make_constant(1.5);
  motor.proportional = 4;
  motor.target = make_constant(0.2);
  system.forces.push_back({"motor", motor});
  SpringTorsional spring;
  spring.stiffness = 2;
  spring.damping = 0.3;
  spring.rest = -0.1;
  system.forces.push_back({"spring", spring});
  evaluate(make_pendulum_state(system, 0.7, 3));
  // effort + kp (target - q), and -k (q - rest) - c dq/dt
  const double f = 1.5 + 4 * (0.2 - 0.7) - 2 * (0.7 + 0.1) - 0.3 * 3;
  expect_reaction(0.7, 3, f);
  EXPECT_NEAR(values["energy.stored"], 0.5 * 2 * 0.8 * 0.8, 1e-15);
}

TEST_P(JointSignals, ADriverGivesTheForceItTakes) {
  // angle = 0.3 + 0.5 t + t^2 at t = 0: rate 0.5, acceleration 2. In tree form the joint is prescribed, in constraint
  // form a coupler of ratio 2 holds twice the angle at twice the function.
  if (GetParam() == JointForm::tree) {
    system.joints[1].motion = CoordinateMotion{{Polynomial{{0.3, 0.5, 1}}}};
  } else {
    Constraint driver;
    driver.rows = {RowCoupler{{CoordinateRef{0, 0}}, {2.0}, Polynomial{{0.6, 1, 2}}}};
    system.constraints.push_back(driver);
  }
  evaluate(make_pendulum_state(system, 0.3, 0.5));
  // (1) solved for f
  expect_reaction(0.3, 0.5, moment * 2 + weight_torque * std::sin(0.3));
}

INSTANTIATE_TEST_SUITE_P(BothForms, JointSignals, testing::Values(JointForm::tree, JointForm::constraint),
                         [](const auto& form) { return form.param == JointForm::tree ? "Tree" : "Constraint"; });

TEST(JointOrientation, IsThatOfTheChildAgainstTheParent) {
  // The rod on a spherical joint whose frame F is turned about y: the joint's own quaternion comes back.
  System system = make_pendulum(JointForm::tree);
  NamedJoint& hinge = system.named_joints[0];
  hinge.kind = system.joints[1].kind = JointSpherical{};
  hinge.X_PF.R = system.joints[1].X_PF.R = calc_matrix(make_axis_angle(Vec3::UnitY(), 0.4));
  hinge.X_MB.R = system.joints[1].X_MB.R = calc_matrix(make_axis_angle(Vec3::UnitX(), -1.1));
  system.nq = system.joints[1].nq = 4;
  system.nv = system.joints[1].nv = 3;
  State state = system.initial;
  state.q.resize(4);
  const Quaternion q = make_axis_angle(Vec3(0.6, 0, 0.8), 0.9);
  state.q << q.w, q.x, q.y, q.z;
  state.v = VecX::Zero(3);
  SignalTable table(system, {"hinge.orientation.*"});
  EXPECT_TRUE(table.evaluate(state, {}).isApprox(state.q, 1e-15));
}

}  // namespace
}  // namespace stiction
