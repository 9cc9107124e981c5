// The volumetric simulations of gonthier-thesis-2007, section 5.2: what its text and figures say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using test::earth_gravity;
using test::run_example;

std::size_t sample_at(const RunResult& run, double t) {
  return static_cast<std::size_t>(std::lround(t / (run.times[1] - run.times[0])));
}
double time_of(const RunResult& run, const std::string& kind, int which) {
  for (const auto& event : run.events)
    if (event.kind == kind && which-- == 0) return event.t;
  return -1;
}
void expect_falling_energy(const RunResult& run, double tolerance) {
  const auto& energy = run.signal("energy.total");
  for (std::size_t i = 1; i < energy.size(); ++i) ASSERT_LE(energy[i], energy[i - 1] + tolerance) << run.times[i];
}

// Figs 5.38-5.43. Two bounces and then lasting contact; 0.197 m/s at 0.35 s, in the thesis to three digits and for all
// its steps; the spin falls linearly to zero at 1.9 s; slipping from 4.3 s on, where the contact ends; the dwell state
// rises with tau_dw = 0.3 s once the spin is over; rolling decays exponentially; energy never rises.
TEST(BallOnTable, DoesWhatTheThesisShows) {
  const RunResult run = run_example("ball_on_table");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  // It falls 0.1 m.
  EXPECT_NEAR(time_of(run, "impact", 0), std::sqrt(2 * 0.1 / earth_gravity), 1e-6);
  EXPECT_NEAR(time_of(run, "impact", 2), 0.36, 0.02);
  EXPECT_EQ(time_of(run, "impact", 3), -1);
  EXPECT_NEAR(run.signal("ball.velocity.y")[sample_at(run, 0.35)], 0.197, 5e-4);
  const auto& spin = run.signal("ball.angular_velocity.z");
  EXPECT_NEAR(time_of(run, "stick", 0), 1.9, 0.02);
  const double early = spin[sample_at(run, 0.6)] - spin[sample_at(run, 1.0)],
               late = spin[sample_at(run, 1.4)] - spin[sample_at(run, 1.8)];
  EXPECT_NEAR(late / early, 1, 0.05);
  const auto& roll = run.signal("ball.angular_velocity.x");
  const double first = std::log(roll[sample_at(run, 0.6)] / roll[sample_at(run, 1.4)]),
               second = std::log(roll[sample_at(run, 2.1)] / roll[sample_at(run, 2.9)]);
  EXPECT_NEAR(second / first, 1, 0.08);
  const auto& dwell = run.signal("contact.ball/table.dwell");
  EXPECT_LT(dwell[sample_at(run, 1.8)], 1e-3);
  const double rises = std::log((1 - dwell[sample_at(run, 2.0)]) / (1 - dwell[sample_at(run, 2.6)])) / 0.6;
  EXPECT_NEAR(rises * 0.3, 1, 0.01);
  EXPECT_NEAR(time_of(run, "slip", 0), 4.3, 0.1);
  EXPECT_NEAR(time_of(run, "release", 2), 4.35, 0.1);
  // The elastic energy of an impact, 1 J, is integrated to 100 times the tolerance 1e-7 (smooth_problem.h).
  expect_falling_energy(run, 1e-5);
}

// Fig. 5.41: the normal tilts towards +Y as the ball rolls over the edge, smoothly: from sample to sample, 5 ms, by
// less than the ball itself turns in that time plus what its patch wanders, together 0.1 rad.
TEST(BallOnTable, TheNormalTiltsSmoothly) {
  const RunResult run = run_example("ball_on_table");
  const auto &y = run.signal("contact.ball/table.normal.y"), &z = run.signal("contact.ball/table.normal.z"),
             &force = run.signal("contact.ball/table.force");
  double last = 0, largest = 0;
  for (std::size_t i = sample_at(run, 2); force[i] > 0; ++i) {
    const double angle = std::atan2(std::abs(y[i]), std::abs(z[i]));
    ASSERT_LT(std::abs(angle - last), 0.1) << run.times[i];
    last = angle, largest = std::max(largest, angle);
  }
  EXPECT_GT(largest, 0.5);
}

