#pragma once

#include <limits>
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
};

/// Watches a run: samples the signals at the recording times, audits every step, writes chunks and checkpoints.
/// Chunk length depends on the number of signals only, never on the clock, so that checkpoints lie at the same steps in
/// every run of a scene.
class Recorder {
 public:
  /// `writer` may be null: then the samples stay in memory (tests, embedding).
  Recorder(const System& system, const RecorderSettings& settings, std::unique_ptr<RunWriter> writer);
  ~Recorder();

  /// The next time at which a sample is due: k * output, at the latest the duration. Never later than needed.
  double next_time() const;
  /// Record the start (t = 0), or after `restore` nothing.
  void begin(const State& state);
  /// Look at a finished step. Returns true when a chunk is full: the caller then passes a checkpoint to `write`.
  bool observe(const State& state, const StepReport& report);
  void write(const State& state, std::vector<double> stepper_memory);
  void restore(const Checkpoint& checkpoint);
  /// Close the run: what is left is written, the summary computed and stored.
  RunSummary finish(const State& state, RunStatus status, const std::string& message, double wall_seconds,
                    std::vector<double> stepper_memory);

  // In memory, for runs without a writer:
  const std::vector<SignalInfo>& signals() const;
  std::vector<double> times() const;
  std::vector<double> samples(const std::string& signal) const;
  const std::vector<StepEvent>& events() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
