#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

using std::numbers::pi;

TimeFunction read_motion(const std::string& text) {
  return read_text("[driver.d]\njoint = \"j\"\nmotion = " + text + "\n").drivers[0].value.motion;
}

void expect_sample(const TimeFunction& function, double t, double value, double rate, double acceleration) {
  const Sample sample = calc_sample(function, t);
  EXPECT_NEAR(sample.value, value, 1e-13);
  EXPECT_NEAR(sample.rate, rate, 1e-13);
  EXPECT_NEAR(sample.acceleration, acceleration, 1e-12);
}

TEST(ReadFunction, Number) {
  expect_sample(read_motion("\"180 deg\""), 3, pi, 0, 0);
}

TEST(ReadFunction, Ramp) {
  // 1 + 2 t + 4 t^2 / 2 at t = 3.
  expect_sample(read_motion("{ start = 1, velocity = 2, acceleration = \"4 rad/s^2\" }"), 3, 25, 14, 4);
  expect_sample(read_motion("{ velocity = \"30 rpm\" }"), 2, 2 * pi, pi, 0);
  EXPECT_TRUE(is_constant(read_motion("{ start = 1 }")));
}

TEST(ReadFunction, Polynomial) {
  // 1 + 2 t - t^3 at t = 2.
  expect_sample(read_motion("{ polynomial = [1, \"2 rad/s\", 0, \"-1 rad/s^3\"] }"), 2, -3, -10, -12);
}

TEST(ReadFunction, Sine) {
  // 1 + 2 sin(2 pi 0.5 t + pi/2) = 1 + 2 cos(pi t): at t = 1 the value is -1, the acceleration 2 pi^2.
  expect_sample(read_motion("{ sine = { amplitude = 2, frequency = \"0.5 Hz\", phase = \"90 deg\", offset = 1 } }"), 1,
                -1, 0, 2 * pi * pi);
}

TEST(ReadFunction, TableInBothForms) {
  for (const std::string text : {"{ table = { times = [0, \"1 s\", 2], values = [0, \"180 deg\", 1] } }",
                                 "{ table = [[0, 0], [1, \"180 deg\"], [2, 1]] }"}) {
    const TimeFunction function = read_motion(text);
    EXPECT_EQ(calc_sample(function, 1).value, pi);
    EXPECT_EQ(calc_sample(function, 5).value, 1);
    EXPECT_EQ(calc_sample(function, -1).value, 0);
  }
}

TEST(ReadFunction, InterpolationOfATable) {
  const std::string points = "{ table = [[0, 0], [1, 2], [2, 2]]";
  expect_sample(read_motion(points + ", interpolation = \"hold\" }"), 0.5, 0, 0, 0);
  expect_sample(read_motion(points + ", interpolation = \"linear\" }"), 0.25, 0.5, 2, 0);
  // 2 (3 s^2 - 2 s^3) at s = 1/4 in both spellings of the default; the spline has the rate 3 (2 + 0) / 4 at the second
  // point.
  for (const std::string& text : {points + " }", points + ", interpolation = \"monotone\" }"})
    expect_sample(read_motion(text), 0.25, 2 * (3 * 0.0625 - 2 * 0.015625), 2 * (6 * 0.25 - 6 * 0.0625), 6);
  EXPECT_NEAR(calc_sample(read_motion(points + ", interpolation = \"cubic\" }"), 1).rate, 1.5, 1e-15);
  const Scene scene = read_text(
      "[force.f]\nbody = \"a\"\nforce = { table = [[0, [0, 0, 0]], [1, [4, 5, 6]]], interpolation = \"hold\" }\n");
  EXPECT_EQ(calc_sample(scene.forces[0].value.force.components[1], 0.9).value, 0);
}