// Figs 5.48-5.53: steps of 50, 250 and 1000 us beside the adaptive stiff integrator. All give 0.197 m/s at 0.35 s and
// stop spinning at 1.9 s; the first bounce sets the ball rolling, with 2 rad/s in the text; and the longer the
// steps the earlier the ball is at the edge, the adaptive one last. That no energy appears is seen in the figures to
// some 1e-3 of what there is, 4.05 J.
TEST(BallOnTable, FixedStepsAgreeUntilTheEdge) {
  const auto time_at_edge = [](const RunResult& run) {
    const auto& y = run.signal("ball.position.y");
    const auto over = std::find_if(y.begin(), y.end(), [](double way) { return way > 0.3; });
    return over == y.end() ? -1 : run.times[static_cast<std::size_t>(over - y.begin())];
  };
  const double depth = std::sqrt(2 * earth_gravity / (std::numbers::pi * 0.1 * 1e7));
  double last = time_at_edge(run_example("ball_on_table"));
  EXPECT_GT(last, 3.5);
  for (const char* step : {"50e-6", "250e-6", "1e-3"}) {
    SCOPED_TRACE(step);
    const RunResult run =
        run_example("ball_on_table", {"method.integrator=rk3", std::string("time.step=") + step, "time.output=5e-3"});
    const auto &y = run.signal("ball.velocity.y"), &w = run.signal("ball.angular_velocity.x");
    EXPECT_NEAR(y[sample_at(run, 0.35)], 0.197, 5e-4);
    EXPECT_NEAR(w[sample_at(run, 0.25)], -2, 0.1);
    // Once it spins no more it rolls on the centroid of its patch, 2/3 of the depth of rest off its lowest point: it
    // slips by less than v_S. Before, spin takes the stick away from sliding.
    EXPECT_NEAR(y[sample_at(run, 2.5)], -w[sample_at(run, 2.5)] * (0.1 - depth * 2 / 3), 1e-3);
    EXPECT_GT(run.signal("ball.angular_velocity.z")[sample_at(run, 1.8)], 0.01);
    EXPECT_NEAR(run.signal("ball.angular_velocity.z")[sample_at(run, 2)], 0, 2e-3);
    EXPECT_LT(time_at_edge(run), last);
    last = time_at_edge(run);
    expect_falling_energy(run, 1e-3 * 4.05);
  }
}

// Figs 5.34-5.36: oscillations across and the way along the groove die out, and energy falls all the time, where the
// point contact's ball rolls on with constant energy (ball_in_cylinder_3d). Gone along Y by 10 s: less than 5 % of its
// speed is left, as the figure's curve has it near zero.
TEST(BallInGroove, ComesToRest) {
  const RunResult run = run_example("ball_in_groove");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto &vy = run.signal("ball.velocity.y"), &x = run.signal("ball.position.x");
  EXPECT_LT(std::abs(vy.back()), 0.05 * 0.3);
  const auto swing = [&](double from, double to) {
    double most = 0;
    for (std::size_t i = sample_at(run, from); i < sample_at(run, to); ++i) most = std::max(most, std::abs(x[i]));
    return most;
  };
  EXPECT_LT(swing(8, 10), 0.6 * swing(3, 5));
  EXPECT_LT(swing(3, 5), 0.9 * swing(1, 3));
  expect_falling_energy(run, 1e-5);
}

// Figs 5.55: from 0.1 rad nearly upright at 0.15 s, over at about 1.6 s, then it stands on its stem. That it falls
// again at 4 s is not reproduced: it stands as long as it spins fast enough (FallsWhenItsSpinNoLongerHoldsIt).
TEST(TippeTop, TurnsOverAndStands) {
  const RunResult run = run_example("tippe_top");
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& tilt = run.signal("top.tilt");
  const auto upright = std::min_element(tilt.begin(), tilt.begin() + static_cast<std::ptrdiff_t>(sample_at(run, 0.5)));
  EXPECT_NEAR(run.times[static_cast<std::size_t>(upright - tilt.begin())], 0.15, 0.05);
  EXPECT_LT(*upright, 0.05);
  EXPECT_LT(tilt[sample_at(run, 1.3)], 2.4);
  EXPECT_GT(tilt[sample_at(run, 1.6)], 2.8);
  for (std::size_t i = sample_at(run, 2.2); i < tilt.size(); ++i) ASSERT_GT(tilt[i], 3.0) << run.times[i];
  expect_falling_energy(run, 1e-9);
}

/// The largest deviation from standing on its stem within 0.1 s about t.
double swing_about(const RunResult& run, double t) {
  const auto& tilt = run.signal("top.tilt");
  double most = 0;
  for (std::size_t i = sample_at(run, t - 0.1); i <= sample_at(run, t + 0.1); ++i)
    most = std::max(most, std::numbers::pi - tilt[i]);
  return most;
}
/// When the spin has come down to that, after it has turned over.
double time_of_spin(const RunResult& run, double spin) {
  const auto& wz = run.signal("top.angular_velocity.z");
  std::size_t i = sample_at(run, 2);
  while (i + 1 < wz.size() && wz[i] > spin) ++i;
  return run.times[i];
}

