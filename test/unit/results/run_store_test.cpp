#include "stiction/results/run_store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "stiction/base/fault.h"
#include "stiction/base/version.h"
#include "stiction/results/sqlite.h"

#include "test_run.h"

namespace stiction {
namespace {

RunDescription make_test_description() {
  RunDescription description;
  description.title = "A \"title\"", description.paper = "paper";
  description.method = "cone", description.integrator = "rk4";
  description.step = 0.1 + 0.2, description.duration = 1.0 / 3;
  description.rigid_contact = description.limits = true;
  description.smallest_size = 1e-3 / 7, description.smallest_shape = "ball.nose", description.thickness = 1e-4 / 7,
  description.thinnest_shape = "ball.fin", description.weight_energy = 1e-12 / 3;
  description.expected = "look closer", description.because = "of a reason";
  description.parameters = {{"method.type", "cone"}, {"contact.\"a/b\"", "friction 0.5"}};
  description.warnings = {"first", "second"};
  return description;
}

void write_test_run(const std::filesystem::path& folder, const TestRun& run, int parts) {
  const auto writer = create_run(folder, make_test_scene(), run.infos(), make_test_description());
  for (int part = 0; part < parts; ++part) run.write_part(*writer, part);
}

TEST(RunStore, RoundTripIsBitExact) {
  const TestFolder folder;
  const TestRun run;
  write_test_run(folder / "deep/down/run", run, 3);
  const auto reader = RunReader::open(folder / "deep/down/run");

  ASSERT_EQ(reader->signals().size(), 3u);
  EXPECT_EQ(reader->signals()[1].name, "body1.position.x");
  EXPECT_EQ(reader->signals()[1].unit, "m");
  EXPECT_EQ(reader->signals()[1].time_base, "output");
  EXPECT_EQ(reader->program_version(), version);
  EXPECT_EQ(reader->description(), make_test_description());
  const std::vector<double> times = reader->times();
  ASSERT_EQ(times.size(), 24u);
  for (int i = 0; i < 24; ++i) EXPECT_TRUE(same_bits(times[i], run.time(i)));
  for (int j = 0; j < 3; ++j) {
    const std::vector<double> samples = reader->read(reader->signals()[j].name);
    ASSERT_EQ(samples.size(), 24u);
    for (int i = 0; i < 24; ++i) EXPECT_TRUE(same_bits(samples[i], run.sample(i, j)));
    EXPECT_TRUE(same_bits(reader->read_part(reader->signals()[j].name, 1),
                          std::vector<double>(samples.begin() + 8, samples.begin() + 16)));
  }
  const SceneText scene = reader->scene();
  ASSERT_EQ(scene.files.size(), 2u);
  EXPECT_EQ(scene.files[0].text, make_test_scene().files[0].text);
  EXPECT_EQ(scene.files[1].name, "parts/arm.toml");
  EXPECT_EQ(scene.overrides, make_test_scene().overrides);
  const std::vector<StepEvent> events = reader->events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[2].t, run.events(2)[0].t);
  EXPECT_EQ(events[2].kind, "taut");
  EXPECT_EQ(events[2].name, "rope");
}

TEST(RunStore, CheckpointComesBackBitForBit) {
  const TestFolder folder;
  const TestRun run;
  write_test_run(folder / "run", run, 2);
  const Checkpoint expected = run.checkpoint(1);
  const Checkpoint found = RunReader::open(folder / "run")->last_checkpoint();
  EXPECT_EQ(calc_hash(found.state), calc_hash(expected.state));
  EXPECT_EQ(found.state.step, expected.state.step);
  EXPECT_EQ(found.state.q, expected.state.q);
  EXPECT_EQ(found.state.modes, expected.state.modes);
  EXPECT_TRUE(same_bits(found.stepper_memory, expected.stepper_memory));
  EXPECT_TRUE(same_bits(found.recorder_memory, expected.recorder_memory));
}

TEST(RunStore, AnUnfinishedRunSaysHowFarItGot) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", make_test_scene(), run.infos());
  EXPECT_FALSE(RunReader::open(folder / "run")->has_checkpoint());
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)RunReader::open(folder / "run")->last_checkpoint(); }),
               "no checkpoint");
  run.write_part(*writer, 0);
  const RunSummary summary = RunReader::open(folder / "run")->summary();
  EXPECT_EQ(summary.status, RunStatus::running);
  EXPECT_EQ(summary.steps, 8);
  EXPECT_EQ(summary.time, run.time(7));
  EXPECT_EQ(summary.hash, calc_hash(run.checkpoint(0).state));
}