TEST(ReadFunction, Vectors) {
  const Scene scene = read_text(R"(
[body.a]
motion = { position = { start = [1, 2, 3], velocity = ["1 cm/s", 0, 0], acceleration = [0, 2, 0] }, axis = [0, 0, 3], angle = { velocity = "30 rpm" } }
[body.b]
motion = { position = { table = { times = [0, 1], values = [[0, 0, 0], ["1 mm", 2, 3]] } } }
[body.c]
motion = { position = { table = [[0, [0, 0, 0]], [1, [4, 5, 6]]] } }
[force.f]
body = "a"
force = [1, { sine = { amplitude = "2 N", frequency = 1, phase = "90 deg" } }, "3 kN"]
torque = [0, 0, "1 N m"]
axes = "body"
)");
  const auto at = [](const VectorFunction& function, double t) {
    return Vec3(calc_sample(function.components[0], t).value, calc_sample(function.components[1], t).value,
                calc_sample(function.components[2], t).value);
  };
  const MotionSpec& motion = *scene.bodies[0].value.motion;
  EXPECT_LT((at(*motion.position, 2) - Vec3(1.02, 6, 3)).norm(), 1e-15);
  EXPECT_EQ(motion.axis, Vec3(0, 0, 1));
  EXPECT_EQ(calc_sample(*motion.angle, 1).rate, pi);
  EXPECT_EQ(at(*scene.bodies[1].value.motion->position, 1), Vec3(0.001, 2, 3));
  EXPECT_EQ(at(*scene.bodies[2].value.motion->position, 1), Vec3(4, 5, 6));
  const ForceSpec& force = scene.forces[0].value;
  EXPECT_EQ(at(force.force, 0), Vec3(1, 2, 3000));
  EXPECT_EQ(at(force.torque, 0), Vec3(0, 0, 1));
  EXPECT_EQ(force.axes, "body");
}

std::string motion_fault(const std::string& text) {
  const std::string fault = only_fault("[driver.d]\njoint = \"j\"\nmotion = " + text + "\n");
  const std::size_t colon = fault.find(": ");
  return colon == std::string::npos ? fault : fault.substr(colon + 2);
}

TEST(ReadFunction, Faults) {
  EXPECT_EQ(motion_fault("{}"), "expected one function of time, got none");
  EXPECT_EQ(motion_fault("{ start = 1, polynomial = [1] }"), "expected one function of time, got several");
  EXPECT_EQ(motion_fault("{ polynomial = [] }"), "expected an array of 1 to 16 coefficients, got an array of 0");
  EXPECT_EQ(motion_fault("{ polynomial = [0, \"1 s\"] }"),
            "expected an angular velocity [rad/s] or a velocity [m/s], got \"1 s\", a time");
  EXPECT_EQ(motion_fault("{ sine = { amplitude = 1 } }"), "\"frequency\" is missing");
  EXPECT_EQ(motion_fault("{ sine = { amplitude = 1, frequency = \"60 rpm\" } }"),
            "expected a frequency [Hz], got \"60 rpm\", an angular velocity");
  EXPECT_EQ(motion_fault("{ table = [[0, 1]] }"), "expected at least 2 points, got 1");
  EXPECT_EQ(motion_fault("{ table = [[0, 1], [1]] }"), "expected a pair [time, value], got an array of 1");
  EXPECT_EQ(motion_fault("{ table = [[0, 1], [0, 2]] }"), "times must increase, but 0 s is followed by 0 s");
  EXPECT_EQ(motion_fault("{ table = { times = [0, 1] } }"), "\"values\" is missing");
  EXPECT_EQ(motion_fault("{ table = 3 }"),
            "expected { times = [...], values = [...] } or pairs [[time, value], ...], got 3");
  EXPECT_EQ(motion_fault("{ table = [[0, -1e308], [1e-300, 1e308]] }"),
            "the values change too fast to be interpolated");
  EXPECT_EQ(motion_fault("{ sine = { amplitude = 1, frequency = 1 }, interpolation = \"hold\" }"),
            "\"interpolation\" is given without a table of points");
  EXPECT_EQ(motion_fault("{ interpolation = \"hold\" }"), "\"interpolation\" is given without a table of points");
  EXPECT_EQ(motion_fault("{ table = [[0, 1], [1, 2]], interpolation = \"spline\" }"),
            "expected \"hold\", \"linear\", \"monotone\" or \"cubic\", got \"spline\"");
  EXPECT_EQ(motion_fault("inf"), "expected an angle [rad] or a length [m], got inf, which is not finite");
}

}  // namespace
}  // namespace stiction
