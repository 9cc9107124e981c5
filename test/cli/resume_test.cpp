#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

#include "stiction/base/random.h"

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

// A run long enough to be killed in the middle.
const std::vector<std::string> long_run = {"run", "spring.toml", "--quiet", "--set", "time.duration=600"};

class resume_command : public testing::Test {
 protected:
  resume_command() { write_text(folder_.path() / "spring.toml", spring_scene); }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, options_); }
  nlohmann::json info(const std::string& name) { return nlohmann::json::parse(run({"info", name, "--json"}).out); }

  // Waits until a run has begun: until it can be looked at.
  void wait_for(RunningProgram& program, const std::string& name) {
    while (program.is_running() && run({"info", name}).code != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // Starts a run and kills it that long after it has begun. Did the kill come before its end?
  bool kill_run(const std::string& name, std::chrono::milliseconds moment) {
    std::vector<std::string> words = long_run;
    words.insert(words.end(), {"--out", name});
    RunningProgram program(words, options_);
    wait_for(program, name);
    std::this_thread::sleep_for(moment);
    const bool in_time = program.is_running();
    program.kill();
    return in_time;
  }

  TemporaryFolder folder_;
  ProgramOptions options_{.folder = folder_.path()};
};

TEST_F(resume_command, a_killed_run_is_continued_to_the_same_end) {
  std::vector<std::string> words = long_run;
  words.insert(words.end(), {"--out", "whole"});
  ASSERT_EQ(run(words).code, 0);
  const nlohmann::json whole = info("whole");

  stiction::Random random(20);
  int killed = 0;
  for (int i = 0; i < 2; ++i) {
    const std::string name = "killed" + std::to_string(i);
    killed += kill_run(name, std::chrono::milliseconds(50 + random.index(250))) ? 1 : 0;
    // It opens cleanly, and so does its table.
    const std::string status = info(name)["status"];
    EXPECT_TRUE(status == "killed" || status == "completed") << status;
    EXPECT_EQ(run({"export", name, "--out", name + ".csv"}).code, 0);

    ASSERT_EQ(run({"resume", name, "--quiet"}).code, 0);
    const nlohmann::json resumed = info(name);
    EXPECT_EQ(resumed["status"], "completed");
    EXPECT_EQ(resumed["hash"], whole["hash"]);
    EXPECT_EQ(resumed["steps"], whole["steps"]);
    EXPECT_EQ(resumed["energy"], whole["energy"]);
    EXPECT_EQ(resumed["audit"], whole["audit"]);
    EXPECT_TRUE(run({"export", name}).out == run({"export", "whole"}).out) << "the samples differ";
  }
  EXPECT_GE(killed, 1) << "every run ended before it was killed: the scene is too short for this test";
}

TEST_F(resume_command, a_run_killed_before_it_begins_says_so) {
  std::filesystem::create_directory(folder_.path() / "empty");
  write_text(folder_.path() / "empty/run.sqlite", "");
  const ProgramResult result = run({"resume", "empty"});
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("stopped before its first step; run the scene again"), std::string::npos) << result.err;
  // Which works, and in the same place.
  EXPECT_EQ(run({"run", "spring.toml", "--out", "empty", "--quiet"}).code, 0);
  EXPECT_EQ(info("empty")["status"], "completed");
}

TEST_F(resume_command, a_run_killed_at_once_starts_anew) {
  ASSERT_TRUE(kill_run("early", std::chrono::milliseconds(0)));
  EXPECT_EQ(run({"resume", "early", "--quiet"}).code, 0);
  EXPECT_EQ(info("early")["status"], "completed");
}

TEST_F(resume_command, a_run_that_still_goes_on_is_left_alone) {
  // Too long to end by itself.
  RunningProgram program({"run", "spring.toml", "--quiet", "--set", "time.duration=1e6", "--out", "busy"}, options_);
  wait_for(program, "busy");
  EXPECT_EQ(info("busy")["status"], "running");
  EXPECT_EQ(run({"resume", "busy"}).code, 5);
  EXPECT_TRUE(program.is_running());
  program.interrupt();
  EXPECT_EQ(program.wait().code, 130);
}

