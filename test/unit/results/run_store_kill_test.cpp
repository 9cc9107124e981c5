// What a killed writer leaves behind. The writer is a child process; the moments of its death are random and not
// asserted, what is found afterwards is.
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/results/run_store.h"
#include "stiction/results/sqlite.h"

#include "support/child_process.h"
#include "test_run.h"

namespace stiction {
namespace {

using test::ChildProcess;

constexpr int all_parts = 40;

TestRun make_wide_run() {
  TestRun run;
  run.signals = 100;
  run.rows = 64;
  return run;
}

void write_parts(RunWriter& writer, const TestRun& run, int from) {
  for (int part = from; part < all_parts; ++part) run.write_part(writer, part);
}

// Everything that was committed is there, whole, and the checkpoint fits it.
void expect_whole_parts(const RunReader& reader, const TestRun& run) {
  const int count = reader.part_count() * run.rows;
  EXPECT_EQ(reader.has_checkpoint(), count > 0);
  if (count > 0) {
    EXPECT_EQ(reader.last_checkpoint().state.step, count);
  }
  for (const int signal : {0, 1, run.signals - 1}) {
    const std::vector<double> samples = reader.read(run.infos()[signal].name);
    ASSERT_EQ(static_cast<int>(samples.size()), count);
    for (int i = 0; i < count; ++i) ASSERT_TRUE(same_bits(samples[i], run.sample(i, signal)));
  }
  EXPECT_EQ(static_cast<int>(reader.events().size()), reader.part_count());
  EXPECT_EQ(reader.summary().status, RunStatus::running);
}

TEST(RunStoreKill, AKilledRunOpensCleanlyAndGoesOnToTheSameEnd) {
  const TestFolder folder;
  const TestRun run = make_wide_run();
  write_parts(*create_run(folder / "whole", {}, run.infos()), run, 0);
  const std::string expected = dump_run(folder / "whole");

  Random random(7);
  for (int attempt = 0; attempt < 6; ++attempt) {
    const auto place = folder / ("killed" + std::to_string(attempt));
    create_run(place, {}, run.infos()).reset();
    // Killed three times over, then left in peace.
    for (int life = 0; life < 3; ++life) {
      ChildProcess child([&] {
        const int start = RunReader::open(place)->part_count();
        write_parts(*RunWriter::reopen(place), run, start);
      });
      usleep(static_cast<useconds_t>(random.uniform(0, 60e3)));
      child.kill();
      expect_whole_parts(*RunReader::open(place), run);
    }
    const auto writer = RunWriter::reopen(place);
    write_parts(*writer, run, RunReader::open(place)->part_count());
    EXPECT_EQ(dump_run(place), expected);
  }
}

TEST(RunStoreKill, AJournalLeftBehindIsRolledBack) {
  const TestFolder folder;
  const TestRun run = make_wide_run();
  const auto place = folder / "run";
  run.write_part(*create_run(place, {}, run.infos()), 0);
  const std::string before = dump_run(place);

  // With next to no cache a transaction writes into the file before it is complete; there the child dies.
  ChildProcess child([&] {
    Database database(place / "run.sqlite", DatabaseAccess::write);
    database.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE chunk SET data = zeroblob(4096)");
    raise(SIGKILL);
  });
  child.wait();
  ASSERT_GT(std::filesystem::file_size(place / "run.sqlite-journal"), 0u);

  expect_whole_parts(*RunReader::open(place), run);
  EXPECT_EQ(dump_run(place), before);
  EXPECT_FALSE(std::filesystem::exists(place / "run.sqlite-journal"));
}

}  // namespace
}  // namespace stiction
