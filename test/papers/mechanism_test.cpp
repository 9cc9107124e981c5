// Slider-crank against its geometry and its energy as a system of one coordinate; the arm against statics.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

TEST(SliderCrank, FollowsItsGeometryAndItsEnergy) {
  const RunResult run = test::run_example("slider_crank");
  const double r = 0.2, l = 0.5, g = 9.81;
  // Uniform boxes: moments about their centres in the plane.
  const double Jc = 1.0 / 12 * (0.2 * 0.2 + 0.04 * 0.04), Jr = 0.5 / 12 * (0.5 * 0.5 + 0.03 * 0.03);
  double first = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double a = run.signal("main.position")[i], w = run.signal("main.velocity")[i];
    const double root = std::sqrt(l * l - r * r * std::sin(a) * std::sin(a));
    ASSERT_NEAR(run.signal("slider.position.x")[i], r * std::cos(a) + root, 1e-11) << run.times[i];
    // One coordinate: all velocities from w. The rod makes the angle p with x, sin p = -r/l sin a.
    const double dp = -r * std::cos(a) * w / root;
    const double dx = -r * std::sin(a) * w - r * r * std::sin(a) * std::cos(a) * w / root;
    const double vx = dx + l / 2 * (-r / l * std::sin(a)) * dp,
                 vy = -l / 2 * (root / l) * dp;  // rod's centre, from the slider's end
    const double kinetic =
        0.5 * (Jc + 0.01) * w * w + 0.5 * 0.5 * (vx * vx + vy * vy) + 0.5 * Jr * dp * dp + 0.5 * 2.0 * dx * dx;
    const double potential = g * (1.0 * 0.1 * std::sin(a) + 0.5 * 0.1 * std::sin(a));
    ASSERT_NEAR(run.signal("energy.kinetic")[i], kinetic, 1e-9) << run.times[i];
    if (i == 0) first = kinetic + potential;
    ASSERT_NEAR(kinetic + potential, first, 1e-8) << run.times[i];
  }
  // The crank goes round many times.
  EXPECT_GT(run.signal("main.position").back(), 20 * std::numbers::pi);
}

TEST(Manipulator, SagsUnderItsWeightAsStaticsSays) {
  // Targets held at zero for long: arm stretched out along x. Each joint about y sags by (moment of the weight beyond
  // it)/kp, to first order in the sag; the moment from the closed-form masses and lever arms.
  std::vector<std::string> hold = {"time.duration=6", "motor.m6.position=0"};
  for (const char* motor : {"m1", "m2", "m3", "m4", "m5"})
    hold.push_back(std::string("motor.") + motor + ".position=0");
  const RunResult run = test::run_example("manipulator", hold);
  const double rho = 2700, pi = std::numbers::pi, g = 9.81;
  const auto capsule = [&](double R, double L) { return rho * pi * R * R * (L + 4.0 / 3.0 * R); };
  const double upper = capsule(0.045, 0.4), fore = capsule(0.035, 0.35), roll = rho * pi * 0.03 * 0.03 * 0.08,
               pitch = rho * pi * 0.028 * 0.028 * 0.07, hand = rho * 0.06 * 0.09 * 0.04;
  // Distances of the centres from joint 2 along the arm: 0.2, 0.4 + 0.175, 0.75 + 0.04, 0.83 + 0.035, 0.9 + 0.03.
  const double m2 = g * (upper * 0.2 + fore * 0.575 + roll * 0.79 + pitch * 0.865 + hand * 0.93);
  const double m3 = g * (fore * 0.175 + roll * 0.39 + pitch * 0.465 + hand * 0.53);
  const double m5 = g * (pitch * 0.035 + hand * 0.10);
  const std::size_t last = run.times.size() - 1;
  // Second order in the sag angles (0.01 to 0.03 rad): cos changes by 5e-4 relative.
  EXPECT_NEAR(run.signal("j2.position")[last], m2 / 6000, 1e-3 * m2 / 6000);
  EXPECT_NEAR(run.signal("j3.position")[last], m3 / 3000, 1e-3 * m3 / 3000);
  EXPECT_NEAR(run.signal("j5.position")[last], m5 / 200, 1e-3 * m5 / 200);
  // At rest the motors' torques balance the weight; positive turns about y lower the arm.
  EXPECT_NEAR(run.signal("j2.force")[last], -m2, 2e-3 * m2);
  EXPECT_NEAR(run.signal("j1.position")[last], 0, 1e-9);
}

TEST(Manipulator, TheHandFollowsItsSine) {
  // Gravity off and every other target at rest. The last joint alone is J e'' + kd e' + kp e = J target'' with
  // e = target - angle and the hand's moment J about its axis; its steady error has the amplitude
  // J A W^2 / |kp - J W^2 + i kd W|, here 3.6e-4 rad. The start (the hand at rest, the target moving at A W) adds a
  // transient of at most A W / sqrt(kp/J), and the wrist behind it yields by as much again through its own springs.
  std::vector<std::string> still = {"world.gravity=[0, 0, 0]"};
  for (const char* motor : {"m1", "m2", "m3", "m4", "m5"})
    still.push_back(std::string("motor.") + motor + ".position=0");
  const RunResult run = test::run_example("manipulator", still);
  const double J = 2700 * 0.06 * 0.09 * 0.04 * (0.09 * 0.09 + 0.04 * 0.04) / 12, A = std::numbers::pi / 2,
               W = std::numbers::pi;
  const double kp = 20, kd = 0.15;
  const double steady = J * A * W * W / std::hypot(kp - J * W * W, kd * W);
  double worst_late = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double error = A * std::sin(W * run.times[i]) - run.signal("j6.position")[i];
    ASSERT_LT(std::abs(error), 2 * A * W / std::sqrt(kp / J)) << run.times[i];
    if (run.times[i] > 1) worst_late = std::max(worst_late, std::abs(error));
  }
  // After the transient: the hand's error and that of the roll joint in series, which feels the same torque on kp = 20
  // N m/rad.
  EXPECT_LT(worst_late, 2.5 * steady);
  EXPECT_GT(worst_late, 0.5 * steady);
}

TEST(VelocityMotor, AdaptiveIntegratorsSeeAShortPulse) {
  // J q'' = kd (r(t) - q') starts and ends at rest, so that q at the end is the integral of r: a clamped spline through
  // 0, 30, 0 rad/s over 2 x 10 ms, 0.3 rad by symmetry. The pulse lies between recording times 0.5 s apart.
  SceneText text;
  text.files = {{"pulse.toml",
                 "[time]\nduration = 2\nstep = 1e-3\noutput = 0.5\n[method]\nintegrator = \"dormand_prince\"\n"
                 "[body.wheel]\nmass = 1\ninertia = 0.01\n[joint.j]\ntype = \"revolute\"\nchild = \"wheel\"\n"
                 "[motor.m]\njoint = \"j\"\nderivative = 1\n"
                 "velocity = { table = { times = [0.9, 0.91, 0.92], values = [0, 30, 0] } }\n"}};
  const RunResult run = simulate(read_scene(text));
  EXPECT_NEAR(run.signal("j.position").back(), 0.3, 1e-7);  // relative tolerance 1e-8 of the integrator
}

}  // namespace
}  // namespace stiction
