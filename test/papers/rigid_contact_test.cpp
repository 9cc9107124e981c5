// Rigid contact against closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

constexpr double gravity = 9.81, slope = 20 * std::numbers::pi / 180;

// A box at 1.02 times the friction that would just hold it: it does not move at all, over 10 s at h = 1e-3. The bar is
// a creep below 1e-9 m.
TEST(RigidContact, StickingIsNoMotion) {
  const RunResult run = run_example("slope_stick");
  for (const char* axis : {"x", "y", "z"}) {
    const auto& p = run.signal(std::string("box.position.") + axis);
    for (const double x : p) ASSERT_NEAR(x, p.front(), 1e-12);
  }
  EXPECT_LT(run.summary.audit.at("penetration"), 1e-12);
  // Forces of 1 kg on the slope, all four corners together.
  EXPECT_NEAR(run.signal("contact.box/slope.force").back(), gravity * std::cos(slope), 1e-9);
  EXPECT_NEAR(run.signal("contact.box/slope.friction").back(), gravity * std::sin(slope), 1e-9);
}

// At 0.98 times: a = gravity (sin - mu cos), s = a t^2 / 2. The bar is 1e-3; theta = 1/2 makes it exact.
TEST(RigidContact, SlidingFollowsCoulomb) {
  const RunResult run = run_example("slope_slide");
  const double mu = 0.98 * std::tan(slope), a = gravity * (std::sin(slope) - mu * std::cos(slope));
  const double dx = run.signal("box.position.x").back() - run.signal("box.position.x").front();
  const double distance = dx / std::cos(slope), t = run.times.back();
  EXPECT_NEAR(distance, 0.5 * a * t * t, 1e-9);
  EXPECT_NEAR(run.signal("box.velocity.x").back() / std::cos(slope), a * t, 1e-9);
  // What friction took is mu m gravity cos times the way.
  EXPECT_NEAR(run.signal("energy.friction").back(), mu * gravity * std::cos(slope) * distance, 1e-9);
}

// v^2 / (2 mu gravity), whichever way it goes: the exact cone prefers no direction.
TEST(RigidContact, SlidingStopsAtTheSameDistanceInAllDirections) {
  for (int i = 0; i < 64; ++i) {
    const double heading = 2 * std::numbers::pi * i / 64 + 0.01;
    const std::string velocity =
        "body.box.velocity=[" + std::to_string(std::cos(heading)) + "," + std::to_string(std::sin(heading)) + ", 0]";
    const RunResult run = run_example("coulomb_box", {velocity, "time.duration=0.5"});
    const double x = run.signal("box.position.x").back(), y = run.signal("box.position.y").back();
    // to_string rounds the velocity to 1e-6
    EXPECT_NEAR(std::hypot(x, y), 1 / (2 * 0.3 * gravity), 1e-6) << i;
    EXPECT_NEAR(std::remainder(std::atan2(y, x) - heading, 2 * std::numbers::pi), 0, 2e-6) << i;
  }
}

// The direction of elliptic friction is that of the body which the table names first, here the box, turned by a
// quarter: its x is the world's y, so that friction along the world's x is e_o mu. Stops after v^2 / (2 e_o mu
// gravity).
TEST(RigidContact, EllipticFrictionTurnsWithTheBodyNamedFirst) {
  const std::string table = "contact.\"box/floor\".";
  const RunResult run = run_example("coulomb_box", {table + "ellipse=[1, 0.5]", table + "direction=[1, 0, 0]",
                                                    "body.box.orientation={axis=[0,0,1], angle=\"90 deg\"}"});
  EXPECT_NEAR(run.signal("box.position.x").back(), 1 / (2 * 0.5 * 0.3 * gravity), 1e-6);
  EXPECT_NEAR(run.signal("box.position.y").back(), 0, 1e-6);
}

