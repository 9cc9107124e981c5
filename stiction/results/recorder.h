#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/results/extremes.h"
#include "stiction/results/run_store.h"

namespace stiction {

struct RecorderSettings {
  double output = 1e-2;                      ///< recording interval [s]
  double duration = 1;                       ///< [s]
  std::vector<std::string> signals = {"*"};  ///< globs of the signals to record
  double step =
      1e-3;  ///< time.step: what impulses of contacts are divided by for forces; scale of a time's rounding [s]
  double smallest_size = 0;        ///< of a body, by which joint limits are judged [m]; 0: 1 m
  bool settles = false;            ///< method.settle: the first step begins by moving bodies
  bool energy_every_step = false;  ///< measure the energy in every step, not at the samples only
};

/// Samples in a full part: 2^20 / signals, at least 16, at most 1024.
int calc_part_length(int signal_count);

/// Watches a run: samples the signals at the recording times, audits every step, collects samples into parts and writes
/// them with checkpoints. A part may be written as often as the caller likes while it is being collected: each write
/// replaces the one before, so that what is stored in the end does not depend on when that was. A part is full at its
/// length, or where its contacts or its events reach 2^20 numbers or 2^16 entries: memory stays bounded. Between
/// samples a step costs the audit's few comparisons; nothing allocates until a part is written.
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
  /// Look at a finished step. Returns true when the part is full: the caller then writes it before the next step.
  bool observe(const State& state, const StepReport& report, const std::vector<ContactRecord>& contacts = {});
  /// Write what has been collected, with a checkpoint: the state and what the stepper remembers there.
  void write(const State& state, std::vector<double> stepper_memory);
  /// The same where the stepper cannot give a checkpoint: a run that is killed goes back to the last one.
  void write_samples();
  /// Go on after this checkpoint. IoError if it is not one of this program.
  void restore(const Checkpoint& checkpoint);
  /// Close the run: the state, with the contacts of its step, is sampled if it is later than the last sample, what is
  /// left is written, the summary computed and stored. No checkpoint: that sample is not one of a run that goes on.
  RunSummary finish(const State& state, const std::vector<ContactRecord>& contacts, RunStatus status,
                    const std::string& message, double wall_seconds);

  const std::vector<SignalInfo>& signals() const;
  /// The worst of everything so far, and the same by names, as it is stored.
  const Extremes& extremes() const;
  RunMeasures measures() const;
  /// The last sample taken: its time, < 0 if there is none, and its values in the order of signals(), valid until the
  /// next one is taken.
  double last_time() const;
  const VecX& last_values() const;
  // For runs without a writer, complete after finish (before that, what was written):
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
