// A finished run describes itself: commands that show it work whatever its scene says, also a scene that only a later
// version of the program can read.
#include <gtest/gtest.h>

#include "stiction/results/sqlite.h"

#include "test/cli/program.h"

namespace stiction_test {
namespace {

using Words = std::vector<std::string>;

class finished_run : public testing::TestWithParam<const char*> {
 protected:
  ProgramResult call(const Words& words) {
    ProgramResult result = run_program(words, {.folder = folder_.path()});
    EXPECT_EQ(result.code, 0) << words.front() << ": " << result.err;
    return result;
  }
  std::string file_after(const Words& words, const std::string& file) {
    call(words);
    return read_text(folder_.path() / file);
  }
  /// What every command says of the run.
  std::vector<std::string> look() {
    return {
        call({"info", "run"}).out,
        call({"info", "run", "--json"}).out,
        call({"info", "run", "--audit"}).out,
        call({"export", "run"}).out,
        call({"export", "run", "--contacts"}).out,
        file_after({"export", "run", "--format", "hdf5", "--signals", "energy.*", "-o", "a.h5"}, "a.h5").substr(0, 8),
        call({"compare", "run", "other"}).out,
        file_after({"compare", "run", "other", "-o", "b.svg"}, "b.svg"),
        file_after({"plot", "run", "energy.total", "-o", "c.svg"}, "c.svg")};
  }
  TemporaryFolder folder_;
};

TEST_P(finished_run, needs_no_scene) {
  call({"examples", "run", GetParam(), "--out", "run", "--quiet"});
  call({"examples", "run", GetParam(), "--out", "other", "--quiet", "--set", "time.output=0.05"});
  const std::vector<std::string> before = look();
  for (const char* run : {"run", "other"}) {
    stiction::Database database(folder_.path() / run / "run.sqlite", stiction::DatabaseAccess::write);
    database.execute("UPDATE scene_file SET text = '[body.x]\nof = ''a later version''\n[['");
    database.execute("INSERT INTO scene_override VALUES (99, 'no.such.key=1')");
  }
  const std::vector<std::string> after = look();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i], before[i]) << i;
  if (STICTION_WITH_PAGE) {
    EXPECT_GT(file_after({"view", "run", "-o", "page.html"}, "page.html").size(), 100'000u);
  }
  // To go on is to simulate: a stopped run needs its scene.
  stiction::Database(folder_.path() / "run/run.sqlite", stiction::DatabaseAccess::write)
      .execute("UPDATE summary SET value = 'limit' WHERE key = 'status'");
  EXPECT_EQ(run_program({"resume", "run"}, {.folder = folder_.path()}).code, 2);
}

INSTANTIATE_TEST_SUITE_P(examples, finished_run, testing::Values("slide_into_wall", "ball_in_bowl", "double_pendulum"));

}  // namespace
}  // namespace stiction_test
