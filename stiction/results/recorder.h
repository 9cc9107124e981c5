#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/results/run_store.h"

namespace stiction {

struct RecorderSettings {
  double output = 1e-2;                      ///< recording interval [s]
  double duration = 1;                       ///< [s]
  std::vector<std::string> signals = {"*"};  ///< globs of the signals to record
  double step = 1e-3;  ///< time.step: what impulses of contacts are divided by for forces; scale of a time's rounding [s]
};

/// Samples in a chunk: 2^20 / signals, at least 16, at most 1024.
int calc_chunk_length(int signal_count);

/// Watches a run: samples the signals at the recording times, audits every step, writes chunks and checkpoints.
/// Chunk length depends on the number of signals only, never on the clock, so that checkpoints lie at the same steps in
/// every run of a scene. Between samples a step costs the audit's few comparisons; nothing allocates until a chunk is
/// written.
class Recorder {
 public:
  /// `writer` may be null: then the samples stay in memory (tests, embedding). It was created with the signals of
  /// SignalTable(system, settings.signals). InputError for a glob that matches nothing.
  Recorder(const System& system, const RecorderSettings& settings, std::unique_ptr<RunWriter> writer);
  ~Recorder();

  /// The next time at which a sample is due: k * output, at the latest the duration. The sample is that of the first
  /// step which ends there or later, with that step's own time.
  double next_time() const;
  /// Record the start (t = 0), or after `restore` nothing.
  void begin(const State& state);
  /// Look at a finished step. Returns true when a chunk is full, stored or in memory: the caller then takes a
  /// checkpoint of its stepper and passes it to `write`, before the next step.
  bool observe(const State& state, const StepReport& report, const std::vector<ContactRecord>& contacts = {});
  void write(const State& state, std::vector<double> stepper_memory);
  /// The same before a run stops between two chunks, with a stepper that keeps its history: later chunks end where they
  /// would have without the stop. `finish` follows.
  void write_stop(const State& state, std::vector<double> stepper_memory);
  /// Go on after this checkpoint. IoError if it is not one of this program.
  void restore(const Checkpoint& checkpoint);
  /// Close the run: the state, with the contacts of its step, is sampled if it is later than the last sample, what is
  /// left is written, the summary computed and stored. Only a completed run ends with a checkpoint (see
  /// RunWriter::write_tail).
  RunSummary finish(const State& state, const std::vector<ContactRecord>& contacts, RunStatus status,
                    const std::string& message, double wall_seconds, std::vector<double> stepper_memory);

  const std::vector<SignalInfo>& signals() const;
  /// The last sample taken: its time, < 0 if there is none, and its values in the order of signals(), valid until the
  /// next one is taken.
  double last_time() const;
  const VecX& last_values() const;
  // For runs without a writer, complete after finish (before that, whole chunks):
  std::vector<double> times() const;
  /// InputError with the nearest name if there is no such signal.
  std::vector<double> samples(const std::string& signal) const;
  const std::vector<StepEvent>& events() const;
  const std::vector<ContactSample>& contacts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
