#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <cstdio>
#include <set>
#include <sstream>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

// A folder with spring.toml in it, in which the program runs.
class run_command : public testing::Test {
 protected:
  run_command() { write_text(folder_.path() / "spring.toml", spring_scene); }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, {.folder = folder_.path()}); }
  bool exists(const std::string& name) { return std::filesystem::exists(folder_.path() / name); }
  TemporaryFolder folder_;
};

TEST_F(run_command, ends_with_a_summary_and_what_to_do_next) {
  const ProgramResult result = run({"run", "spring.toml"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string part : {"Spring <test> & more", "completed", "1 s in 1000 steps", "real time", "energy",
                                 "hash", "runs/spring", "stiction info runs/spring", "stiction plot runs/spring"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
  }
  // Short runs off a terminal show no progress.
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(exists("runs/spring/run.sqlite"));
}

// Shares that are rounded to 0.1 % add up to 100 % within 0.05 % a line.
void expect_whole_profile(const std::string& text, const std::vector<std::string>& parts) {
  EXPECT_TRUE(contains(text, "profile: ")) << text;
  std::istringstream lines(text);
  double sum = 0;
  std::set<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    char name[16];
    double share = 0, time = 0;
    if (std::sscanf(line.c_str(), " %15s %lf %% %lf us a step", name, &share, &time) != 3) continue;
    found.insert(name);
    sum += share;
    EXPECT_GE(time, 0) << line;
  }
  EXPECT_EQ(found, std::set<std::string>(parts.begin(), parts.end())) << text;
  EXPECT_NEAR(sum, 100, 0.05 * static_cast<double>(parts.size()) + 1e-9) << text;
}

TEST_F(run_command, shows_where_the_time_goes) {
  const ProgramResult rigid = run({"examples", "run", "falling_rod", "--profile"});
  EXPECT_EQ(rigid.code, 0) << rigid.err;
  expect_whole_profile(rigid.err,
                       {"finding", "assembling", "solving", "locating", "correcting", "other", "between", "recording"});
  const ProgramResult smooth = run({"run", "spring.toml", "--profile"});
  EXPECT_EQ(smooth.code, 0) << smooth.err;
  expect_whole_profile(smooth.err, {"stepping", "recording"});
}

TEST_F(run_command, a_new_run_never_touches_an_older_one) {
  EXPECT_EQ(run({"run", "spring.toml"}).code, 0);
  const std::string first = read_text(folder_.path() / "runs/spring/run.sqlite");
  EXPECT_EQ(run({"run", "spring.toml"}).code, 0);
  EXPECT_TRUE(contains(run({"run", "spring.toml"}).out, "runs/spring-3"));
  EXPECT_TRUE(exists("runs/spring-2/run.sqlite"));
  EXPECT_EQ(read_text(folder_.path() / "runs/spring/run.sqlite"), first);

  const ProgramResult again = run({"run", "spring.toml", "--out", "runs/spring"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.err, "already holds a run")) << again.err;
  EXPECT_TRUE(contains(again.err, "hint:")) << again.err;
  EXPECT_EQ(read_text(folder_.path() / "runs/spring/run.sqlite"), first);
}

TEST_F(run_command, json_has_the_documented_keys) {
  const ProgramResult result = run({"run", "spring.toml", "--json", "--out", "here"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["folder"], "here");
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["time"], 1.0);
  EXPECT_EQ(report["steps"], 1000);
  EXPECT_EQ(report["hash"].get<std::string>().size(), 16u);
  EXPECT_GE(report["wall_seconds"], 0.0);
  EXPECT_TRUE(report["audit"].is_object());
  EXPECT_TRUE(report["events"].is_array());
  // Closed form: the spring holds 200 * 0.2^2 / 2 = 4 J at the start; RK4 at 0.01 rad a step loses about
  // (w h)^5 / 72 a rad of it: 4 * 1e-10 / 72 * 10 * 2 < 1e-9.
  EXPECT_NEAR(report["energy"]["first"], 4.0, 1e-12);
  EXPECT_NEAR(report["energy"]["last"], 4.0, 1e-9);
  EXPECT_LT(report["energy"]["worst_residual"], 1e-9);
  EXPECT_EQ(nlohmann::json::parse(run({"info", "here", "--json"}).out), report);
}

TEST_F(run_command, quiet_says_nothing) {
  const ProgramResult result = run({"run", "spring.toml", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(run_command, set_overrides_fields) {
  const ProgramResult result =
      run({"run", "--set", "time.duration=0.5", "--set", "joint.rail.position='10 cm'", "spring.toml", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["time"], 0.5);
  EXPECT_NEAR(report["energy"]["first"], 1.0, 1e-12);  // 200 * 0.1^2 / 2
}

TEST_F(run_command, the_same_scene_gives_the_same_hash_every_time) {
  std::set<std::string> hashes;
  for (int i = 0; i < 5; ++i) {
    const ProgramResult result = run({"run", "spring.toml", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    hashes.insert(nlohmann::json::parse(result.out)["hash"].get<std::string>());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST_F(run_command, a_diverging_run_says_so_and_keeps_what_it_has) {
  // Far beyond RK4's limit of stability (w h = 2.8): h sqrt(k/m) = 700.
  const ProgramResult result = run({"run", "spring.toml", "--set", "spring.coil.stiffness=1e12", "--out", "wild"});
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(contains(result.err, "error: diverged")) << result.err;
  const nlohmann::json report = nlohmann::json::parse(run({"info", "wild", "--json"}).out);
  EXPECT_EQ(report["status"], "diverged");
  EXPECT_NE(report["message"], "");
  // The energy of the last state overflows: the last that did not is told.
  EXPECT_TRUE(report["energy"]["last"].is_number());
  const ProgramResult table = run({"export", "wild"});
  EXPECT_EQ(table.code, 0);
  EXPECT_FALSE(contains(table.out, "nan"));
}

TEST_F(run_command, a_limit_of_steps_ends_with_3_and_can_be_resumed) {
  ASSERT_EQ(run({"run", "spring.toml", "--out", "whole", "--quiet"}).code, 0);
  const ProgramResult stopped = run({"run", "spring.toml", "--out", "short", "--max-steps", "10"});
  EXPECT_EQ(stopped.code, 3);
  EXPECT_TRUE(contains(stopped.out, "stiction resume short")) << stopped.out;
  EXPECT_EQ(nlohmann::json::parse(run({"info", "short", "--json"}).out)["status"], "limit");
  ASSERT_EQ(run({"resume", "short", "--quiet"}).code, 0);
  const nlohmann::json whole = nlohmann::json::parse(run({"info", "whole", "--json"}).out);
  const nlohmann::json resumed = nlohmann::json::parse(run({"info", "short", "--json"}).out);
  EXPECT_EQ(resumed["status"], "completed");
  EXPECT_EQ(resumed["hash"], whole["hash"]);
  EXPECT_EQ(run({"export", "short"}).out, run({"export", "whole"}).out);
}

TEST_F(run_command, a_driver_leaves_the_other_coordinates_of_its_joint_alone) {
  // Turned at 2 rad/s by the driver; slides on at 0.25 m/s from 0.1 m, since nothing acts along the axis.
  write_text(folder_.path() / "bolt.toml", R"(
[world]
gravity = [0, 0, 0]
[time]
duration = 1
step = 0.01
[body.bolt]
mass = 1
inertia = 1
[joint.slide]
type = "cylindrical"
child = "bolt"
position = [0, 0.1]
velocity = [2, 0.25]
[driver.turn]
joint = "slide.angle"
motion = { polynomial = [0, 2] }
)");
  ASSERT_EQ(run({"run", "bolt.toml", "--quiet", "--out", "bolt"}).code, 0);
  std::istringstream lines(run({"export", "bolt", "--signals", "slide.position.*", "slide.velocity.*"}).out);
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line,
            "time,slide.position.angle,slide.position.displacement,slide.velocity.angle,slide.velocity.displacement");
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    double t = 0, angle = 0, x = 0, w = 0, v = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &t, &angle, &x, &w, &v), 5) << line;
    // Exact but for rounding.
    EXPECT_NEAR(angle, 2 * t, 1e-12);
    EXPECT_NEAR(x, 0.1 + 0.25 * t, 1e-12);
    EXPECT_NEAR(w, 2, 1e-12);
    EXPECT_NEAR(v, 0.25, 1e-12);
  }
  EXPECT_EQ(rows, 101);
}

TEST_F(run_command, a_scene_is_a_regular_file) {
  ASSERT_EQ(mkfifo((folder_.path() / "pipe.toml").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_.path() / "folder.toml");
  write_text(folder_.path() / "including.toml", "include = [\"pipe.toml\"]\n");
  struct Case {
    std::string scene, message;
    int code;
  };
  for (const Case& c : {Case{"pipe.toml", "not a regular file", 5}, Case{"folder.toml", "it is a folder", 5},
                        Case{"/dev/zero", "not a regular file", 5}, Case{"nothing.toml", "no such file", 5},
                        Case{"including.toml", "cannot read \"pipe.toml\": not a regular file", 2}}) {
    const ProgramResult result = run({"check", c.scene});
    EXPECT_EQ(result.code, c.code) << c.scene;
    EXPECT_TRUE(contains(result.err, c.message)) << result.err;
  }
}

TEST_F(run_command, places_that_cannot_be_written_are_io_errors) {
  // A file in the way stops every user; /proc stops even root.
  for (const std::string out : {"spring.toml", "spring.toml/run", "/proc/stiction/run"}) {
    const ProgramResult result = run({"run", "spring.toml", "--out", out});
    EXPECT_EQ(result.code, 5) << out;
    EXPECT_TRUE(contains(result.err, "error: ")) << result.err;
  }
  EXPECT_EQ(read_text(folder_.path() / "spring.toml"), spring_scene);
}

TEST_F(run_command, a_faulty_scene_leaves_nothing_behind) {
  write_text(folder_.path() / "broken.toml", "title = \"x\"\n[tme]\n");
  const ProgramResult result = run({"run", "broken.toml"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "broken.toml:2:")) << result.err;
  EXPECT_FALSE(exists("runs"));
}

TEST_F(run_command, progress_as_json_lines) {
  const ProgramResult result =
      run({"run", "spring.toml", "--progress", "json", "--quiet", "--set", "time.duration=20"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "") << "quiet wins";
  const ProgramResult loud = run({"run", "spring.toml", "--progress", "json", "--set", "time.duration=20"});
  std::istringstream lines(loud.err);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const nlohmann::json progress = nlohmann::json::parse(line);
    EXPECT_EQ(progress["duration"], 20.0);
    EXPECT_LE(progress["time"], 20.0);
    EXPECT_TRUE(progress.contains("steps") && progress.contains("steps_per_second"));
    EXPECT_TRUE(progress.contains("real_time_factor") && progress.contains("seconds_left"));
    EXPECT_GT(progress["steps_per_second"], 0.0);
  }
  EXPECT_GE(count, 1);
}

TEST_F(run_command, a_terminal_gets_a_bar_that_is_removed_at_the_end) {
  const ProgramOptions terminal{.folder = folder_.path(), .environment = {"TERM=xterm"}, .error_is_terminal = true};
  const ProgramResult result = run_program({"run", "spring.toml", "--set", "time.duration=400"}, terminal);
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(contains(result.err, "[=") && contains(result.err, " %  ")) << result.err;
  EXPECT_TRUE(contains(result.err, "steps/s") && contains(result.err, "x real time")) << result.err;
  EXPECT_TRUE(result.err.ends_with("\r\x1b[K"));
  EXPECT_FALSE(contains(result.err, "\n"));
}

TEST_F(run_command, check_says_what_was_understood) {
  const ProgramResult result = run({"check", "spring.toml"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string part : {"Spring <test> & more", "mass (2 kg)", "rail (prismatic)", "degrees of freedom  1",
                                 "rk4", "1000 steps", "no errors"}) {
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
  }
  EXPECT_FALSE(exists("runs"));
}

TEST_F(run_command, check_lists_all_faults) {
  write_text(folder_.path() / "broken.toml", "[body.a]\nmass = -1\nplanr = true\n[joint.j]\ntype = \"hinge\"\n");
  const ProgramResult result = run({"check", "broken.toml"});
  EXPECT_EQ(result.code, 2);
  for (const std::string part : {"broken.toml:2:", "broken.toml:3:", "broken.toml:5:", "planar", "errors"}) {
    EXPECT_TRUE(contains(result.err, part)) << part << "\n" << result.err;
  }
}

}  // namespace
}  // namespace stiction_test
