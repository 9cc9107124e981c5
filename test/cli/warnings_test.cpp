#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

/// The spring with a damper of 2e4 1/s, ten times what RK4 takes in steps of 1 ms: it diverges. And the same, damped
/// within bounds.
class run_warnings : public testing::Test {
 protected:
  run_warnings() {
    write_text(folder_.path() / "stiff.toml", std::string(spring_scene) + "damping = 4e4\n");
    write_text(folder_.path() / "soft.toml", std::string(spring_scene) + "damping = 400\n");
  }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, {.folder = folder_.path()}); }
  TemporaryFolder folder_;
};

// 4e4 / 2 1/s; 2.79 / 2e4 s.
const std::string text =
    "body \"mass\": damping at the start has a rate of 20000 1/s: integrator \"rk4\" needs steps below 0.00014 s, but "
    "time.step is 0.001 s; use shorter steps, or \"cvode_bdf\"";

std::vector<std::string> find_lines(const std::string& from, const std::string& part) {
  std::vector<std::string> found;
  std::istringstream lines(from);
  for (std::string line; std::getline(lines, line);)
    if (contains(line, part)) found.push_back(line);
  return found;
}

TEST_F(run_warnings, are_those_of_check_before_the_run_and_in_the_summary) {
  EXPECT_EQ(find_lines(run({"check", "stiff.toml"}).out, "warning"), std::vector{"warning: " + text});
  const ProgramResult result = run({"run", "stiff.toml", "--out", "stiff"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(find_lines(result.err, "warning"), std::vector{"warning: " + text});
  EXPECT_LT(result.err.find("warning"), result.err.find("error: diverged")) << result.err;
  EXPECT_EQ(find_lines(result.out, "damping at the start"), std::vector{"  warning    " + text});
  EXPECT_EQ(find_lines(run({"info", "stiff"}).out, "damping at the start"), std::vector{"  warning    " + text});
}

TEST_F(run_warnings, are_listed_in_the_json) {
  const ProgramResult result = run({"run", "stiff.toml", "--json", "--out", "stiff"});
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["warnings"].at(0), text);
  EXPECT_EQ(find_lines(result.err, "warning"), std::vector{"warning: " + text});
  EXPECT_EQ(nlohmann::json::parse(run({"info", "stiff", "--json"}).out)["warnings"], report["warnings"]);
  // Progress as lines of JSON stays that.
  std::istringstream lines(run({"run", "stiff.toml", "--progress", "json", "--max-steps", "3"}).err);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::json::parse(line), nlohmann::json({{"warning", text}}));
}

TEST_F(run_warnings, are_not_said_to_the_quiet_and_not_without_need) {
  EXPECT_EQ(find_lines(run({"run", "stiff.toml", "--quiet"}).err, "warning").size(), 0u);
  const ProgramResult soft = run({"run", "soft.toml", "--out", "soft"});
  EXPECT_EQ(soft.code, 0) << soft.err;
  EXPECT_EQ(soft.err, "");
  EXPECT_FALSE(contains(soft.out, "warning")) << soft.out;
  EXPECT_TRUE(nlohmann::json::parse(run({"info", "soft", "--json"}).out)["warnings"].empty());
  // What is in effect: check says it, a run does not.
  const std::vector<std::string> adaptive = {"soft.toml", "--set", "method.integrator=dormand_prince"};
  EXPECT_TRUE(contains(run({"check", adaptive[0], adaptive[1], adaptive[2]}).out, "note: integrator"));
  EXPECT_EQ(run({"run", adaptive[0], adaptive[1], adaptive[2]}).err, "");
}

// Keys that the method does not use: a note, in `check` and before a run; the run is trustworthy all the same.
TEST_F(run_warnings, keys_without_effect_are_noted_before_a_run) {
  const std::string unused = "method.theta has no effect: it is used by `cone`";
  EXPECT_EQ(find_lines(run({"check", "soft.toml", "--set", "method.theta=0.7"}).out, "theta"),
            std::vector{"note: " + unused});
  const ProgramResult result = run({"run", "soft.toml", "--set", "method.theta=0.7", "--out", "noted"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "note: " + unused + "\n");
  EXPECT_FALSE(contains(result.out, "theta")) << result.out;
  EXPECT_EQ(run({"run", "soft.toml", "--set", "method.theta=0.7", "--quiet"}).err, "");
  const ProgramResult json =
      run({"run", "soft.toml", "--set", "method.theta=0.7", "--progress", "json", "--max-steps", "3"});
  std::istringstream lines(json.err);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::json::parse(line), nlohmann::json({{"note", unused}}));
}

TEST_F(run_warnings, come_again_when_a_run_is_resumed) {
  EXPECT_EQ(run({"run", "stiff.toml", "--max-steps", "3", "--out", "part", "--quiet"}).code, 3);
  EXPECT_EQ(find_lines(run({"resume", "part"}).err, "warning"), std::vector{"warning: " + text});
}

// Whole numbers beyond a turn look like degrees; what is written with a unit, or is a length, does not.
TEST_F(run_warnings, tell_of_angles_that_look_like_degrees) {
  const auto check = [&](const std::string& type, const std::string& keys) {
    write_text(folder_.path() / "door.toml",
               "[body.door]\nmass = 1\ninertia = 1\n[joint.hinge]\nchild = \"door\"\ntype = \"" + type + "\"\n" + keys);
    return find_lines(run({"check", "door.toml"}).out, "degrees are written");
  };
  EXPECT_EQ(
      check("revolute", "position = 45\nlower = -3\nupper = 90\n"),
      (std::vector<std::string>{"warning: joint.hinge.position is 45 rad, 7.16 turns: degrees are written \"45 deg\"",
                                "warning: joint.hinge.upper is 90 rad, 14.3 turns: degrees are written \"90 deg\""}));
  EXPECT_TRUE(check("revolute", "position = \"45 deg\"\nupper = \"720 deg\"\n").empty());
  EXPECT_TRUE(check("revolute", "position = 6\nupper = 12.5\n").empty());
  EXPECT_TRUE(check("prismatic", "position = 45\nupper = 90\n").empty());
  EXPECT_EQ(check("planar", "position = [45, 45, 30]\n").size(), 1u);
  const std::string drives =
      "[motor.drive]\njoint = \"hinge\"\nposition = 90\nproportional = 1\n"
      "[spring.back]\ntype = \"torsional\"\njoint = \"hinge\"\nstiffness = 1\nrest = -30\n";
  EXPECT_EQ(
      check("revolute", drives),
      (std::vector<std::string>{"warning: motor.drive.position is 90 rad, 14.3 turns: degrees are written \"90 deg\"",
                                "warning: spring.back.rest is -30 rad, -4.77 turns: degrees are written \"-30 deg\""}));
  EXPECT_TRUE(check("prismatic", drives).empty());
}

}  // namespace
}  // namespace stiction_test