// The first three bounces rise to e^2, e^4, e^6 of the height, at h = 1e-3, by either hypothesis and all methods; with
// e = 0 there is none, and energy never rises. The bar is 0.5 %, 1.2e-6 m for the lowest.
TEST(RigidContact, RestitutionComesOutAsItWasPutIn) {
  Scene scene = test::load_example("coulomb_box", {"time.duration=3", "time.output=0.001"});
  BodySpec& box = scene.bodies[1].value;
  box.shapes[0].value.shape = Sphere{0.1};
  box.velocity = Vec3::Zero();
  box.position = Vec3(0, 0, 1.1);
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    for (const std::string hypothesis : {"newton", "poisson"}) {
      for (const double e : {0.0, 0.25, 0.5, 0.9, 1.0}) {
        SCOPED_TRACE(method + " " + hypothesis + " " + std::to_string(e));
        scene.method.type = method;
        scene.contacts[0].value.restitution = e;
        scene.contacts[0].value.hypothesis = hypothesis;
        const RunResult run = simulate(scene);
        const auto& z = run.signal("box.position.z");
        std::vector<double> tops;
        for (std::size_t i = 1; i + 1 < z.size(); ++i) {
          if (z[i] > z[i - 1] && z[i] >= z[i + 1] && z[i] > 0.1 + 1e-9) tops.push_back(z[i] - 0.1);
        }
        if (e == 0) {
          EXPECT_TRUE(tops.empty());
          continue;
        }
        double expected = 1;
        for (std::size_t k = 0; k < std::min<std::size_t>(3, tops.size()); ++k) {
          expected *= e * e;
          // Samples are 1 ms apart: the top lies up to g (0.5 ms)^2 / 2 = 1.2e-6 m above the highest.
          EXPECT_NEAR(tops[k], expected, 1.3e-6) << "bounce " << k + 1;
        }
        EXPECT_GE(tops.size(), e == 1.0 ? 2u : 3u);
        const auto& total = run.signal("energy.total");
        for (std::size_t i = 1; i < total.size(); ++i) ASSERT_LE(total[i], total[i - 1] + 1e-9) << run.times[i];
      }
    }
  }
}

// Five balls 1 mm apart, e = 1: the motion of the first passes to the last.
TEST(RigidContact, NewtonsCradle) {
  const RunResult run = run_example("newtons_cradle");
  const double expected[] = {0, 0, 0, 0, 1};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(run.signal("ball" + std::to_string(i + 1) + ".velocity.x").back(), expected[i], 1e-12);
  }
}

// Ten boxes, 60 s: all of them stay where they are (the bar: 1e-6 m at the top), nothing penetrates.
TEST(RigidContact, TheTowerStands) {
  const RunResult run = run_example("tower", {"time.duration=60"});
  for (int i = 1; i <= 10; ++i) {
    for (const char* axis : {"x", "y", "z"}) {
      const auto& p = run.signal("box" + std::to_string(i) + ".position." + axis);
      for (const double x : p) ASSERT_NEAR(x, p.front(), 1e-11);
    }
  }
  EXPECT_LT(run.summary.audit.at("penetration"), 1e-12);
}

// Two fingers of 20 N with mu = 0.5 hold 9.81 N: nothing moves, though the distribution of the forces is not
// determined.
TEST(RigidContact, TheGraspHolds) {
  const RunResult run = run_example("grasp");
  EXPECT_NEAR(run.signal("block.position.z").back(), 0.5, 1e-10);
  EXPECT_NEAR(run.signal("block.tilt").back(), 0, 1e-9);
  // Below mu = 9.81 / 40 it falls freely but for friction: a = gravity - 2 mu 20 N / 1 kg.
  const RunResult slips = run_example("grasp", {"contact.default.friction=0.2", "time.duration=0.1"});
  EXPECT_NEAR(slips.signal("block.position.z").back() - 0.5, -0.5 * (gravity - 2 * 0.2 * 20) * 0.01, 1e-6);
}