TEST_F(resume_command, runs_stopped_at_limits_get_on_and_end_the_same) {
  // Fixed steps, adaptive steps that can be saved, and steps that cannot: those are repeated from the last checkpoint.
  for (const std::string integrator : {"rk4", "dormand_prince", "cvode_bdf"}) {
    SCOPED_TRACE(integrator);
    const std::vector<std::string> scene = {
        "--quiet", "--set", "time.duration=30", "--set", "method.integrator=\"" + integrator + "\"", "--out"};
    const auto run_into = [&](const std::string& name, const std::vector<std::string>& more) {
      std::vector<std::string> words = {"run", "spring.toml"};
      words.insert(words.end(), scene.begin(), scene.end());
      words.push_back(name);
      words.insert(words.end(), more.begin(), more.end());
      return run(words).code;
    };
    ASSERT_EQ(run_into("whole-" + integrator, {}), 0);
    const nlohmann::json whole = info("whole-" + integrator);
    // A prime number of steps: the stops lie between samples and between parts.
    const std::int64_t steps = whole["steps"], part = integrator == "rk4" ? 7919 : 1213;
    const std::string name = "pieces-" + integrator;
    int code = run_into(name, {"--max-steps", std::to_string(part)});
    for (std::int64_t reached = part; reached < steps; reached += part) {
      ASSERT_EQ(code, 3);
      ASSERT_EQ(info(name)["steps"], reached);
      code = run({"resume", name, "--quiet", "--max-steps", std::to_string(part)}).code;
    }
    EXPECT_EQ(code, 0);
    const nlohmann::json pieces = info(name);
    for (const std::string key : {"status", "hash", "steps", "evaluations", "energy", "audit"}) {
      EXPECT_EQ(pieces[key], whole[key]) << key;
    }
    EXPECT_TRUE(run({"export", name}).out == run({"export", "whole-" + integrator}).out) << "the samples differ";
  }
}

// Contacts have a memory (impulses, modes) that a checkpoint keeps: under every rigid method.
TEST_F(resume_command, a_run_with_contact_in_pieces_ends_the_same) {
  for (const std::string method : {"cone", "stewart_trinkle", "berard", "anitescu_potra"}) {
    SCOPED_TRACE(method);
    const std::vector<std::string> words = {"run",   std::string(STICTION_EXAMPLES) + "/falling_rod.toml",
                                            "--set", "method.type=\"" + method + "\"",
                                            "--set", "time.step=1e-3",
                                            "--out"};
    const auto run_into = [&](const std::string& name, const std::vector<std::string>& more) {
      std::vector<std::string> all = words;
      all.push_back(name);
      all.insert(all.end(), more.begin(), more.end());
      return run(all).code;
    };
    ASSERT_EQ(run_into("whole-" + method, {}), 0);
    ASSERT_EQ(run_into("pieces-" + method, {"--max-steps", "401"}), 3);
    int code = 3;
    while (code == 3) code = run({"resume", "pieces-" + method, "--max-steps", "97"}).code;
    EXPECT_EQ(code, 0);
    EXPECT_EQ(info("pieces-" + method)["hash"], info("whole-" + method)["hash"]);
    EXPECT_EQ(info("pieces-" + method)["events"], info("whole-" + method)["events"]);
  }
}

// Threads are a matter of the machine, not of the run: neither of a whole one nor of its pieces.
TEST_F(resume_command, the_number_of_threads_changes_no_result) {
  const std::string scene = std::string(STICTION_EXAMPLES) + "/billiard.toml";
  const std::vector<std::string> words = {"run", scene, "--quiet", "--set", "time.duration=0.5", "--out"};
  const auto run_into = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.push_back(name);
    all.insert(all.end(), more.begin(), more.end());
    return run(all).code;
  };
  ASSERT_EQ(run_into("one", {}), 0);
  ASSERT_EQ(run_into("three", {"--threads", "3"}), 0);
  ASSERT_EQ(run_into("scene", {"--set", "method.threads=2"}), 0);
  ASSERT_EQ(run_into("pieces", {"--threads", "2", "--max-steps", "137"}), 3);
  ASSERT_EQ(run({"resume", "pieces", "--quiet", "--threads", "4"}).code, 0);
  for (const char* name : {"three", "scene", "pieces"}) EXPECT_EQ(info(name)["hash"], info("one")["hash"]) << name;
}

TEST_F(resume_command, an_interrupted_run_keeps_what_it_has_and_goes_on) {
  // Too long to end by itself.
  const std::vector<std::string> words = {"run",   "spring.toml",       "--progress", "plain",
                                          "--set", "time.duration=1e6", "--out",      "stopped"};
  RunningProgram program(words, options_);
  wait_for(program, "stopped");
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(result.signal, 0);
  EXPECT_NE(result.err.find("error: interrupted"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("stiction resume stopped"), std::string::npos) << result.out;
  // Plain lines off a terminal: percent, time, speed.
  EXPECT_NE(result.err.find(" %: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" of 1e6 s, "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" steps/s, "), std::string::npos) << result.err;

  const nlohmann::json before = info("stopped");
  EXPECT_EQ(before["status"], "interrupted");
  // Steps of 1 ms: time and steps agree, and it goes on from exactly there.
  const std::int64_t steps = before["steps"];
  EXPECT_NEAR(before["time"], static_cast<double>(steps) * 1e-3, 1e-6);
  EXPECT_EQ(run({"resume", "stopped", "--quiet", "--max-steps", "1000"}).code, 3);
  EXPECT_EQ(info("stopped")["steps"], steps + 1000);
}

TEST_F(resume_command, a_completed_run_is_shown_as_it_is) {
  ASSERT_EQ(run({"run", "spring.toml", "--out", "done", "--quiet"}).code, 0);
  const nlohmann::json before = info("done");
  const ProgramResult result = run({"resume", "done"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("completed"), std::string::npos);
  EXPECT_EQ(info("done"), before);
}

}  // namespace
}  // namespace stiction_test
