#include "stiction/results/signals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "stiction/base/fault.h"
#include "stiction/math/rotation.h"

#include "test_run.h"
#include "test_system.h"

namespace stiction {
namespace {

using Values = std::map<std::string, double>;

// All signals of the system at this state, by name.
Values evaluate(const System& system, const State& state, const AuditValues& audit = {}) {
  SignalTable table(system, {"*"});
  const VecX& values = table.evaluate(state, audit);
  Values by_name;
  for (int i = 0; i < table.size(); ++i) by_name[table.infos()[static_cast<std::size_t>(i)].name] = values[i];
  return by_name;
}

std::map<std::string, std::string> list_units(const System& system) {
  std::map<std::string, std::string> units;
  for (const SignalInfo& info : make_signal_catalog(system, ContactGroups(system.contact, {})).infos)
    units[info.name] = info.unit;
  return units;
}

TEST(Signals, ABodyInFreeFall) {
  const System system = make_falling_ball();
  const Throw start;
  const double t = 2;
  Values x = evaluate(system, make_throw_state(system, start, t));
  // Position and velocity of a throw: p0 + v0 t + g t^2 / 2 = (9, 12, -5), v0 + g t = (4, 5, -14).
  EXPECT_DOUBLE_EQ(x["ball.position.x"], 9);
  EXPECT_DOUBLE_EQ(x["ball.position.y"], 12);
  EXPECT_DOUBLE_EQ(x["ball.position.z"], -5);
  EXPECT_DOUBLE_EQ(x["ball.velocity.z"], -14);
  EXPECT_DOUBLE_EQ(x["ball.angular_velocity.z"], 0.5);
  // Turned by w t = 1 rad about z.
  EXPECT_DOUBLE_EQ(x["ball.orientation.w"], std::cos(0.5));
  EXPECT_DOUBLE_EQ(x["ball.orientation.z"], std::sin(0.5));
  EXPECT_NEAR(x["ball.tilt"], 0, 1e-15);
  // 1/2 m v^2 + 1/2 I w^2 = 1.5 (16 + 25 + 196) + 0.2 * 0.25; potential -m g . p = 3 * 10 * (-5).
  EXPECT_DOUBLE_EQ(x["energy.kinetic"], 355.55);
  EXPECT_DOUBLE_EQ(x["energy.potential"], -150);
  EXPECT_EQ(x["energy.stored"], 0);
  EXPECT_DOUBLE_EQ(x["energy.total"], 205.55);
  // m v, and p x m v + I w e_z: 3 (9, 12, -5) x (4, 5, -14) = 3 (-143, 106, -3), and 0.4 * 0.5 about z.
  EXPECT_DOUBLE_EQ(x["momentum.linear.x"], 12);
  EXPECT_DOUBLE_EQ(x["momentum.linear.z"], -42);
  EXPECT_DOUBLE_EQ(x["momentum.angular.x"], -429);
  EXPECT_DOUBLE_EQ(x["momentum.angular.y"], 318);
  EXPECT_DOUBLE_EQ(x["momentum.angular.z"], -8.8);
}

TEST(Signals, TiltIsTheAngleOfTheBodysZAxisToUp) {
  const System system = make_falling_ball();
  State state = system.initial;
  const double near_pi = std::numbers::pi - 1e-9;  // where an arc cosine has lost its digits
  for (const double angle : {0.0, 1e-9, 0.7, std::numbers::pi / 2, 3.0, near_pi}) {
    const Quaternion q = make_axis_angle(Vec3(0.6, 0.8, 0), angle);
    state.q.head<4>() << q.w, q.x, q.y, q.z;
    EXPECT_NEAR(evaluate(system, state)["ball.tilt"], angle, 1e-15);
  }
}

TEST(Signals, TheResidualIsWhatTheLedgerLacks) {
  const System system = make_falling_ball();
  State state = make_throw_state(system, {}, 1);
  state.z[ledger_input] = 7;
  state.z[ledger_dissipated] = 2;
  state.z[ledger_projection] = 0.5;
  SignalTable table(system, {"energy.*"});
  table.set_start_energy(100);
  table.evaluate(state, {});
  // total - total(0) - input + dissipated - projection
  EXPECT_DOUBLE_EQ(table.energy().residual, table.energy().total - 100 - 7 + 2 - 0.5);
  EXPECT_EQ(table.energy().input, 7);
  EXPECT_EQ(table.energy().dissipated, 2);
  EXPECT_EQ(table.energy().projection, 0.5);
}

TEST(Signals, AuditValuesArePassedOn) {
  const System system = make_falling_ball();
  AuditValues audit;
  audit.drift = 1, audit.drift_rate = 2, audit.quaternion = 3, audit.step = 4, audit.rejected = 5,
  audit.evaluations = 6;
  Values x = evaluate(system, system.initial, audit);
  EXPECT_EQ(x["audit.drift"], 1);
  EXPECT_EQ(x["audit.drift_rate"], 2);
  EXPECT_EQ(x["audit.quaternion"], 3);
  EXPECT_EQ(x["audit.step"], 4);
  EXPECT_EQ(x["audit.rejected"], 5);
  EXPECT_EQ(x["audit.evaluations"], 6);
}

TEST(Signals, NamesAndUnits) {
  const auto units = list_units(make_pendulum(JointForm::tree));
  EXPECT_EQ(units.size(), 14u + 3u + 6u + 10u + 6u + 6u);  // rod, hinge, its reaction, energy, momentum, audit
  EXPECT_EQ(units, list_units(make_pendulum(JointForm::constraint)));
  EXPECT_EQ(units.at("rod.position.x"), "m");
  EXPECT_EQ(units.at("rod.velocity.y"), "m/s");
  EXPECT_EQ(units.at("rod.angular_velocity.z"), "rad/s");
  EXPECT_EQ(units.at("rod.orientation.w"), "1");
  EXPECT_EQ(units.at("rod.tilt"), "rad");
  EXPECT_EQ(units.at("hinge.position"), "rad");
  EXPECT_EQ(units.at("hinge.velocity"), "rad/s");
  EXPECT_EQ(units.at("hinge.force"), "N m");
  EXPECT_EQ(units.at("hinge.reaction.force.x"), "N");
  EXPECT_EQ(units.at("hinge.reaction.torque.z"), "N m");
  EXPECT_EQ(units.at("energy.residual"), "J");
  EXPECT_EQ(units.at("momentum.linear.x"), "kg m/s");
  EXPECT_EQ(units.at("momentum.angular.x"), "kg m^2/s");
  EXPECT_EQ(units.at("audit.step"), "s");
}

TEST(Signals, FixedBodiesHavePlaceOnly) {
  const auto units = list_units(make_falling_ball());
  EXPECT_TRUE(units.contains("floor.position.z"));
  EXPECT_TRUE(units.contains("floor.orientation.w"));
  EXPECT_FALSE(units.contains("floor.velocity.x"));
  EXPECT_FALSE(units.contains("floor.tilt"));
  EXPECT_FALSE(units.contains("world.position.x"));
}

TEST(Signals, JointsOfSeveralOrNoCoordinates) {
  System system = make_pendulum(JointForm::tree);
  system.named_joints[0].kind = JointCylindrical{};
  auto units = list_units(system);
  EXPECT_EQ(units.at("hinge.position.angle"), "rad");
  EXPECT_EQ(units.at("hinge.velocity.displacement"), "m/s");
  EXPECT_EQ(units.at("hinge.force.displacement"), "N");
  system.named_joints[0].kind = JointSpherical{};
  units = list_units(system);
  EXPECT_EQ(units.at("hinge.orientation.w"), "1");
  EXPECT_FALSE(units.contains("hinge.position"));
}

TEST(Signals, OnlyTheChosenOnesAreThere) {
  const System system = make_falling_ball();
  SignalTable table(system, {"ball.velocity.z", "energy.t*"});
  ASSERT_EQ(table.size(), 2);
  EXPECT_EQ(table.infos()[0].name, "ball.velocity.z");
  EXPECT_EQ(table.infos()[1].name, "energy.total");
  const VecX& values = table.evaluate(make_throw_state(system, {}, 2), {});
  EXPECT_DOUBLE_EQ(values[0], -14);
  EXPECT_DOUBLE_EQ(values[1], 205.55);
}

// The distance of two bodies is that of their nearest shapes, on request only; a pair is called as its table is, or by
// the order of the shapes where it falls under the default.
TEST(Signals, GapsOfPairsOnRequest) {
  System system = make_falling_ball();
  const auto body = [&](const char* name) {
    for (std::size_t i = 0; i < system.bodies.size(); ++i)
      if (system.bodies[i].name == name) return static_cast<int>(i);
    return -1;
  };
  const auto add_shape = [&](const char* name, const Shape& shape, const Vec3& p, bool moves) {
    ContactShape part;
    part.body = body(name);
    part.name = part.body_name = name;
    part.shape = shape;
    part.X_BS.p = p;
    part.moves_freely = moves;
    system.contact.shapes.push_back(part);
  };
  add_shape("floor", HalfSpace{}, Vec3(0, 0, -9), false);  // its surface at z = -10: the body lies at -1
  add_shape("ball", Sphere{0.5}, Vec3::Zero(), true);
  add_shape("ball", Sphere{0.25}, Vec3(0, 0, -1), true);
  system.contact.in_use = true;
  system.contact.rules.resize(1);
  const State state = make_throw_state(system, {}, 2);  // the ball's origin at z = -5, turned about z
  EXPECT_FALSE(evaluate(system, state).contains("contact.floor/ball.gap"));
  const auto gap_of = [&](const std::vector<std::string>& patterns, const std::string& name) {
    SignalTable table(system, patterns);
    const VecX& values = table.evaluate(state, {});
    for (int i = 0; i < table.size(); ++i)
      if (table.infos()[static_cast<std::size_t>(i)].name == name) return values[i];
    return std::nan("");
  };
  EXPECT_DOUBLE_EQ(gap_of({"*", "contact.*.gap"}, "contact.floor/ball.gap"), -5 - 1 - 0.25 + 10);
  ContactRule named;
  named.a = "ball", named.b = "floor";
  system.contact.rules.push_back(named);
  EXPECT_DOUBLE_EQ(gap_of({"contact.ball/floor.gap"}, "contact.ball/floor.gap"), -5 - 1 - 0.25 + 10);
  // Either order names the pair.
  EXPECT_DOUBLE_EQ(gap_of({"contact.floor/ball.gap"}, "contact.ball/floor.gap"), -5 - 1 - 0.25 + 10);
  // Closest points while apart: below the lower sphere's centre, (x, y) of the ball at z = -6, and on the floor at -10.
  // From the ball to the floor, as the table names them, the normal points down.
  const auto closest = [&](const std::string& name) {
    return gap_of({"contact.*.closest_*"}, "contact.ball/floor." + name);
  };
  const double x = evaluate(system, state).at("ball.position.x"), y = evaluate(system, state).at("ball.position.y");
  EXPECT_DOUBLE_EQ(closest("closest_a.x"), x);
  EXPECT_DOUBLE_EQ(closest("closest_a.y"), y);
  EXPECT_DOUBLE_EQ(closest("closest_a.z"), -6.25);
  EXPECT_DOUBLE_EQ(closest("closest_b.x"), x);
  EXPECT_DOUBLE_EQ(closest("closest_b.z"), -10);
  EXPECT_DOUBLE_EQ(closest("closest_normal.z"), -1);
  EXPECT_TRUE(std::isnan(closest("gap")));
}

TEST(Signals, FaultsAreTheUsers) {
  System system = make_pendulum(JointForm::tree);
  EXPECT_PRED2(contains, message_of<InputError>([&] { SignalTable(system, {"rod.postion.x"}); }), "rod.position.x");
  system.named_joints[0].kind = JointSpherical{};
  system.named_joints[0].name = "rod";
  EXPECT_PRED2(contains,
               message_of<InputError>([&] { (void)make_signal_catalog(system, ContactGroups(system.contact, {})); }),
               "two signals are named \"rod.orientation.w\"");
}

}  // namespace
}  // namespace stiction
