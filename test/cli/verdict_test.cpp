#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

using nlohmann::json;

/// A ball dropped from 0.1 m above a floor.
const std::string ball = R"([world]
gravity = [0, 0, -9.81]
[time]
duration = 0.5
step = 1e-3
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
density = 1000
position = [0, 0, 0.2]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
friction = 0.5
restitution = 0.5
)";

/// A slider that falls along its guide onto the joint's lower limit.
const std::string slider = R"([world]
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 1e-3
[body.slider]
mass = 1
shape = { type = "sphere", radius = 0.1 }
[joint.guide]
type = "prismatic"
child = "slider"
axis = [0, 0, 1]
position = 0.5
lower = 0
)";

class verdict : public testing::Test {
 protected:
  verdict() {
    write_text(folder_.path() / "ball.toml", ball);
    write_text(folder_.path() / "slider.toml", slider);
    write_text(folder_.path() / "spring.toml", spring_scene);
  }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, {.folder = folder_.path()}); }
  json run_json(const std::vector<std::string>& words) {
    const ProgramResult result = run(words);
    return json::parse(result.out, nullptr, false);
  }
  static const json& find_reason(const json& report, const std::string& measure) {
    static const json none;
    for (const json& reason : report["reasons"])
      if (reason["measure"] == measure) return reason;
    return none;
  }
  TemporaryFolder folder_;
};

TEST_F(verdict, a_sound_run_is_called_trustworthy_in_its_first_lines) {
  const ProgramResult result = run({"run", "ball.toml", "--out", "ball"});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::size_t first = result.out.find('\n');
  EXPECT_TRUE(result.out.substr(first + 1).starts_with("  verdict    trustworthy\n")) << result.out;
  // One line a measure, with its unit and judgement; of no joint, no limit.
  EXPECT_TRUE(contains(result.out, "  audit      finite            0 samples")) << result.out;
  EXPECT_TRUE(contains(result.out, "penetration")) << result.out;
  EXPECT_FALSE(contains(result.out, "joint_limit")) << result.out;
  EXPECT_TRUE(contains(run({"info", "ball"}).out, "  verdict    trustworthy\n"));
  const ProgramResult audit = run({"info", "ball", "--audit"});
  EXPECT_TRUE(contains(audit.out, "iterations")) << audit.out;
  EXPECT_TRUE(contains(run({"compare", "ball", "ball"}).out, "  verdict    trustworthy\n"));
}

TEST_F(verdict, json_has_the_word_the_reasons_and_what_to_do) {
  const json good = run_json({"run", "ball.toml", "--json", "--out", "ball"});
  EXPECT_EQ(good["verdict"], "trustworthy");
  EXPECT_TRUE(good["reasons"].empty());
  EXPECT_GT(good["measures"].size(), 8u);
  EXPECT_EQ(run_json({"info", "ball", "--json"})["verdict"], "trustworthy");

  const json bad = run_json({"run", "ball.toml", "--json", "--set", "method.impacts=0", "--out", "first_order"});
  EXPECT_EQ(bad["verdict"], "look_closer");
  const json& reason = find_reason(bad, "first_order");
  ASSERT_FALSE(reason.is_null()) << bad["reasons"];
  EXPECT_GT(reason["value"], 0);
  EXPECT_EQ(reason["limit"], 0);
  EXPECT_EQ(reason["unit"], "parts");
  // Falling 0.1 m takes 0.1428 s: the first step with contact is the next.
  EXPECT_NEAR(reason["time"].get<double>(), 0.1428, 2e-3);
  EXPECT_TRUE(contains(reason["remedy"], "method.impacts"));
}

// Counts are whole numbers, one of a thing is one thing, and rounding is 0.
TEST_F(verdict, the_table_is_written_for_people) {
  const std::string good = run({"run", "ball.toml", "--out", "good"}).out;
  EXPECT_TRUE(contains(good, "  unconverged       0 problems")) << good;
  EXPECT_FALSE(std::regex_search(good, std::regex("cone +[0-9.]+e-"))) << good;
  const std::string one = run({"run", "ball.toml", "--set", "method.impacts=0", "--set", "time.duration=0.143"}).out;
  EXPECT_TRUE(contains(one, "  first_order       1 part  ")) << one;
  const std::string many = run({"run", "ball.toml", "--set", "method.solver_tolerance=1e-300", "--set",
                                "time.step=1e-4", "--set", "method.impacts=0", "--out", "many"})
                               .out;
  EXPECT_TRUE(std::regex_search(many, std::regex("first_order +[0-9]{3,} parts"))) << many;
}

TEST_F(verdict, what_the_scene_expects_stands_beside_it) {
  write_text(folder_.path() / "said.toml", ball + "[expect]\nverdict = \"look closer\"\nbecause = \"it is a test\"\n");
  const ProgramResult result = run({"run", "said.toml", "--set", "method.impacts=0", "--out", "said"});
  EXPECT_TRUE(contains(result.out, "expected by the scene: look closer, because it is a test")) << result.out;
  EXPECT_EQ(run_json({"info", "said", "--json"})["expected"]["because"], "it is a test");
}

TEST_F(verdict, a_resumed_run_has_that_of_one_never_stopped) {
  EXPECT_EQ(run({"run", "ball.toml", "--set", "method.impacts=0", "--out", "whole"}).code, 0);
  const json part =
      run_json({"run", "ball.toml", "--set", "method.impacts=0", "--max-steps", "200", "--json", "--out", "part"});
  EXPECT_EQ(part["verdict"], "look_closer");
  EXPECT_TRUE(contains(find_reason(part, "status")["remedy"], "stiction resume"));
  const ProgramResult resumed = run({"resume", "part"});
  EXPECT_TRUE(contains(resumed.out, "  verdict    look closer\n")) << resumed.out;
  EXPECT_EQ(run_json({"info", "part", "--json"})["measures"], run_json({"info", "whole", "--json"})["measures"]);
}

