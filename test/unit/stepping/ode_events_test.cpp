// Events of the adaptive methods against closed forms, and breaks of f.
#include "stiction/stepping/ode/ode_events.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ode_problems.h"

namespace stiction {
namespace {

using test::BallOnSpring;
using test::FunctionProblem;

class Events : public testing::TestWithParam<IntegratorInfo> {
 protected:
  Events() {
    settings_.relative_tolerance = 1e-12;
    settings_.absolute_tolerance = 1e-13;
  }
  std::unique_ptr<OdeIntegrator> make(OdeProblem& problem) const { return GetParam().make(problem, settings_); }
  OdeSettings settings_;
};
INSTANTIATE_TEST_SUITE_P(Adaptive, Events, testing::ValuesIn(test::select([](auto& row) { return row.adaptive; })),
                         [](const auto& row) { return row.param.name; });

TEST_P(Events, OfABouncingBallAreLocated) {
  BallOnSpring problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = BallOnSpring::start();
  const auto events = test::run(*integrator, t, y, 2.0, 0.01);
  // Touch and release alternate, as often as the closed form says, each within 1e-9 s of it.
  const auto expected = BallOnSpring::calc_event_times(5);
  ASSERT_EQ(events.size(), expected.size());
  EXPECT_GT(BallOnSpring::calc_event_times(6).back(), 2.0);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_NEAR(events[i].t, expected[i], 1e-9);
    EXPECT_EQ(events[i].mode, i % 2 == 0);
  }
}

// The same at the tolerances that a scene has if it gives none: touch and release, before errors add up over bounces.
TEST_P(Events, AreLocatedAtTheDefaultTolerances) {
  BallOnSpring problem;
  settings_ = {};
  const auto integrator = make(problem);
  double t = 0;
  VecX y = BallOnSpring::start();
  const auto events = test::run(*integrator, t, y, 0.5, 0.01);
  const auto expected = BallOnSpring::calc_event_times(2);
  ASSERT_EQ(events.size(), expected.size());
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_NEAR(events[i].t, expected[i], 1e-9);
}

// Thrown upwards: the guard x - level is positive for 20 ms about the apex, and constant acceleration allows long
// steps.
class Apex : public FunctionProblem {
 public:
  static constexpr double g = 9.81, speed = 12, half_width = 0.01;
  explicit Apex(bool with_guard)
      : FunctionProblem(2, [](double, const VecX& y, VecX& dy) { dy << y[1], -g; }), with_guard_(with_guard) {}
  int guard_count() const override { return with_guard_ ? 1 : 0; }
  void calc_guards(double, const VecX& y, VecX& guards) override { guards[0] = y[0] - level(); }
  bool mode(int) const override { return above_; }
  void set_mode(int, bool mode) override { above_ = mode; }
  static double level() { return 0.5 * speed * speed / g - 0.5 * g * half_width * half_width; }
  static double apex() { return speed / g; }

 private:
  bool with_guard_, above_ = false;
};

TEST_P(Events, InAShortDipInsideOneStepAreFound) {
  // Without the guard, no step ends within the 20 ms: looking at the ends of steps would miss it.
  Apex plain(false);
  const auto blind = make(plain);
  double t = 0;
  VecX y = Eigen::Vector2d(0, Apex::speed);
  while (t < 2.0) {
    const OdeStatus status = blind->advance(t, y, 10).status;
    ASSERT_EQ(status, OdeStatus::ok);
    EXPECT_GT(std::abs(t - Apex::apex()), Apex::half_width);
  }
  Apex problem(true);
  const auto integrator = make(problem);
  t = 0;
  y = Eigen::Vector2d(0, Apex::speed);
  const auto events = test::run(*integrator, t, y, 2.0, 2.0);
  // x = level at apex -+ half_width: there the speed is 0.1 m/s, so 1e-9 s is 1e-10 m.
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].t, Apex::apex() - Apex::half_width, 1e-9);
  EXPECT_NEAR(events[1].t, Apex::apex() + Apex::half_width, 1e-9);
  EXPECT_TRUE(events[0].mode);
  EXPECT_FALSE(events[1].mode);
}

// A guard that is no function of the solution: 10 ms - |time - 0.5 s|. Found because max_step / 8 is below 20 ms.
TEST_P(Events, OfAGuardDrivenByTimeAreFoundWithAMaximumStep) {
  class Window : public Apex {
   public:
    Window() : Apex(true) {}
    void calc_guards(double t, const VecX&, VecX& guards) override { guards[0] = 0.01 - std::abs(t - 0.5); }
  };
  settings_.max_step = 0.1;
  Window problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = Eigen::Vector2d(0, Apex::speed);
  const auto events = test::run(*integrator, t, y, 1.0, 1.0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].t, 0.49, 1e-9);
  EXPECT_NEAR(events[1].t, 0.51, 1e-9);
}