TEST(RunStore, SummaryComesBack) {
  const TestFolder folder;
  const RunSummary expected = make_test_summary(RunStatus::diverged);
  create_run(folder / "run", {}, {})->finish(expected);
  const RunSummary found = RunReader::open(folder / "run")->summary();
  EXPECT_EQ(found.status, RunStatus::diverged);
  EXPECT_EQ(found.message, expected.message);
  EXPECT_EQ(found.time, expected.time);
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(found.evaluations, expected.evaluations);
  EXPECT_EQ(found.hash, expected.hash);
  EXPECT_EQ(found.wall_seconds, expected.wall_seconds);
  EXPECT_EQ(found.audit, expected.audit);
  EXPECT_EQ(found.energy_first, expected.energy_first);
  EXPECT_EQ(found.energy_last, expected.energy_last);
  EXPECT_EQ(found.energy_worst_residual, expected.energy_worst_residual);
  EXPECT_EQ(found.measures, expected.measures);
}

TEST(RunStore, MeasuresOfARunThatGoesOnAreThoseOfItsLastPart) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", make_test_scene(), run.infos());
  RunMeasures measures = make_test_summary(RunStatus::running).measures;
  writer->set_measures(measures);
  run.write_part(*writer, 0);
  EXPECT_EQ(RunReader::open(folder / "run")->summary().measures, measures);
  measures.worst["penetration"].value = 2;
  writer->set_measures(measures);
  EXPECT_NE(RunReader::open(folder / "run")->summary().measures, measures);
  run.write_part(*writer, 1);
  EXPECT_EQ(RunReader::open(folder / "run")->summary().measures, measures);
}

TEST(RunStore, AnUnknownSignalIsNamedWithItsNeighbour) {
  const TestFolder folder;
  write_test_run(folder / "run", TestRun{}, 1);
  const auto reader = RunReader::open(folder / "run");
  EXPECT_PRED2(contains, message_of<InputError>([&] { (void)reader->read("body1.positon.x"); }), "body1.position.x");
}

TEST(RunStore, AFolderWithARunIsNotOverwritten) {
  const TestFolder folder;
  write_test_run(folder / "run", TestRun{}, 1);
  const std::string before = dump_run(folder / "run");
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)create_run(folder / "run", {}, {}); }), "already holds a run");
  EXPECT_EQ(dump_run(folder / "run"), before);
}

TEST(RunStore, AnIdleRunIsOneFile) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", {}, run.infos());
  run.write_part(*writer, 0);
  const auto files = std::filesystem::directory_iterator(folder / "run");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(RunStore, AFileStoppedBeforeItsFirstCommitIsTakenOver) {
  const TestFolder folder;
  std::ofstream(folder / "run.sqlite");
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)RunReader::open(folder.path()); }), "before its first step");
  (void)create_run(folder.path(), {}, {});
  EXPECT_EQ(RunReader::open(folder.path())->summary().status, RunStatus::running);
}

TEST(RunStore, ReadersAndWritersDoNotDisturbEachOther) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", {}, run.infos());
  run.write_part(*writer, 0);
  const auto reader = RunReader::open(folder / "run");
  EXPECT_EQ(reader->read("body0.position.x").size(), 8u);
  run.write_part(*writer, 1);
  // A reader keeps to the samples it saw at first, so that all signals have one length.
  EXPECT_EQ(reader->read("body1.position.x").size(), 8u);
  EXPECT_EQ(reader->events().size(), 1u);
  EXPECT_EQ(RunReader::open(folder / "run")->times().size(), 16u);
}

TEST(RunStore, OnlyOneProgramWritesARun) {
  const TestFolder folder;
  auto writer = create_run(folder / "run", {}, {});
  const auto reader = RunReader::open(folder / "run");
  EXPECT_TRUE(reader->is_being_written());
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)RunWriter::reopen(folder / "run"); }), "another program");
  writer.reset();
  EXPECT_FALSE(reader->is_being_written());
  writer = RunWriter::reopen(folder / "run");
  EXPECT_TRUE(reader->is_being_written());
}