// A driver takes the slider to 1 m below its limit.
TEST_F(verdict, a_joint_beyond_its_limit_is_named) {
  const json report = run_json({"run", "slider.toml", "--set", "driver.lift.joint=guide", "--set",
                                "driver.lift.motion={start=0.5,velocity=-1.5}", "--json"});
  EXPECT_EQ(report["verdict"], "do_not_trust");
  const json& reason = find_reason(report, "joint_limit");
  ASSERT_FALSE(reason.is_null()) << report["reasons"];
  EXPECT_EQ(reason["place"], "guide");
  EXPECT_EQ(reason["unit"], "m");
  EXPECT_NEAR(reason["value"].get<double>(), 1, 1e-9);
  EXPECT_TRUE(contains(reason["remedy"], "drivers"));
}

TEST_F(verdict, a_joint_that_starts_beyond_its_limits_is_refused_unless_it_settles) {
  const std::vector<std::string> beyond = {"slider.toml",         "--set", "joint.guide.position=2", "--set",
                                           "joint.guide.upper=1", "--set", "joint.guide.lower=-1"};
  std::vector<std::string> words = {"run"};
  words.insert(words.end(), beyond.begin(), beyond.end());
  const ProgramResult refused = run(words);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "2 m is outside the limits -1 to 1")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "method.settle = true")) << refused.err;
  // It is moved to its limit, 1 m, and falls from there.
  for (const char* word : {"--set", "method.settle=true", "--set", "method.type=cone", "--set", "time.duration=0.1"})
    words.emplace_back(word);
  words.insert(words.end(), {"--out", "settled", "--quiet"});
  EXPECT_EQ(run(words).code, 0);
  const std::string last = run({"export", "settled", "--signals", "guide.position"}).out;
  EXPECT_TRUE(contains(last, "0.95094999")) << last;  // 1 - g (0.1 s)^2 / 2
  EXPECT_EQ(run_json({"info", "settled", "--json"})["verdict"], "trustworthy");
}

// A cause a scene: strict runs end at its step, name it and its remedy, and exit with 4.
TEST_F(verdict, strict_stops_at_each_cause) {
  const auto expect = [&](const std::vector<std::string>& scene, const std::string& cause, const std::string& remedy) {
    std::vector<std::string> words = {"run", "--strict", "--json"};
    words.insert(words.end(), scene.begin(), scene.end());
    const ProgramResult result = run(words);
    EXPECT_EQ(result.code, 4) << cause << result.err;
    EXPECT_TRUE(contains(result.err, "strict: " + cause + " at ")) << result.err;
    EXPECT_TRUE(contains(result.err, remedy)) << result.err;
    const json report = json::parse(result.out);
    EXPECT_EQ(report["status"], "failed");
    EXPECT_NE(report["verdict"], "trustworthy");
    // It stopped there, before its end.
    EXPECT_LT(report["time"], 0.5) << cause;
  };
  expect({"ball.toml", "--set", "method.impacts=0"}, "first_order", "method.impacts");
  expect({"ball.toml", "--set", "method.solver_tolerance=1e-300"}, "unconverged", "method.solver_tolerance");
  expect({"slider.toml", "--set", "driver.lift.joint=guide", "--set", "driver.lift.motion={start=0.5,velocity=-1.5}"},
         "joint_limit", "drivers");
  // Explicit Euler feeds an undamped spring: by (1 + (w h)^2) a step.
  expect({"spring.toml", "--set", "method.integrator=rk1"}, "energy_rise", "time.step");
  // A rod that Newton's law with friction would feed.
  write_text(folder_.path() / "rod.toml", R"([world]
gravity = [0, -9.81, 0]
[time]
duration = 0.5
step = 1e-3
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 1, 0] }
[body.rod]
planar = true
mass = 1
inertia = 0.002
position = [0, 0.35, 0]
orientation = { axis = [0, 0, 1], angle = "45 deg" }
velocity = [0.5, -1, 0]
shape = { type = "capsule", axis = [1, 0, 0], length = 0.5, radius = 0.01 }
[contact.default]
friction = 1
restitution = 1
hypothesis = "newton"
)");
  expect({"rod.toml"}, "restitution", "stronge");
  // Known at the end only: the paper's implicit steps of 5 ms damp.
  const ProgramResult damped = run({"run", std::string(STICTION_EXAMPLES) + "/four_balls.toml", "--strict"});
  EXPECT_EQ(damped.code, 4) << damped.out;
  // The cause is told once: as a reason of the verdict.
  EXPECT_TRUE(contains(damped.out, "energy at ")) << damped.out;
  EXPECT_FALSE(contains(damped.out, "strict: ")) << damped.out;
  EXPECT_FALSE(contains(damped.err, "energy at ")) << damped.err;
  // This method damps, so that another one is offered; `cone` itself is not told to take cone.
  EXPECT_TRUE(contains(damped.out, "\"cone\"")) << damped.out;
  EXPECT_EQ(run({"run", "ball.toml", "--strict"}).code, 0);
  EXPECT_EQ(run({"run", "spring.toml", "--strict"}).code, 0);
}

}  // namespace
}  // namespace stiction_test