// A crate on a belt that starts smoothly ends with the belt's speed and has sunk nowhere.
TEST(RigidContact, TheConveyorTakesPartsAlong) {
  const RunResult run = run_example("conveyor");
  for (const char* part : {"crate", "can"}) {
    EXPECT_NEAR(run.signal(std::string(part) + ".velocity.x").back(), 0.5, 1e-9) << part;
  }
  EXPECT_NEAR(run.signal("crate.position.z").back(), 0.1, 1e-9);
}

// Off the belt's end, where a rim passes an edge and the points of a pair come and go within a step, all fall: the last
// to leave, the crate, tips over the edge before 7 s.
TEST(RigidContact, TheConveyorEnds) {
  const RunResult run = run_example("conveyor", {"time.duration=7.5", "time.output=0.1"});
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_EQ(run.summary.audit.at("unconverged"), 0);
  for (const char* part : {"crate", "can", "ball"}) {
    EXPECT_LT(run.signal(std::string(part) + ".position.z").back(), -0.1) << part;
  }
}

// Second order between impacts: a top on a ball joint, halving the step. A body that turns freely has no error at all.
TEST(RigidContact, ConeIsOfSecondOrderInSmoothPhases) {
  const auto end = [](const std::string& name, const std::string& duration, double step) {
    return run_example(name, {"method.type=cone", "time.duration=" + duration, "time.step=" + std::to_string(step),
                              "time.output=" + duration})
        .final_state.q;
  };
  const VecX coarse = end("heavy_top", "0.2", 4e-4), middle = end("heavy_top", "0.2", 2e-4),
             fine = end("heavy_top", "0.2", 1e-4);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 2, 0.15);
  // 500 roundings, which the unstable middle axis may make a hundred times as large
  EXPECT_LT((end("middle_axis", "1", 4e-3) - end("middle_axis", "1", 1e-3)).norm(), 1e-11);
}

class Recipe : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(CookingComplementarity, Recipe, testing::Range(1, 7));

// Unknowns of the mixed problem as the paper counts them: velocities, joint impulses, and of each contact the normal
// impulse, two tangential ones and their multiplier.
TEST_P(Recipe, SizesOfTheMixedProblem) {
  const RunResult run = run_example("recipe_4_" + std::to_string(GetParam()), {"time.duration=1"});
  const int sizes[] = {10, 15, 21, 25, 25, 22};
  EXPECT_EQ(run.summary.audit.at("unknowns"), sizes[GetParam() - 1]);
}

// Joints as constraints, with stabilisation phi/h, and as coordinates: the same motion, to the order of the step.
TEST_P(Recipe, BothFormsOfJointsAgree) {
  const std::string name = "recipe_4_" + std::to_string(GetParam());
  const auto end = [&](const std::string& form, double step) {
    return run_example(
        name, {"method.joints=" + form, "time.duration=1", "time.step=" + std::to_string(step), "time.output=1"});
  };
  const std::string body = GetParam() == 6 ? "particle" : "b";
  const auto differ = [&](double step) {
    const RunResult tree = end("tree", step), constraint = end("constraint", step);
    // Phi/h takes away what a step left, which leaves (h w)^2 r of its own: w < 8 rad/s, r = 0.5 m.
    EXPECT_LT(constraint.summary.audit.at("drift"), 0.5 * 64 * step * step);
    return std::hypot(tree.signal(body + ".position.x").back() - constraint.signal(body + ".position.x").back(),
                      tree.signal(body + ".position.y").back() - constraint.signal(body + ".position.y").back());
  };
  const double coarse = differ(1e-3), fine = differ(2.5e-4);
  // Both are of first order, with different errors: a quarter of the step leaves about a quarter of the difference.
  EXPECT_LT(fine, 5e-3);
  EXPECT_LT(fine, 0.35 * coarse + 1e-9);
}

}  // namespace
}  // namespace stiction
