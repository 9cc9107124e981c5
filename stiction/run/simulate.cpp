#include "stiction/run/simulate.h"

#include <fmt/format.h>

#include "stiction/base/text.h"
#include "stiction/results/folder_lock.h"
#include "stiction/results/recorder.h"
#include "stiction/results/run_model.h"
#include "stiction/run/simulation_impl.h"
#include "stiction/scene/write/write_scene.h"

namespace stiction {
namespace {

std::vector<std::string> list_shapes(const ContactModel& model) {
  std::vector<std::string> names;
  for (const ContactShape& shape : model.shapes) names.push_back(shape.name);
  return names;
}

}  // namespace

RunResult simulate(const Scene& scene, const RunOptions& options) {
  return Simulation(scene).run(options);
}

RunResult Simulation::run(const RunOptions& options) {
  Impl& run = *impl_;
  // A stored run is its scene from the start: resume knows nothing else of it.
  if (!options.folder.empty() && (run.state.step > 0 || run.state.t > 0 || !run.slots_set.empty()))
    throw InputError("a run that is stored in a folder begins at the start of its scene, without inputs from outside",
                     "reset() the simulation first, or record in memory");
  if (options.on_warnings) options.on_warnings(run.description.warnings);
  run.set_threads(options.threads);
  if (options.on_problem) run.stepper->watch_problems(options.on_problem);
  const RecorderSettings settings = run.recorder_settings();
  std::unique_ptr<RunWriter> writer;
  if (!options.folder.empty())
    writer = RunWriter::create(options.folder, find_text(run.scene), SignalTable(run.system, settings.signals).infos(),
                               run.description, describe_model(run.system));
  Recorder recorder(run.system, settings, std::move(writer));
  run.begin(recorder);

  RunResult result;
  result.summary = run.record(recorder, options, {});
  result.description = run.description;
  result.final_state = run.state;
  result.signals = recorder.signals();
  if (options.folder.empty()) {
    result.events = recorder.events();
    result.contacts = recorder.contacts();
    result.contact_shapes = list_shapes(run.system.contact);
    result.times = recorder.times();
    for (const SignalInfo& info : result.signals) result.samples.push_back(recorder.samples(info.name));
  }
  return result;
}

RunSummary resume(const std::filesystem::path& folder, const RunOptions& given) {
  RunOptions options = given;
  options.folder = folder;
  auto lock = std::make_unique<FolderLock>(folder);  // from here on nobody else changes it
  const auto reader = RunReader::open(folder);
  const RunSummary before = reader->summary();
  if (before.status != RunStatus::running && !is_resumable(before.status)) return before;
  Simulation simulation = Simulation::from_text(reader->scene());
  Simulation::Impl& run = *simulation.impl_;
  if (options.on_warnings) options.on_warnings(run.description.warnings);
  const std::optional<Checkpoint> checkpoint =
      reader->has_checkpoint() ? std::optional(reader->last_checkpoint()) : std::nullopt;
  run.set_threads(options.threads);
  if (options.on_problem) run.stepper->watch_problems(options.on_problem);
  Recorder recorder(run.system, run.recorder_settings(), RunWriter::reopen(folder, std::move(lock)));
  if (checkpoint) {
    run.state = checkpoint->state;
    run.stepper->restore(run.state, checkpoint->stepper_memory);
    recorder.restore(*checkpoint);
  } else {
    run.begin(recorder);
  }
  return run.record(recorder, options, before);
}

const std::vector<double>& RunResult::signal(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].name == name) {
      if (samples.empty()) throw InputError("the samples are in the run folder, not in memory");
      return samples[i];
    }
    names.push_back(signals[i].name);
  }
  const std::string nearest = find_nearest_word(name, names);
  throw InputError(fmt::format("there is no signal \"{}\"", name),
                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

}  // namespace stiction
