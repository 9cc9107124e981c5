#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stiction/multibody/state.h"
#include "stiction/results/contact_samples.h"
#include "stiction/results/measured.h"
#include "stiction/stepping/step_report.h"

namespace stiction {

class FolderLock;
struct RunModel;

/// A run folder holds one SQLite file, run.sqlite (format: docs/run-format.md). It is written in transactions: a run
/// that is killed loses at most what came after the last one, and opens cleanly. Everything that can go wrong with
/// files is an IoError.

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

enum class RunStatus { running, completed, diverged, limit, interrupted, failed };
const char* name_of(RunStatus status);

/// What a finished (or unfinished) run says of itself; nothing in it depends on the machine but wall_seconds.
struct RunSummary {
  RunStatus status = RunStatus::running;
  std::string message;  ///< why it stopped, if not completed
  double time = 0;      ///< reached [s]
  std::int64_t steps = 0;
  std::int64_t evaluations = 0;
  std::string hash;  ///< of the final state
  double wall_seconds = 0;
  std::map<std::string, double> audit;                                  ///< worst value of each audit signal
  double energy_first = 0, energy_last = 0, energy_worst_residual = 0;  ///< energy (finite) and |residual| [J]
  RunMeasures measures;  ///< for the verdict (verdict.h); of a run that was killed: up to its last chunk
};

/// Samples as a matrix: rows = samples, columns = signals, so that the samples of a signal lie side by side.
using SampleBlock = Eigen::Ref<const MatX>;

/// A part of a run as far as it has been collected.
struct RunPart {
  const std::vector<double>& times;
  SampleBlock samples;                   ///< columns in the order of the signals
  const std::vector<double>& contacts;   ///< rows of contact_samples.h
  const std::vector<StepEvent>& events;  ///< those since the last write only
};

/// Is there a run in the folder, of which at least the scene is stored? A run killed before that leaves none.
bool holds_run(const std::filesystem::path& folder);

class RunWriter {
 public:
  /// Creates the folder and the database. IoError if the folder already holds a run or cannot be written.
  static std::unique_ptr<RunWriter> create(const std::filesystem::path& folder, const SceneText& scene,
                                           const std::vector<SignalInfo>& signals, const RunDescription& description,
                                           const RunModel& model);
  /// Opens a killed or stopped run to go on after its last checkpoint, or from the start if it has none; what was
  /// written after that, and the summary, are dropped. IoError if it cannot be opened, is completed or is still being
  /// written. Who has looked at the run before takes the lock before that, and passes it on here.
  static std::unique_ptr<RunWriter> reopen(const std::filesystem::path& folder);
  static std::unique_ptr<RunWriter> reopen(const std::filesystem::path& folder, std::unique_ptr<FolderLock> lock);
  virtual ~RunWriter() = default;

  /// One transaction: the part that is being collected, in the place of what was written of it before, the events since
  /// then, and, unless it is null, the checkpoint at its end in the place of the one before. What comes after a
  /// checkpoint and has none of its own is dropped when the run is reopened. Numbers are kept bit for bit, infinities
  /// and NaN too.
  virtual void write_part(const RunPart& part, const Checkpoint* checkpoint) = 0;
  /// The part is complete: the next write begins another one.
  virtual void close_part() = 0;
  virtual void finish(const RunSummary& summary) = 0;
  /// What was measured so far: stored with the next part, so that a run that goes on or was killed is judged, too.
  virtual void set_measures(const RunMeasures& measures) = 0;
};

/// Sees the samples that were there when it was opened; the run may still be written meanwhile.
class RunReader {
 public:
  /// IoError with a plain message if there is no run there, or it is damaged.
  static std::unique_ptr<RunReader> open(const std::filesystem::path& folder);
  virtual ~RunReader() = default;

  virtual const std::vector<SignalInfo>& signals() const = 0;
  virtual std::string program_version() const = 0;
  virtual SceneText scene() const = 0;
  virtual RunDescription description() const = 0;
  virtual RunModel model() const = 0;      ///< IoError if it is damaged
  virtual RunSummary summary() const = 0;  ///< status `running` where the run was killed or still goes on
  /// Tells these two apart: does a program write it right now?
  virtual bool is_being_written() const = 0;
  /// Samples of one signal, or of "time"; InputError with the nearest name if there is no such signal.
  virtual std::vector<double> read(const std::string& signal) const = 0;
  virtual std::vector<double> times() const = 0;
  /// The same piece by piece: 0 <= part < part_count().
  virtual int part_count() const = 0;
  virtual std::vector<double> read_part(const std::string& signal, int part) const = 0;
  virtual std::vector<StepEvent> events() const = 0;
  /// Names of the shapes that contacts refer to by their index.
  virtual std::vector<std::string> contact_shapes() const = 0;
  /// Of one part: 0 <= part < part_count().
  virtual std::vector<ContactSample> contacts(int part) const = 0;
  virtual bool has_checkpoint() const = 0;         ///< false: killed before its first step
  virtual Checkpoint last_checkpoint() const = 0;  ///< IoError if there is none or it is damaged
};

}  // namespace stiction