// x = sin t and two guards, x - 0.5 and 0.5 - x, that change sign at the same instants.
TEST_P(Events, OfSeveralGuardsAtOneInstantAreAllReported) {
  class Oscillator : public FunctionProblem {
   public:
    Oscillator() : FunctionProblem(2, [](double, const VecX& y, VecX& dy) { dy << y[1], -y[0]; }) {}
    int guard_count() const override { return 2; }
    void calc_guards(double, const VecX& y, VecX& guards) override { guards << y[0] - 0.5, 0.5 - y[0]; }
    bool mode(int i) const override { return modes_[i]; }
    void set_mode(int i, bool mode) override { modes_[i] = mode; }

   private:
    bool modes_[2] = {false, true};
  };
  Oscillator problem;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = Eigen::Vector2d(0, 1);
  const auto events = test::run(*integrator, t, y, 3.0, 3.0);
  ASSERT_EQ(events.size(), 4u);
  // arcsin(1/2) = pi/6, and pi - pi/6.
  EXPECT_NEAR(events[0].t, std::numbers::pi / 6, 1e-9);
  EXPECT_NEAR(events[2].t, 5 * std::numbers::pi / 6, 1e-9);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(events[static_cast<std::size_t>(i)].guard, i % 2);
}

// A guard that is zero but for rounding: |(cos t, sin t)| - 1.
TEST_P(Events, AreNotMadeFromRounding) {
  class Circle : public FunctionProblem {
   public:
    Circle() : FunctionProblem(1, [](double, const VecX&, VecX& dy) { dy[0] = 1; }) {}
    int guard_count() const override { return 1; }
    void calc_guards(double t, const VecX&, VecX& guards) override {
      guards[0] = std::sqrt(std::cos(t) * std::cos(t) + std::sin(t) * std::sin(t)) - 1;
    }
    bool mode(int) const override { return false; }
    void set_mode(int, bool) override { FAIL() << "no event here"; }
  };
  Circle problem;
  settings_.max_step = 0.01;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = VecX::Zero(1);
  EXPECT_TRUE(test::run(*integrator, t, y, 2.0, 0.1).empty());
}

TEST_P(Events, SwitchAModeThatIsWrongAtTheStart) {
  BallOnSpring problem;
  problem.set_mode(0, true);
  const auto integrator = make(problem);
  double t = 0;
  VecX y = BallOnSpring::start();
  const auto events = test::run(*integrator, t, y, 0.1, 0.1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].t, 0);
  EXPECT_FALSE(events[0].mode);
}

// y' jumps at 0.3 and 0.7; the value at a break itself belongs once to the right and once to the left.
TEST_P(Events, BreaksAreMetExactly) {
  FunctionProblem problem(1, [](double t, const VecX&, VecX& dy) { dy[0] = t < 0.3 ? 1 : t <= 0.7 ? 1000 : -t; });
  problem.breaks = {0.3, 0.7};
  settings_.relative_tolerance = settings_.absolute_tolerance = 1e-10;
  const auto integrator = make(problem);
  double t = 0;
  VecX y = VecX::Zero(1);
  bool at_first = false, at_second = false;
  int rejected = 0;
  test::run(*integrator, t, y, 1.0, 1.0, [&](const OdeReport& report) {
    at_first = at_first || t == 0.3;
    at_second = at_second || t == 0.7;
    rejected += report.rejected;
  });
  EXPECT_TRUE(at_first && at_second);
  // 0.3 + 400 - (1 - 0.49) / 2
  EXPECT_NEAR(y[0], 0.3 + 400 - 0.255, 5 * settings_.relative_tolerance * 400);
  // A jump seen inside a step would be bracketed by error control with dozens of rejections.
  EXPECT_LE(rejected, 2);
}

// Steps of a hundred roundings of the time, as chattering makes them: the search for a dip ends, and finds none.
TEST(EventFinder, EndsInStepsOfAFewRoundings) {
  struct Straight : DenseOutput {
    void interpolate(double t, VecX& y) override { y[0] = t; }
  } dense;
  struct Valley : FunctionProblem {
    Valley() : FunctionProblem(1, [](double, const VecX&, VecX& dy) { dy << 1; }) {}
    int guard_count() const override { return 1; }
    bool mode(int) const override { return true; }
    void set_mode(int, bool) override {}
    void calc_guards(double t, const VecX&, VecX& guards) override { guards[0] = std::abs(t - middle); }
    const double middle = 5 + 40 * 8.881784197001252e-16;
  } problem;
  EventFinder finder(problem, 1e-9);
  EXPECT_FALSE(finder.find_first(dense, 5, 5 + 100 * 8.881784197001252e-16).has_value());
}

// Fixed steps: the mode changes at the end of the step, the time comes from linear interpolation inside it.
TEST(FixedStepEvents, AreInterpolated) {
  BallOnSpring problem;
  OdeSettings settings;
  settings.step = 1e-3;
  const auto integrator = find_integrator("rk4")->make(problem, settings);
  double t = 0;
  VecX y = BallOnSpring::start();
  const auto events = test::run(*integrator, t, y, 0.4, 0.4);
  ASSERT_EQ(events.size(), 1u);
  // The interpolation's error is g h^2 / 8 over the speed: 1.23e-6 m / 3.7 m/s.
  EXPECT_NEAR(events[0].t, BallOnSpring::calc_event_times(1)[0], 0.34e-6);
  EXPECT_TRUE(problem.mode(0));
}

}  // namespace
}  // namespace stiction