// What the inverted top's fall depends on. Standing on its stem, r = 5 mm, a = 16 mm below the centre of mass, it loses
// spin by mu m g r_gyr / I3, with the patch of a ball under its weight: r_gyr^2 = 2 r d / 3, d^2 = m g / (pi r k_v).
// With friction that keeps Jellett's integral I1 w1 r sin t + I3 w3 (a + r cos t) the least kinetic energy at the tilt
// t is J^2 / (2 (I1 r^2 sin^2 t + I3 (a + r cos t)^2)); together with m g a cos t it has a minimum at t = 0 as long as
//     w^2 (I3 r (a + r) - I1 r^2) / (a + r)^2 > m g a
// that is above 88.1 rad/s. Swings die out above that spin and grow below it.
TEST(TippeTop, FallsWhenItsSpinNoLongerHoldsIt) {
  const double r = 5e-3, a = 16e-3, m = 6e-3, mu = 0.3, I1 = 8e-7, I3 = 7e-7, weight = m * earth_gravity;
  const double critical = std::sqrt(weight * a) * (a + r) / std::sqrt(I3 * r * (a + r) - I1 * r * r);  // 88.1
  const RunResult run = run_example("tippe_top", {"time.duration=8"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  const auto& wz = run.signal("top.angular_velocity.z");
  const double depth = std::sqrt(weight / (std::numbers::pi * r * 1.798e10)), gyration = std::sqrt(2 * r * depth / 3);
  // 1 %: the elliptic factors of a patch that also slides a little.
  EXPECT_NEAR((wz[sample_at(run, 4)] - wz[sample_at(run, 6)]) / 2 / (mu * weight * gyration / I3), 1, 0.01);
  const double at_critical = swing_about(run, time_of_spin(run, critical));
  EXPECT_GT(swing_about(run, time_of_spin(run, critical + 6)), 1.15 * at_critical);
  EXPECT_GT(swing_about(run, time_of_spin(run, critical - 4)), 1.15 * at_critical);
  EXPECT_LT(run.signal("top.tilt").back(), 2.6);
  // A contact 16 times as soft has a patch, and a spin moment, twice as large; the thesis' top falls at 4 s.
  const RunResult soft = run_example("tippe_top", {"time.duration=5", "contact.\"top/ground\".normal.stiffness=1.124e9",
                                                   "body.top.position=[0, 0, 0.0119813]"});
  EXPECT_LT(soft.signal("top.tilt").back(), 2.6);
  EXPECT_GT(soft.signal("top.tilt")[sample_at(soft, 3)], 3.0);
}

// Fig. 5.56: with the spin moment times 0.65 it turns over from 185 rad/s too.
TEST(TippeTop, ReducedSpinMomentAndSpeed) {
  const RunResult run = run_example("tippe_top", {"contact.\"top/ground\".friction.spin_factor=0.65",
                                                  "body.top.angular_velocity=[0, -18.469182, 184.075771]"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_GT(run.signal("top.tilt").back(), 2.9);
}

// Figs 5.59-5.63: at rest in its worksite after about 2 s, where the force along X is the weight, 100 N (the thesis'
// curve still swings about it). At the thesis' step and at a fifth; 1e-6 of it: the last swing has decayed to that by 3
// s.
TEST(BatteryBox, FallsIntoItsWorksite) {
  for (const char* step : {"250e-6", "50e-6"}) {
    const RunResult run = run_example("battery_box", {std::string("time.step=") + step});
    ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
    double moved = 0;
    for (const char* axis : {".x", ".y", ".z"}) {
      const auto& v = run.signal(std::string("box.velocity") + axis);
      for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(v[i]) > 1e-3) moved = std::max(moved, run.times[i]);
    }
    EXPECT_NEAR(moved, 2.1, 0.2) << step;
    const auto &x = run.signal("box.position.x"), &force = run.signal("contact.box/worksite.force");
    for (std::size_t i = sample_at(run, 3); i < x.size(); ++i) {
      // Its depth of rest is f / (k_v A), A the whole of its end.
      ASSERT_NEAR(x[i], 100 / (1e9 * 0.7112 * 0.3048), 1e-9) << step << " " << run.times[i];
      ASSERT_NEAR(force[i], 100, 1e-4) << step << " " << run.times[i];
    }
    // Within the clearance of 10 mm.
    EXPECT_LT(std::abs(run.signal("box.position.y").back()), 0.0101);
    EXPECT_LT(std::abs(run.signal("box.position.z").back()), 0.0101);
  }
}

// (3.44), (3.45): relaxation is for contacts that a fixed step finds late. It must not feed energy, and its effect
// vanishes with the step: at 50 us what is fed is what the elastic force itself feeds (it is no gradient where the box
// touches edges of cells), to 2 % of that.
TEST(BatteryBox, RelaxationFeedsNothing) {
  const auto run_with = [](const char* relaxation, const char* step) {
    return run_example("battery_box", {std::string("contact.\"box/worksite\".normal.relaxation_time=") + relaxation,
                                       std::string("time.step=") + step, "time.duration=2.5"});
  };
  const auto fed = [](const RunResult& run) { return run.signal("energy.stabilisation").back(); };
  // Of the 35 J that are exchanged; with the thesis' step, tau_r = 1 s.
  EXPECT_LT(fed(run_with("1", "250e-6")), 0.002 * 35);
  const double without = fed(run_with("0", "50e-6"));
  EXPECT_NEAR(fed(run_with("1", "50e-6")), without, 0.02 * without);
}

}  // namespace
}  // namespace stiction
