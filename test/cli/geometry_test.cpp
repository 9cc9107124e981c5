// stiction geometry, as a user calls it. Numbers: closed forms of a ball in a floor and of two balls.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "program.h"

namespace stiction_test {
namespace {

constexpr const char* scene = R"(title = "Shapes"
[time]
duration = 1
step = "1 ms"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 1
position = [0.1, 0.2, 0.45]
velocity = [1, 0, -1]
angular_velocity = [0, 2, 0]
shape = { type = "sphere", radius = 0.5 }
[body.far]
mass = 1
position = [0.1, 0.2, 2.45]
shape = { type = "sphere", radius = 0.5 }
[body.bare]
mass = 1
inertia = 1
[body.hammer]
mass = 1
position = [5, 0, 0.2]
[body.hammer.shape.head]
type = "box"
size = [0.2, 0.2, 0.5]
[body.hammer.shape.handle]
type = "capsule"
radius = 0.02
length = 0.6
axis = [1, 0, 0]
position = [0.4, 0, 0]
)";

class Geometry : public testing::Test {
 protected:
  Geometry() { write_text(file(), scene); }
  std::string file() const { return folder_ / "scene.toml"; }
  nlohmann::json ask(const std::string& query, const std::string& a, const std::string& b) {
    const ProgramResult result = run_program({"geometry", query, file(), a, b, "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  TemporaryFolder folder_;
};

TEST_F(Geometry, gap_of_a_ball_in_the_floor) {
  const auto report = ask("gap", "ball", "floor");
  EXPECT_NEAR(report["gap"], -0.05, 1e-15);
  EXPECT_NEAR(report["point_a"][2], -0.05, 1e-15);
  EXPECT_NEAR(report["point_b"][2], 0, 1e-15);
  EXPECT_NEAR(report["normal"][2], -1, 1e-15);
  EXPECT_LE(report["residual"], 1e-12);
  EXPECT_NEAR(ask("gap", "ball", "far")["gap"], 1.0, 1e-15);
}

// A ball of radius 0.5 whose centre is at 0.1 + 0.4 m: its gap to the floor is rounding, and none is shown.
TEST_F(Geometry, rounding_of_a_gap_is_shown_as_none) {
  for (const char* query : {"gap", "kinematics"}) {
    const ProgramResult result = run_program(
        {"geometry", query, file(), "ball", "floor", "--set", "body.ball.position=[0.1, 0.7, 0.49999999999999994]"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("gap               0 m"), std::string::npos) << result.out;
  }
  const ProgramResult touching = run_program(
      {"geometry", "gap", file(), "ball", "floor", "--set", "body.ball.position=[0.1, 0.7, 0.49999999999999994]"});
  EXPECT_NE(touching.out.find("0 m (touching)"), std::string::npos) << touching.out;
}

// A cap of height h = 0.05 of a ball of radius R = 0.5: V = pi h^2 (3R - h)/3; its centroid lies 3 (2R - h)^2/(4 (3R -
// h)) from the centre.
TEST_F(Geometry, volume_of_a_cap_within_certified_bounds) {
  const auto report = ask("volume", "ball", "floor");
  const double h = 0.05, R = 0.5, V = M_PI * h * h * (3 * R - h) / 3;
  EXPECT_NEAR(report["volume"], V, 1e-12 * V);
  EXPECT_NEAR(report["centroid"][2], 0.45 - 0.75 * (2 * R - h) * (2 * R - h) / (3 * R - h), 1e-13);
  EXPECT_LE(report["lower"], V);
  EXPECT_GE(report["upper"], V);
  EXPECT_EQ(report["inertia"].size(), 3u);
  EXPECT_EQ(ask("volume", "ball", "far")["volume"], 0.0);
}

// A point under a moving ball: it goes with the centre over the floor, and so does the ball's lowest point.
TEST_F(Geometry, kinematics_of_a_ball_over_a_floor) {
  const auto report = ask("kinematics", "ball", "floor");
  EXPECT_NEAR(report["gap_rate"], -1, 1e-14);
  EXPECT_NEAR(report["point_a_velocity"][0], 1, 1e-14);
  EXPECT_NEAR(report["point_a_velocity"][2], -1, 1e-14);
  EXPECT_NEAR(report["point_b_velocity"][0], 1, 1e-14);
  EXPECT_NEAR(report["point_b_velocity"][2], 0, 1e-14);
}

TEST_F(Geometry, of_parts_and_overrides) {
  EXPECT_EQ(ask("gap", "hammer", "floor")["part_a"], "head");
  EXPECT_NEAR(ask("gap", "hammer.handle", "floor")["gap"], 0.18, 1e-15);
  EXPECT_NEAR(ask("volume", "hammer", "floor")["volume"], 0.2 * 0.2 * 0.05, 1e-15);
  const ProgramResult moved =
      run_program({"geometry", "gap", file(), "ball", "floor", "--set", "body.ball.position=[0, 0, 0.75]", "--json"});
  EXPECT_NEAR(nlohmann::json::parse(moved.out)["gap"], 0.25, 1e-15);
}

TEST_F(Geometry, tells_what_is_wrong) {
  const auto fault = [&](const std::string& a, const std::string& b) {
    const ProgramResult result = run_program({"geometry", "gap", file(), a, b});
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_NE(fault("bal", "floor").find("did you mean ball?"), std::string::npos);
  EXPECT_NE(fault("bare", "floor").find("has no shape"), std::string::npos);
  EXPECT_NE(fault("ball", "ball").find("same name twice"), std::string::npos);
  EXPECT_EQ(run_program({"geometry", "gap", folder_ / "none.toml", "a", "b"}).code, 5);
  EXPECT_EQ(run_program({"geometry", "gap", file(), "ball"}).code, 2);
}

TEST_F(Geometry, prints_for_people) {
  const ProgramResult result = run_program({"geometry", "gap", file(), "ball", "floor"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("-0.05 m (overlapping)"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("certified"), std::string::npos);
}

// The ball moves along x at 1 m/s, 1 m above a floor that is turned by 90 degrees: rates of rounding are shown as 0.
TEST_F(Geometry, rates_that_are_rounding_are_shown_as_zero) {
  const std::vector<std::string> turned = {"--set", "body.ball.velocity=[1, 0, 0]",
                                           "--set", "body.ball.angular_velocity=[0, 0, 0]",
                                           "--set", "body.ball.orientation={axis=[1, 2, 3], angle=\"37 deg\"}"};
  std::vector<std::string> words = {"geometry", "kinematics", file(), "ball", "floor"};
  words.insert(words.end(), turned.begin(), turned.end());
  const ProgramResult result = run_program(words);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "  gap rate          0 m/s\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "  normal rate       [0, 0, 0] 1/s\n")) << result.out;
  EXPECT_FALSE(contains(result.out, "e-")) << result.out;
}

}  // namespace
}  // namespace stiction_test
