#pragma once

#include <functional>

#include "stiction/results/run_store.h"
#include "stiction/scene/scene.h"
#include "stiction/stepping/step_profile.h"

namespace stiction {

struct SolvedProblem;

struct Progress {
  double t = 0;         ///< simulated [s]
  double duration = 0;  ///< [s]
  std::int64_t steps = 0;
};

/// What was recorded at one instant, for those who watch a run as it goes. Valid during the call.
struct LiveSample {
  double t = 0;                                ///< [s]
  const VecX& values;                          ///< of the signals, in their order
  const std::vector<ContactRecord>& contacts;  ///< at that instant
  const std::vector<StepEvent>& events;        ///< since the sample before
};

/// Where the time of a run went, by the clock [s].
struct RunProfile {
  StepProfile steps;  ///< with several threads: their sum
  double stepping = 0, recording = 0, total = 0;
  std::int64_t step_count = 0;
};

struct RunOptions {
  std::filesystem::path folder;  ///< where the run is stored; empty = in memory only
  std::function<void(const std::vector<std::string>&)> on_warnings;  ///< of the scene; called before the first step
  std::function<void(const Progress&)> on_progress;      ///< called at the start, every 1024 steps, at the end
  std::function<void(const LiveSample&)> on_sample;      ///< called after every sample
  int threads = 0;                                       ///< instead of method.threads; 0: as the scene says
  std::function<void(const SolvedProblem&)> on_problem;  ///< called for every contact problem that is solved
  std::function<void(const RunProfile&)> on_profile;     ///< called at the end; the run is timed where it is given
  std::int64_t max_steps = 0;                            ///< stop with status `limit` after so many; 0 = no limit
  double checkpoint_interval = 5;                        ///< of stored runs, by the clock (run/checkpoint_clock.h) [s]
  std::function<bool()> is_interrupted;  ///< asked after every step; true: stop with status `interrupted`
};

/// A finished run: the summary, and in memory the signals where no folder was given.
struct RunResult {
  RunSummary summary;
  RunDescription description;  ///< both together are judged: judge(summary, description)
  State final_state;
  std::vector<SignalInfo> signals;
  std::vector<double> times;                 ///< empty when stored in a folder
  std::vector<std::vector<double>> samples;  ///< by signal; empty when stored in a folder
  std::vector<StepEvent> events;
  std::vector<ContactSample> contacts;      ///< at the recording times; empty when stored in a folder
  std::vector<std::string> contact_shapes;  ///< names of the shapes that contacts refer to

  /// Samples of one signal; InputError naming the nearest if there is none.
  const std::vector<double>& signal(const std::string& name) const;
};

/// Scene in, run out. Throws InputError for a faulty scene and IoError for the disk; a diverging run returns normally
/// with its status.
RunResult simulate(const Scene& scene, const RunOptions& options = {});

/// Continue a killed or stopped run from its last checkpoint to a bit-identical end. A run that stopped at a limit or
/// was interrupted has one at its end, unless its integrator has a history that cannot be saved (CVODE): then steps
/// back to the last checkpoint are repeated, beyond max_steps. A completed, diverged or failed run is returned as it
/// is.
RunSummary resume(const std::filesystem::path& folder, const RunOptions& options = {});

}  // namespace stiction