TEST(RunStore, ARunThatWentOnEqualsOneThatNeverStopped) {
  const TestFolder folder;
  const TestRun run;
  write_test_run(folder / "whole", run, 4);
  RunWriter::reopen(folder / "whole")->finish(make_test_summary(RunStatus::completed));

  // Stopped twice: by a kill, and with a tail and a summary of its own.
  write_test_run(folder / "pieces", run, 1);
  {
    const auto writer = RunWriter::reopen(folder / "pieces");
    run.write_part(*writer, 1);
    writer->write_part({{run.time(16)}, run.samples(2).topRows(1), {}, run.events(2)}, nullptr);
    writer->finish(make_test_summary(RunStatus::limit));
  }
  EXPECT_EQ(RunReader::open(folder / "pieces")->times().size(), 17u);
  EXPECT_EQ(RunReader::open(folder / "pieces")->last_checkpoint().state.step, 16);
  {
    const auto writer = RunWriter::reopen(folder / "pieces");
    EXPECT_EQ(RunReader::open(folder / "pieces")->times().size(), 16u);
    EXPECT_EQ(RunReader::open(folder / "pieces")->summary().status, RunStatus::running);
    run.write_part(*writer, 2);
    run.write_part(*writer, 3);
    writer->finish(make_test_summary(RunStatus::completed));
  }
  EXPECT_EQ(dump_run(folder / "pieces"), dump_run(folder / "whole"));
}

std::vector<double> make_contact_rows(const TestRun& run, int part, int samples) {
  std::vector<double> rows;
  for (int i = 0; i < samples; ++i) append_contact_row(run.time(part * run.rows + i), {}, rows);
  return rows;
}

// The first `samples` of a part, with the events of the whole of it at its first write.
void write_open_part(RunWriter& writer, const TestRun& run, int part, int samples, bool with_checkpoint) {
  std::vector<double> times = run.times(part);
  times.resize(static_cast<std::size_t>(samples));
  const Checkpoint checkpoint = run.checkpoint(part);
  writer.write_part(
      {times, run.samples(part).topRows(samples), make_contact_rows(run, part, samples), run.events(part)},
      with_checkpoint ? &checkpoint : nullptr);
}

TEST(RunStore, APartThatIsBeingCollectedIsReplacedByItself) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", {}, run.infos());
  write_open_part(*writer, run, 0, 3, true);
  const auto early = RunReader::open(folder / "run");
  write_open_part(*writer, run, 0, 5, true);
  write_open_part(*writer, run, 0, 5, true);  // nothing new but an event
  // Who had looked before keeps to what was there.
  EXPECT_EQ(early->times().size(), 3u);
  EXPECT_EQ(early->read("body1.position.x").size(), 3u);
  EXPECT_EQ(early->contacts(0).size(), 3u);
  EXPECT_EQ(early->events().size(), 1u);
  const auto late = RunReader::open(folder / "run");
  EXPECT_EQ(late->part_count(), 1);
  ASSERT_EQ(late->times().size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(same_bits(late->read("body1.position.x")[i], run.sample(i, 1)));
  EXPECT_EQ(late->contacts(0).size(), 5u);
  EXPECT_EQ(late->events().size(), 3u);
}

TEST(RunStore, WhatCameAfterTheLastCheckpointIsDropped) {
  const TestFolder folder;
  const TestRun run;
  {
    const auto writer = create_run(folder / "run", {}, run.infos());
    run.write_part(*writer, 0);
    write_open_part(*writer, run, 1, 2, true);
    // A full part without a checkpoint, and one more.
    write_open_part(*writer, run, 1, run.rows, false);
    writer->close_part();
    write_open_part(*writer, run, 2, 4, false);
    writer->finish(make_test_summary(RunStatus::interrupted));
  }
  EXPECT_EQ(RunReader::open(folder / "run")->times().size(), 20u);
  EXPECT_EQ(RunReader::open(folder / "run")->events().size(), 4u);
  const auto writer = RunWriter::reopen(folder / "run");
  const auto reader = RunReader::open(folder / "run");
  EXPECT_EQ(reader->part_count(), 2);
  EXPECT_EQ(reader->times().size(), 10u);
  EXPECT_EQ(reader->read("body2.position.x").size(), 10u);
  EXPECT_EQ(reader->contacts(1).size(), 2u);
  EXPECT_EQ(reader->events().size(), 2u);
  EXPECT_EQ(reader->summary().status, RunStatus::running);
  // It goes on with a part of its own.
  run.write_part(*writer, 2);
  EXPECT_EQ(RunReader::open(folder / "run")->times().size(), 18u);
}

