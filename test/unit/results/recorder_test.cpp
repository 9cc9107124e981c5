#include "stiction/results/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/base/fault.h"
#include "stiction/results/signals.h"
#include "stiction/results/sqlite.h"

#include "test_run.h"
#include "test_system.h"

namespace stiction {
namespace {

// A stepper made for the test: the exact throw in steps of `step`, never beyond the next recording time. Its reports
// carry numbers that depend on the step's number only.
class ThrownBall {
 public:
  explicit ThrownBall(const System& system, double step) : system_(system), step_(step) {}

  StepReport take_step(State& state, double t_limit) const {
    const std::int64_t step = state.step + 1;
    StepReport report;
    const double t = std::min(state.t + step_, t_limit);
    report.h = t - state.t;
    report.evaluations = 4;
    report.rejected = step % 7 == 0 ? 1 : 0;
    report.drift = 1e-12 * static_cast<double>(step % 10);
    report.drift_rate = 1e-11 * static_cast<double>(step % 10);
    if (step % 100 == 0) report.events.push_back({t, "bell", "hundred"});
    state = make_throw_state(system_, {}, t);
    state.step = step;
    return report;
  }

  // Until the end or for so many steps.
  void run(Recorder& recorder, State& state, double duration, std::int64_t max_steps = 1000000) const {
    for (std::int64_t i = 0; i < max_steps && state.t < duration; ++i) {
      const StepReport report = take_step(state, recorder.next_time());
      if (recorder.observe(state, report)) recorder.write(state, {static_cast<double>(state.step)});
    }
  }

