#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/state.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// A run folder holds one SQLite file, run.sqlite (format: docs/run-format.md). Written in transactions of whole chunks:
/// a run that is killed loses at most its last chunk and opens cleanly.

struct SignalInfo {
  std::string name;       ///< "ball.position.x"
  std::string unit;       ///< "m"; "1" for a pure number
  std::string time_base;  ///< "output": one sample a recording time
};

/// The text of the scene as it was run: the main file first, then included ones, then overrides "key.path=value".
struct SceneText {
  struct File {
    std::string name;
    std::string text;
  };
  std::vector<File> files;
  std::vector<std::string> overrides;
};

/// All that a resumed run needs beside the scene.
struct Checkpoint {
  State state;
  std::vector<double> stepper_memory;
  std::vector<double> recorder_memory;  ///< running extremes, counters
};

enum class RunStatus { running, completed, diverged, limit, failed };
const char* name_of(RunStatus status);

/// What a finished (or unfinished) run says of itself; nothing in it depends on the machine but wall_seconds.
struct RunSummary {
  RunStatus status = RunStatus::running;
  std::string message;          ///< why it stopped, if not completed
  double time = 0;              ///< reached [s]
  std::int64_t steps = 0;
  std::int64_t evaluations = 0;
  std::string hash;             ///< of the final state
  double wall_seconds = 0;
  std::map<std::string, double> audit;  ///< worst value of each audit signal
  double energy_first = 0, energy_last = 0, energy_worst_residual = 0;  ///< total energy and |energy.residual| [J]
};

class RunWriter {
 public:
  /// Creates the folder and the database. IoError if the folder already holds a run or cannot be written.
  static std::unique_ptr<RunWriter> create(const std::filesystem::path& folder, const SceneText& scene,
                                           const std::vector<SignalInfo>& signals);
  /// Opens a killed or stopped run after its last chunk, to go on. IoError if it cannot be opened.
  static std::unique_ptr<RunWriter> reopen(const std::filesystem::path& folder);
  virtual ~RunWriter() = default;

  /// One transaction: a block of samples (rows = samples, columns = signals in the order given to create), the events
  /// since the last call, and the checkpoint at its end.
  virtual void write_chunk(const std::vector<double>& times, const MatX& samples, const std::vector<StepEvent>& events,
                           const Checkpoint& checkpoint) = 0;
  virtual void finish(const RunSummary& summary) = 0;
};

class RunReader {
 public:
  /// IoError with a plain message if there is no run there, or it is damaged.
  static std::unique_ptr<RunReader> open(const std::filesystem::path& folder);
  virtual ~RunReader() = default;

  virtual const std::vector<SignalInfo>& signals() const = 0;
  virtual std::string program_version() const = 0;
  virtual SceneText scene() const = 0;
  virtual RunSummary summary() const = 0;  ///< status `running` where the run was killed or still goes on
  /// Samples of one signal, or of "time"; InputError with the nearest name if there is no such signal.
  virtual std::vector<double> read(const std::string& signal) const = 0;
  virtual std::vector<double> times() const = 0;
  virtual std::vector<StepEvent> events() const = 0;
  virtual Checkpoint last_checkpoint() const = 0;
};

}  // namespace stiction