TEST(RunStore, ACompletedRunIsNotReopened) {
  const TestFolder folder;
  create_run(folder / "run", {}, {})->finish(make_test_summary(RunStatus::completed));
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)RunWriter::reopen(folder / "run"); }), "complete");
}

TEST(RunStore, WhatIsNoRunIsRefusedInPlainWords) {
  const TestFolder folder;
  const auto message = [&](const std::string& name) {
    return message_of<IoError>([&] { (void)RunReader::open(folder / name); });
  };
  EXPECT_PRED2(contains, message("nothing"), "nothing: no such folder");

  std::filesystem::create_directory(folder / "empty");
  EXPECT_PRED2(contains, message("empty"), "empty: not a run folder");

  std::filesystem::create_directory(folder / "text");
  std::ofstream(folder / "text/run.sqlite") << std::string(5000, 'x');
  EXPECT_PRED2(contains, message("text"), "is not a run database");

  std::filesystem::create_directory(folder / "other");
  Database(folder / "other/run.sqlite", DatabaseAccess::create).execute("CREATE TABLE person(name)");
  EXPECT_PRED2(contains, message("other"), "not the database of a run");

  write_test_run(folder / "newer", TestRun{}, 1);
  Database(folder / "newer/run.sqlite", DatabaseAccess::write)
      .execute("UPDATE meta SET value = '99' WHERE key = 'format_version'");
  EXPECT_PRED2(contains, message("newer"), "format 99");

  std::ofstream(folder / "file") << "x";
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)create_run(folder / "file/run", {}, {}); }),
               "cannot create the folder");
}

TEST(RunStore, DamageIsFound) {
  const TestFolder folder;
  const auto damage = [&](const std::string& name, const char* sql) {
    write_test_run(folder / name, TestRun{}, 2);
    Database(folder / name / "run.sqlite", DatabaseAccess::write).execute(sql);
    return RunReader::open(folder / name);
  };
  const auto read = [](const RunReader& reader) {
    return message_of<IoError>([&] { (void)reader.read("body1.position.x"); });
  };
  EXPECT_PRED2(contains, read(*damage("lost", "DELETE FROM chunk WHERE part = 1 AND signal = 2")), "missing");
  EXPECT_PRED2(contains, read(*damage("short", "UPDATE chunk SET data = x'00' WHERE signal = 2")), "1 bytes");
  EXPECT_PRED2(contains, message_of<IoError>([&] { (void)damage("gap", "DELETE FROM part WHERE id = 0"); }), "part 0");
}

TEST(RunStore, ADamagedCheckpointIsRefused) {
  const TestFolder folder;
  write_test_run(folder / "run", TestRun{}, 1);
  const auto message = [&] {
    return message_of<IoError>([&] { (void)RunReader::open(folder / "run")->last_checkpoint(); });
  };
  Database database(folder / "run/run.sqlite", DatabaseAccess::write);
  // One byte more, with and without the right checksum for it (FNV-1a of no bytes is its offset basis).
  database.execute("UPDATE checkpoint SET data = data || x'00'");
  EXPECT_PRED2(contains, message(), "checksum");
  database.execute("UPDATE checkpoint SET data = x'', checksum = 'cbf29ce484222325'");
  EXPECT_PRED2(contains, message(), "checkpoint is damaged");
}

TEST(RunStore, TruncationAnywhereIsFound) {
  const TestFolder folder;
  TestRun run;
  run.rows = 400;
  write_test_run(folder / "run", run, 3);
  const auto file = folder / "run/run.sqlite";
  const auto full = std::filesystem::file_size(file);
  for (auto size = full - 1; size > 4096; size -= 4001) {
    std::filesystem::resize_file(file, size);
    EXPECT_THROW((void)RunReader::open(folder / "run")->read("body2.position.x"), IoError) << size;
  }
}

}  // namespace
}  // namespace stiction