 private:
  const System& system_;
  double step_;
};

std::unique_ptr<RunWriter> create_recorded_run(const std::filesystem::path& folder, const System& system,
                                      const RecorderSettings& settings) {
  return create_run(folder, make_test_scene(), SignalTable(system, settings.signals).infos());
}

// The whole run in one go.
RunSummary record(const std::filesystem::path& folder, const System& system, const RecorderSettings& settings,
                  double step) {
  Recorder recorder(system, settings, create_recorded_run(folder, system, settings));
  State state = system.initial;
  recorder.begin(state);
  ThrownBall(system, step).run(recorder, state, settings.duration);
  return recorder.finish(state, {}, RunStatus::completed, "", 0);
}

TEST(Recorder, SamplesAtWholeMultiplesOfTheIntervalAndAtTheEnd) {
  const System system = make_falling_ball();
  for (const double duration : {1.0, 0.95, 0.3, 0.05}) {
    Recorder recorder(system, {0.1, duration, {"ball.position.z"}}, nullptr);
    State state = system.initial;
    recorder.begin(state);
    ThrownBall(system, 0.03).run(recorder, state, duration);
    recorder.finish(state, {}, RunStatus::completed, "", 0);

    // k * 0.1 as long as that is before the end, and the end.
    std::vector<double> expected;
    for (int k = 0; k * 0.1 < duration - 1e-9; ++k) expected.push_back(k * 0.1);
    expected.push_back(duration);
    EXPECT_EQ(recorder.times(), expected);
    const std::vector<double> z = recorder.samples("ball.position.z");
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double t = expected[i];
      EXPECT_DOUBLE_EQ(z[i], 3 + 6 * t - 5 * t * t);
    }
  }
}

TEST(Recorder, AuditsEveryStepBetweenSamples) {
  const System system = make_falling_ball();
  Recorder recorder(system, {1.0, 3.0, {"audit.*"}}, nullptr);
  State state = system.initial;
  recorder.begin(state);
  // Steps of 1/4 s, exact in binary: 1..4 before the first sample, then 5..8, then 9..12.
  ThrownBall(system, 0.25).run(recorder, state, 3);
  const RunSummary summary = recorder.finish(state, {}, RunStatus::completed, "", 0);
  using Samples = std::vector<double>;
  EXPECT_EQ(recorder.samples("audit.drift"), (Samples{0, 4e-12, 8e-12, 9e-12}));
  EXPECT_EQ(recorder.samples("audit.drift_rate"), (Samples{0, 4e-11, 8e-11, 9e-11}));
  EXPECT_EQ(recorder.samples("audit.rejected"), (Samples{0, 0, 1, 0}));
  EXPECT_EQ(recorder.samples("audit.evaluations"), (Samples{0, 16, 16, 16}));
  EXPECT_EQ(recorder.samples("audit.step"), (Samples{0, 0.25, 0.25, 0.25}));
  EXPECT_EQ(summary.audit.at("drift"), 9e-12);
  EXPECT_EQ(summary.audit.at("rejected"), 1);
  EXPECT_EQ(summary.audit.at("step"), 0.25);
  EXPECT_LT(summary.audit.at("quaternion"), 1e-15);
  EXPECT_EQ(summary.evaluations, 48);
}

TEST(Recorder, TheSummaryTellsTheEnd) {
  const System system = make_falling_ball();
  Recorder recorder(system, {0.5, 2, {}}, nullptr);
  State state = system.initial;
  recorder.begin(state);
  ThrownBall(system, 0.5).run(recorder, state, 2);
  const RunSummary summary = recorder.finish(state, {}, RunStatus::completed, "done", 1.5);
  EXPECT_EQ(summary.status, RunStatus::completed);
  EXPECT_EQ(summary.message, "done");
  EXPECT_EQ(summary.time, 2);
  EXPECT_EQ(summary.steps, 4);
  EXPECT_EQ(summary.wall_seconds, 1.5);
  EXPECT_EQ(summary.hash, calc_hash(state));
  // Energies of the throw are recorded for the summary even where no signal is: 1/2 m v0^2 + 1/2 I w^2 + m g z0
  // = 1.5 * 77 + 0.05 + 90, and it is conserved.
  EXPECT_DOUBLE_EQ(summary.energy_first, 205.55);
  EXPECT_DOUBLE_EQ(summary.energy_last, 205.55);
  EXPECT_LT(summary.energy_worst_residual, 1e-13 * 205.55);
}

TEST(Recorder, TheWorstResidualIsThatOfAllSamples) {
  const System system = make_falling_ball();
  Recorder recorder(system, {1, 2, {}}, nullptr);
  State state = system.initial;
  recorder.begin(state);
  state = make_throw_state(system, {}, 1);
  state.z[ledger_input] = 0.25;  // input that did not arrive
  EXPECT_FALSE(recorder.observe(state, {}));
  state = make_throw_state(system, {}, 2);
  EXPECT_FALSE(recorder.observe(state, {}));
  EXPECT_NEAR(recorder.finish(state, {}, RunStatus::completed, "", 0).energy_worst_residual, 0.25, 1e-12);
}

TEST(Recorder, ChunksHaveTheirFixedLength) {
  EXPECT_EQ(calc_part_length(0), 1024);
  EXPECT_EQ(calc_part_length(1024), 1024);
  EXPECT_EQ(calc_part_length(4096), 256);
  EXPECT_EQ(calc_part_length(10000), 104);
  EXPECT_EQ(calc_part_length(1000000), 16);
}

TEST(Recorder, AStoredRunEqualsOneInMemory) {
  const TestFolder folder;
  const System system = make_falling_ball();
  const RecorderSettings settings{1e-3, 2.5, {"*"}};
  record(folder / "run", system, settings, 7e-4);
  Recorder recorder(system, settings, nullptr);
  State state = system.initial;
  recorder.begin(state);
  ThrownBall(system, 7e-4).run(recorder, state, 2.5);
  recorder.finish(state, {}, RunStatus::completed, "", 0);

  const auto reader = RunReader::open(folder / "run");
  EXPECT_EQ(reader->part_count(), 3);  // 1024 + 1024 + 453
  EXPECT_EQ(reader->times().size(), 2501u);
  EXPECT_TRUE(same_bits(reader->times(), recorder.times()));
  for (const SignalInfo& signal : recorder.signals()) {
    EXPECT_TRUE(same_bits(reader->read(signal.name), recorder.samples(signal.name))) << signal.name;
  }
  EXPECT_EQ(reader->events().size(), recorder.events().size());
  EXPECT_GT(recorder.events().size(), 40u);
  // The last checkpoint is that of the last full part.
  EXPECT_EQ(reader->last_checkpoint().state.t, reader->times()[2047]);
}

// Stopped after so many steps in each way, then resumed from what is stored.
void expect_same_end(std::int64_t steps, bool killed) {
  const TestFolder folder;
  const System system = make_falling_ball();
  const RecorderSettings settings{1e-3, 2.5, {"ball.*", "audit.*", "energy.*"}};
  const ThrownBall ball(system, 7e-4);
  record(folder / "whole", system, settings, 7e-4);
  {
    Recorder recorder(system, settings, create_recorded_run(folder / "pieces", system, settings));
    State state = system.initial;
    recorder.begin(state);
    ball.run(recorder, state, settings.duration, steps);
    if (!killed) recorder.finish(state, {}, RunStatus::limit, "enough", 0);
  }
  const auto reader = RunReader::open(folder / "pieces");
  Recorder recorder(system, settings, RunWriter::reopen(folder / "pieces"));
  State state = system.initial;
  if (reader->has_checkpoint()) {
    const Checkpoint checkpoint = reader->last_checkpoint();
    EXPECT_EQ(checkpoint.stepper_memory, std::vector<double>{static_cast<double>(checkpoint.state.step)});
    state = checkpoint.state;
    recorder.restore(checkpoint);
  }
  recorder.begin(state);
  ball.run(recorder, state, settings.duration);
  recorder.finish(state, {}, RunStatus::completed, "", 0);
  EXPECT_EQ(dump_run(folder / "pieces"), dump_run(folder / "whole"));
}

TEST(Recorder, AResumedRunEndsWithTheSameBits) {
  // Within the first part, in the second, exactly at a part's end (1023 samples after the first, 2 steps each), at
  // the end.
  for (const std::int64_t steps : {500, 3000, 2046, 4999}) {
    SCOPED_TRACE(steps);
    expect_same_end(steps, true);
    expect_same_end(steps, false);
  }
}

// Stopped every so many steps with a checkpoint: the parts are cut differently, what is in them is the same.
TEST(Recorder, RunsThatStopWithACheckpointGoOnFromThere) {
  const TestFolder folder;
  const System system = make_falling_ball();
  const RecorderSettings settings{1e-3, 2.5, {"ball.*", "audit.*", "energy.*"}};
  const ThrownBall ball(system, 7e-4);
  const RunSummary whole = record(folder / "whole", system, settings, 7e-4);
  const auto create = [&] { return create_recorded_run(folder / "pieces", system, settings); };
  RunSummary pieces;
  for (std::int64_t reached = 0; pieces.status != RunStatus::completed; reached += 777) {
    Recorder recorder(system, settings, reached == 0 ? create() : RunWriter::reopen(folder / "pieces"));
    State state = system.initial;
    if (reached > 0) {
      const Checkpoint checkpoint = RunReader::open(folder / "pieces")->last_checkpoint();
      state = checkpoint.state;
      EXPECT_EQ(state.step, reached);
      recorder.restore(checkpoint);
    }
    recorder.begin(state);
    ball.run(recorder, state, settings.duration, 777);
    const bool done = state.t >= settings.duration;
    if (!done) recorder.write(state, {});
    pieces = recorder.finish(state, {}, done ? RunStatus::completed : RunStatus::limit, "", 0);
  }
  EXPECT_EQ(pieces.hash, whole.hash);
  EXPECT_EQ(pieces.audit, whole.audit);
  EXPECT_EQ(pieces.evaluations, whole.evaluations);
  EXPECT_EQ(pieces.energy_worst_residual, whole.energy_worst_residual);
  const auto a = RunReader::open(folder / "pieces"), b = RunReader::open(folder / "whole");
  EXPECT_EQ(a->times(), b->times());
  for (const SignalInfo& signal : a->signals()) EXPECT_EQ(a->read(signal.name), b->read(signal.name)) << signal.name;
  EXPECT_EQ(a->events().size(), b->events().size());
}

// Written after every step: what is stored in the end is what it would have been, but for the last checkpoint.
TEST(Recorder, HowOftenItIsWrittenLeavesNoTrace) {
  const TestFolder folder;
  const System system = make_falling_ball();
  const RecorderSettings settings{1e-3, 1.2, {"ball.*", "audit.*"}};
  const ThrownBall ball(system, 7e-4);
  record(folder / "whole", system, settings, 7e-4);
  Recorder recorder(system, settings, create_recorded_run(folder / "often", system, settings));
  State state = system.initial;
  recorder.begin(state);
  while (state.t < settings.duration) {
    const StepReport report = ball.take_step(state, recorder.next_time());
    recorder.observe(state, report);
    if (state.step % 3 == 0) {
      recorder.write_samples();
    } else {
      recorder.write(state, {});
    }
  }
  recorder.finish(state, {}, RunStatus::completed, "", 0);
  for (const char* name : {"often", "whole"})
    Database(folder / name / "run.sqlite", DatabaseAccess::write).execute("DELETE FROM checkpoint");
  EXPECT_EQ(dump_run(folder / "often"), dump_run(folder / "whole"));
}

TEST(Recorder, ADivergedRunKeepsItsLastGoodState) {
  const TestFolder folder;
  const System system = make_falling_ball();
  const RecorderSettings settings{0.1, 1, {"ball.position.z"}};
  Recorder recorder(system, settings, create_recorded_run(folder / "run", system, settings));
  State state = system.initial;
  recorder.begin(state);
  ThrownBall(system, 0.03).run(recorder, state, 1, 10);
  StepReport report;
  report.status = StepStatus::diverged;
  report.rejected = 5;
  EXPECT_FALSE(recorder.observe(state, report));
  const RunSummary summary = recorder.finish(state, {}, RunStatus::diverged, "ball: velocity is not finite", 0);
  EXPECT_EQ(summary.audit.at("rejected"), 5);

  const auto reader = RunReader::open(folder / "run");
  EXPECT_EQ(reader->summary().status, RunStatus::diverged);
  EXPECT_EQ(reader->summary().message, "ball: velocity is not finite");
  // Steps 0.03, 0.06, 0.09, 0.1, ...: ten steps end in the third interval, between samples.
  ASSERT_EQ(reader->times().size(), 4u);
  EXPECT_EQ(reader->times().back(), state.t);
  EXPECT_LT(state.t, 0.3);
  EXPECT_EQ(reader->summary().hash, calc_hash(state));
}

TEST(Recorder, AForeignCheckpointIsRefused) {
  const System system = make_falling_ball();
  Recorder recorder(system, {}, nullptr);
  Checkpoint checkpoint;
  checkpoint.recorder_memory = {1, 2, 3};
  EXPECT_THROW(recorder.restore(checkpoint), IoError);
}

}  // namespace
}  // namespace stiction
