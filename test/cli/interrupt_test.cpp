#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

// Ctrl-C while the program waits for others: exit code 130 at once, nobody and nothing left behind.

namespace stiction_test {
namespace {

using Clock = std::chrono::steady_clock;

bool wait_until(const std::function<bool()>& done, int seconds) {
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  while (!done() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return done();
}

bool is_alive(pid_t process) {
  return kill(process, 0) == 0;
}

class interrupted_picture : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    write_text(path("spring.toml"), spring_scene);
    ASSERT_EQ(run_program({"run", "spring.toml", "--quiet", "--out", "one"}, {.folder = folder_.path()}).code, 0);
    for (const char* name : {"bin", "tmp", "out"}) std::filesystem::create_directory(path(name));
  }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  // A program that leaves its number in a file and never answers; it does not mind being asked to end.
  void pretend(const std::string& name) const {
    write_text(path("bin/" + name), "#!/bin/sh\ntrap '' TERM INT\necho $$ > '" + path(name + ".pid").string() +
                                        "'\nwhile :; do sleep 1; done\n");
    std::filesystem::permissions(path("bin/" + name), std::filesystem::perms::owner_all);
  }
  pid_t number_of(const std::string& name) const {
    return static_cast<pid_t>(std::atoi(read_text(path(name + ".pid")).c_str()));
  }
  ProgramOptions options() const {
    return {.folder = folder_.path(),
            .environment = {"PATH=" + path("bin").string() + ":/usr/bin:/bin", "TMPDIR=" + path("tmp").string()}};
  }

  TemporaryFolder folder_;
};

TEST_P(interrupted_picture, ends_at_once_and_leaves_nothing) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  pretend("chromium");
  pretend("ffmpeg");
  const std::string file = std::string("out/x") + (std::string(GetParam()) == "movie" ? ".mp4" : ".png");
  RunningProgram program({GetParam(), "one", "-o", file}, options());
  ASSERT_TRUE(wait_until([&] { return number_of("chromium") > 0; }, 30));
  const pid_t chromium = number_of("chromium");
  program.interrupt();
  // This chromium is deaf to SIGTERM and never ends by itself: the program does not wait for it.
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_EQ(result.err, "error: interrupted\n");
  EXPECT_TRUE(wait_until([&] { return !is_alive(chromium); }, 30)) << "chromium lives on";
  EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
  EXPECT_TRUE(std::filesystem::is_empty(path("out")));
}

INSTANTIATE_TEST_SUITE_P(commands, interrupted_picture, testing::Values("snapshot", "movie"));

TEST(interrupted_gallery, shows_what_is_done) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  const TemporaryFolder folder;
  // The second one takes far longer than this test.
  RunningProgram program({"examples", "gallery", "-o", "g", "--only", "spring_mass", "pile"},
                         {.folder = folder.path(), .environment = {"PATH=/nonexistent"}});
  const std::filesystem::path index = folder.path() / "g/index.html";
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(index) || !program.is_running(); }, 60));
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_NE(result.err.find("1 of 2: spring_mass, about "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("interrupted: 1 of 2 examples are in g/index.html"), std::string::npos) << result.err;
  const std::string page = read_text(index);
  EXPECT_NE(page.find("href=\"spring_mass.html\""), std::string::npos);
  EXPECT_EQ(page.find("pile.html"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "g/spring_mass.html"));
}

}  // namespace
}  // namespace stiction_test
