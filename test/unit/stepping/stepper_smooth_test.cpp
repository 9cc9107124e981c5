// Formulation "smooth" through the Stepper's contract, with every integrator, against closed forms.
#include "stiction/stepping/ode/stepper_smooth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/stepping/ode/breaks.h"

#include "allocation_counter.h"
#include "ode_problems.h"
#include "smooth_systems.h"

namespace stiction {
namespace {

struct Outcome {
  State state;
  std::vector<StepEvent> events;
  double worst_drift = 0;
  int steps = 0;
};

// To t_end, looking at multiples of `interval`.
Outcome run(Stepper& stepper, State state, double t_end, double interval) {
  Outcome result{std::move(state), {}, 0, 0};
  for (int k = 1; result.state.t < t_end; ++k) {
    const double t_limit = std::min(t_end, k * interval);
    while (result.state.t < t_limit) {
      const double t_before = result.state.t;
      const StepReport report = stepper.step(result.state, t_limit);
      EXPECT_EQ(report.status, StepStatus::ok) << report.message;
      EXPECT_GT(result.state.t, t_before);
      if (report.status != StepStatus::ok) return result;
      result.worst_drift = std::max({result.worst_drift, report.drift, report.drift_rate});
      result.events.insert(result.events.end(), report.events.begin(), report.events.end());
      ++result.steps;
    }
  }
  return result;
}

class Smooth : public testing::TestWithParam<IntegratorInfo> {
 protected:
  MethodSettings make_settings() const {
    MethodSettings settings;
    settings.integrator = GetParam().name;
    settings.step = GetParam().order == 1 ? 2e-5 : GetParam().order == 2 ? 2e-4 : 1e-3;
    settings.relative_tolerance = 1e-10;
    settings.absolute_tolerance = 1e-12;
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Smooth, testing::ValuesIn(integrators()), [](const auto& row) { return row.param.name; });

// First-order methods at h = 2e-5 are 1e-5 accurate here, the others much better.
double calc_tolerance(const IntegratorInfo& info) {
  return info.order == 1 ? 2e-4 : 1e-6;
}

TEST_P(Smooth, SpringMassFollowsTheClosedForm) {
  const System system = test::make_spring_mass();
  const auto stepper = make_stepper(system, make_settings());
  const Outcome end = run(*stepper, system.initial, 2.0, 0.1);
  // m = 2, k = 50, c = 0.4: delta = 0.1, omega0 = 5.
  const double delta = 0.1, w = std::sqrt(25 - delta * delta), t = 2, decay = 0.1 * std::exp(-delta * t);
  EXPECT_EQ(end.state.t, 2.0);
  EXPECT_NEAR(end.state.q[0], decay * (std::cos(w * t) + delta / w * std::sin(w * t)), calc_tolerance(GetParam()));
  EXPECT_NEAR(end.state.v[0], -decay * 25 / w * std::sin(w * t), 5 * calc_tolerance(GetParam()));
  // The ledger: what the damper took is what the energy lost. (Explicit Euler gains h omega0^2 t = 1e-3 of 0.25 J.)
  const double energy = 0.5 * 2 * end.state.v[0] * end.state.v[0] + 0.5 * 50 * end.state.q[0] * end.state.q[0];
  EXPECT_NEAR(energy + end.state.z[ledger_dissipated], 0.5 * 50 * 0.01, GetParam().order == 1 ? 2.5e-4 : 1e-6);
}

TEST_P(Smooth, FreeBodyMatchesTheReference) {
  const System system = test::make_free_body();
  const auto stepper = make_stepper(system, make_settings());
  const Outcome end = run(*stepper, system.initial, 1.0, 0.01);
  // Translation is a straight line; angular momentum R I R' w is constant in the world.
  EXPECT_NEAR((end.state.q.tail<3>() - Vec3(0.2, -0.1, 0.3)).norm(), 0, 1e-10);
  const Mat3 R = calc_matrix({end.state.q[0], end.state.q[1], end.state.q[2], end.state.q[3]});
  const Vec3 momentum = R * test::make_asymmetric_mass().inertia * R.transpose() * end.state.v.head<3>();
  EXPECT_NEAR((momentum - Vec3(0.7, 2.2, -2.25)).norm(), 0, 5 * calc_tolerance(GetParam()));
  EXPECT_NEAR(end.state.q.head<4>().norm(), 1, 4e-16);
}

TEST_P(Smooth, RopeBecomesTautWhenTheClosedFormSays) {
  const System system = test::make_rope();
  MethodSettings settings = make_settings();
  settings.relative_tolerance = 1e-12;
  settings.absolute_tolerance = 1e-13;
  const auto stepper = make_stepper(system, settings);
  const Outcome end = run(*stepper, system.initial, 0.6, 0.01);
  // Fall of 0.8 m, then x'' = g - k x with speed v at x = 0: slack again after 2 (pi - atan(v w / g)) / w.
  const double g = 9.81, v = std::sqrt(2 * g * 0.8), w = 20;
  const double taut = v / g, slack = taut + 2 * (std::numbers::pi - std::atan(v * w / g)) / w;
  ASSERT_EQ(end.events.size(), 2u);
  EXPECT_EQ(end.events[0].kind, "taut");
  EXPECT_EQ(end.events[1].kind, "slack");
  EXPECT_EQ(end.events[0].name, "rope");
  // A fixed step switches at the end of a step: late by up to h, with an effect of order h.
  const double tolerance = GetParam().adaptive ? 1e-9 : settings.step;
  EXPECT_NEAR(end.events[0].t, taut, tolerance);
  EXPECT_NEAR(end.events[1].t, slack, 2 * tolerance);
  EXPECT_EQ(end.state.modes[0], 0);
}

TEST_P(Smooth, ConstraintPendulumDoesNotDrift) {
  const System system = test::make_constraint_pendulum();
  MethodSettings settings = make_settings();
  settings.step = 1e-3;
  const auto stepper = make_stepper(system, settings);
  const Outcome end = run(*stepper, system.initial, 2.0, 0.0137);
  EXPECT_LT(end.worst_drift, 1e-10);
  EXPECT_GT(end.worst_drift, 0);
}

// The cart is where its function says, always, and the mass on it follows x'' + w^2 x = -a(t) in the cart's frame.
TEST_P(Smooth, PrescribedJointFollowsItsFunction) {
  const Sine motion{0.1, 0.5, 0.3, 0.2};
  const System system = test::make_driven_mass(motion);
  const auto stepper = make_stepper(system, make_settings());
  State state = system.initial;
  while (state.t < 1.5) {
    const StepReport report = stepper->step(state, 1.5);
    ASSERT_EQ(report.status, StepStatus::ok);
    const Sample sample = calc_sample(motion, state.t);
    ASSERT_EQ(state.q[0], sample.value);
    ASSERT_EQ(state.v[0], sample.rate);
  }
  // -a = A W^2 sin(W t + p): particular solution B sin(W t + p), B = A W^2 / (w^2 - W^2), started at rest.
  const double W = std::numbers::pi, w = std::sqrt(30 / 0.5), B = 0.1 * W * W / (w * w - W * W), t = 1.5;
  const double c = -B * std::sin(0.3), s = -B * W * std::cos(0.3) / w;
  EXPECT_NEAR(state.q[1], B * std::sin(W * t + 0.3) + c * std::cos(w * t) + s * std::sin(w * t),
              calc_tolerance(GetParam()));
}

TEST_P(Smooth, ContinuesFromACheckpointBitForBit) {
  for (const System& system : {test::make_rope(), test::make_constraint_pendulum(), test::make_arm()}) {
    for (const double t_save : {0.0123, 0.41}) {
      MethodSettings settings = make_settings();
      settings.step = 1e-3;
      const auto stepper = make_stepper(system, settings);
      State state = run(*stepper, system.initial, t_save, 0.01).state;
      // A history that cannot be saved is dropped by itself before the end.
      while (!stepper->can_checkpoint(state) && state.t < 0.6)
        ASSERT_EQ(stepper->step(state, 0.6).status, StepStatus::ok);
      if (!stepper->can_checkpoint(state)) continue;
      const std::vector<double> memory = stepper->checkpoint(state);
      const auto restored = make_stepper(system, settings);
      restored->restore(state, memory);
      const Outcome a = run(*stepper, state, 0.6, 0.01), b = run(*restored, state, 0.6, 0.01);
      EXPECT_EQ(calc_hash(a.state), calc_hash(b.state));
      EXPECT_EQ(a.events.size(), b.events.size());
    }
  }
}

// 2 kg on 1e14 N/m: far beyond the stability of the explicit methods. The energy overflows first.
TEST(SmoothFailure, DivergenceKeepsTheLastGoodState) {
  System system = test::make_spring_mass();
  std::get<SpringTorsional>(system.forces[0].kind).stiffness = 1e14;
  const auto stepper = make_stepper(system, {});
  State state = system.initial;
  State before = state;
  StepReport report;
  do {
    before = state;
    report = stepper->step(state, 10.0);
  } while (report.status == StepStatus::ok && state.t < 10.0);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_STREQ(name_of(report.status), "diverged");
  EXPECT_EQ(calc_hash(state), calc_hash(before));
  EXPECT_TRUE(state.v.allFinite());
  EXPECT_EQ(report.message.find("body \"mass\" at t = "), 0u) << report.message;
  EXPECT_NE(report.message.find("energy is not finite; try a smaller step (time.step)"), std::string::npos)
      << report.message;
}

// A force that is not a number at once: named by its velocity, from every integrator.
TEST_P(Smooth, AForceThatIsNotFiniteIsNamed) {
  System system = test::make_spring_mass();
  std::get<SpringTorsional>(system.forces[0].kind).stiffness = std::numeric_limits<double>::quiet_NaN();
  const auto stepper = make_stepper(system, make_settings());
  State state = system.initial;
  const StepReport report = stepper->step(state, 1.0);
  EXPECT_EQ(report.status, StepStatus::diverged);
  EXPECT_EQ(calc_hash(state), calc_hash(system.initial));
  EXPECT_EQ(report.message.find("body \"mass\" at t = 0 s: velocity is not finite; try "), 0u) << report.message;
}

// A weight on two rods of 1 m, one from the origin, one from a cart that drives away: at 2 m they are stretched out.
TEST(SmoothFailure, AnImpossibleConstraintIsNamed) {
  System system = test::make_driven_mass(Polynomial{{1.2, 1.0}});
  const int weight = test::add_body(system, "weight", test::make_point_mass(1), test::make_free_joint());
  system.initial.q.tail<3>() = Vec3(0.6, -0.8, 0);
  for (const int body : {0, 1}) {
    Constraint rod;
    rod.name = body == 0 ? "near rod" : "far rod";
    rod.frames.body_a = body, rod.frames.body_b = weight;
    rod.rows = {RowDistance{1.0}};
    system.constraints.push_back(rod);
  }
  // Consistent velocities: half the cart's along x, and along the circle about the origin.
  system.initial.v.tail<3>() = Vec3(0.5, 0.5 * 0.6 / 0.8, 0);
  for (const char* integrator : {"rk4", "dormand_prince"}) {
    MethodSettings settings;
    settings.integrator = integrator;
    const auto stepper = make_stepper(system, settings);
    State state = system.initial;
    StepReport report;
    do {
      report = stepper->step(state, 2.0);
    } while (report.status == StepStatus::ok && state.t < 2.0);
    // The rods are straight at t = 0.8.
    EXPECT_LT(state.t, 0.81);
    EXPECT_GT(state.t, 0.75);
    // The weight's speed grows without bound before: error control gives up first, where there is one.
    const bool fixed = integrator == std::string("rk4");
    EXPECT_EQ(report.status, fixed ? StepStatus::constraint_failed : StepStatus::step_too_small) << report.message;
    EXPECT_NE(report.message.find(fixed ? " rod\" at t = " : "body \"weight\" at t = "), std::string::npos)
        << report.message;
  }
}

TEST(SmoothBreaks, AreCollectedAndMet) {
  const Table table = make_table({0, 0.25, 0.5}, {0, 0.1, 0.3});
  System system = test::make_driven_mass(table);
  system.forces.push_back(
      {"motor", Motor{.coordinate = {1, 0}, .effort = make_table({0.1, 0.5 + 1e-14}, {0, 2}), .target_rate = {}}});
  EXPECT_EQ(collect_breaks(system), (std::vector<double>{0, 0.1, 0.25, 0.5}));

  MethodSettings settings;
  settings.integrator = "dormand_prince";
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  std::vector<double> times;
  int rejected = 0;
  while (state.t < 1) {
    const StepReport report = stepper->step(state, 1.0);
    ASSERT_EQ(report.status, StepStatus::ok);
    rejected += report.rejected;
    times.push_back(state.t);
  }
  for (const double t : {0.1, 0.25, 0.5}) EXPECT_EQ(std::count(times.begin(), times.end(), t), 1) << t;
  EXPECT_LE(rejected, 4);
}

TEST(SmoothLong, ConstraintDriftStaysSmallOver100000Steps) {
  const System system = test::make_constraint_pendulum();
  const auto stepper = make_stepper(system, {});
  const Outcome end = run(*stepper, system.initial, 100.0, 1.0);
  EXPECT_EQ(end.state.step, 100000);
  EXPECT_LT(end.worst_drift, 1e-10);
}

TEST(SmoothAllocation, NoneInSettledSteps) {
  for (const System& system : {test::make_free_body(), test::make_arm(), test::make_constraint_pendulum(),
                               test::make_driven_mass(Sine{0.1, 0.5, 0, 0})}) {
    for (const auto& info : integrators()) {
      if (info.name.starts_with("cvode")) continue;
      MethodSettings settings;
      settings.integrator = info.name;
      const auto stepper = make_stepper(system, settings);
      State state = run(*stepper, system.initial, 0.05, 0.01).state;
      const long before = test::count_allocations();
      bool ok = true;
      for (int k = 6; k <= 20; ++k) {
        while (state.t < 0.01 * k) ok = ok && stepper->step(state, 0.01 * k).status == StepStatus::ok;
      }
      EXPECT_EQ(test::count_allocations() - before, 0) << info.name;
      EXPECT_TRUE(ok);
    }
  }
}

// A user who changes modes between steps gets what a new stepper would do.
TEST(SmoothStepper, NoticesAChangedState) {
  const System system = test::make_rope();
  MethodSettings settings;
  settings.integrator = "dormand_prince";
  const auto used = make_stepper(system, settings);
  State state = run(*used, system.initial, 0.1, 0.01).state;
  state.modes[0] = 1;
  const auto fresh = make_stepper(system, settings);
  EXPECT_EQ(calc_hash(run(*used, state, 0.2, 0.1).state), calc_hash(run(*fresh, state, 0.2, 0.1).state));
}

TEST(SmoothStepper, IsInTheTableOfFormulations) {
  EXPECT_EQ(std::count(formulation_names().begin(), formulation_names().end(), "smooth"), 1);
}

}  // namespace
}  // namespace stiction
