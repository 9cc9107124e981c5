#include "stiction/run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/results/signals.h"
#include "stiction/run/checkpoint_clock.h"
#include "stiction/run/strict.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/describe_run.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

RunStatus status_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return RunStatus::completed;
    case StepStatus::diverged:
      return RunStatus::diverged;
    case StepStatus::constraint_failed:
    case StepStatus::step_too_small:
      break;
  }
  return RunStatus::failed;
}

/// Stopped by a wish, not by the motion.
bool is_resumable(RunStatus status) {
  return status == RunStatus::limit || status == RunStatus::interrupted;
}

RecorderSettings recorder_settings(const Scene& scene, const RunDescription& description) {
  return {.output = calc_output_interval(scene),
          .duration = scene.time.duration,
          .signals = scene.record.signals,
          .step = scene.time.step,
          .smallest_size = description.smallest_size,
          .settles = scene.method.settle && description.rigid_contact,
          .energy_every_step = scene.method.strict};
}

/// The method as the stepper needs it: lengths of steps that the scene leaves open are filled in.
MethodSettings stepper_settings(const Scene& scene) {
  MethodSettings settings = scene.method;
  settings.step = scene.time.step;
  if (settings.max_step == 0) settings.max_step = calc_output_interval(scene);
  return settings;
}

std::vector<std::string> list_shapes(const ContactModel& model) {
  std::vector<std::string> names;
  for (const ContactShape& shape : model.shapes) names.push_back(shape.name);
  return names;
}

/// Tells a watcher of every sample that was taken.
class SampleTeller {
 public:
  /// A resumed run has told its samples up to here.
  SampleTeller(const Recorder& recorder, const RunOptions& options, bool resumed)
      : recorder_(recorder), options_(options), last_time_(resumed ? recorder.last_time() : -1) {}

  void tell(const StepReport& report, const std::vector<ContactRecord>& contacts) {
    if (!options_.on_sample) return;
    events_.insert(events_.end(), report.events.begin(), report.events.end());
    if (recorder_.last_time() == last_time_) return;
    last_time_ = recorder_.last_time();
    options_.on_sample({last_time_, recorder_.last_values(), contacts, events_});
    events_.clear();
  }

 private:
  const Recorder& recorder_;
  const RunOptions& options_;
  double last_time_;
  std::vector<StepEvent> events_;
};

/// From `state` to the end of the scene, or to where it stops.
RunSummary advance(const Scene& scene, const RunDescription& description, State& state, Stepper& stepper,
                   Recorder& recorder, const RunOptions& options, const RunSummary& before) {
  const auto start = std::chrono::steady_clock::now();
  constexpr std::int64_t calls_between_progress = 1024;
  // Steps that a resumed run repeats, since its checkpoint lies before its end, do not count.
  const std::int64_t last_step = options.max_steps > 0 ? std::max(state.step, before.steps) + options.max_steps
                                                       : std::numeric_limits<std::int64_t>::max();
  const auto show_progress = [&] {
    if (options.on_progress) options.on_progress({state.t, scene.time.duration, state.step});
  };
  const bool interpolates = stepper.interpolates(), is_stored = !options.folder.empty();
  CheckpointClock clock(options.checkpoint_interval);
  RunStatus status = RunStatus::completed;
  std::string message;
  SampleTeller teller(recorder, options, state.step > 0);
  teller.tell({}, {});
  show_progress();
  for (std::int64_t call = 1; state.t < scene.time.duration; ++call) {
    // Recording does not change the motion: what cannot interpolate steps on its own grid to the end.
    const StepReport report = stepper.step(state, interpolates ? recorder.next_time() : scene.time.duration);
    const bool is_full = recorder.observe(state, report, stepper.contacts());
    teller.tell(report, stepper.contacts());
    const bool is_checkpoint_due = is_stored && (is_full || clock.is_due()) && report.status == StepStatus::ok;
    if (is_checkpoint_due && stepper.can_checkpoint(state)) {
      recorder.write(state, stepper.checkpoint(state));
      clock.restart();
    } else if (is_full) {
      recorder.write_samples();
    }
    if (report.status != StepStatus::ok) {
      status = status_of(report.status);
      message = report.message;
      break;
    }
    if (scene.method.strict) {
      message = find_cause_at_step(recorder, description);
      if (!message.empty()) {
        status = RunStatus::failed;
        break;
      }
    }
    if (state.t >= scene.time.duration) break;
    if (state.step >= last_step) {
      status = RunStatus::limit;
      message = fmt::format("stopped after {} steps, at t = {} s", options.max_steps, format_number(state.t));
      break;
    }
    if (options.is_interrupted && options.is_interrupted()) {
      status = RunStatus::interrupted;
      message = fmt::format("stopped from outside, at t = {} s", format_number(state.t));
      break;
    }
    if (call % calls_between_progress == 0) show_progress();
  }
  show_progress();
  if (scene.method.strict && status == RunStatus::completed) {
    message = find_cause_at_end(recorder, description);
    if (!message.empty()) status = RunStatus::failed;
  }
  if (is_stored && is_resumable(status) && stepper.can_checkpoint(state))
    recorder.write(state, stepper.checkpoint(state));
  return recorder.finish(state, stepper.contacts(), status, message, before.wall_seconds + seconds_since(start));
}

}  // namespace

RunResult simulate(const Scene& scene, const RunOptions& options) {
  const System system = compile(scene);  // throws InputError, listing every fault
  const RunDescription description = describe_run(scene, system);
  if (options.on_warnings) options.on_warnings(description.warnings);
  State state = system.initial;
  const auto stepper = make_stepper(system, stepper_settings(scene));
  const RecorderSettings settings = recorder_settings(scene, description);
  std::unique_ptr<RunWriter> writer;
  if (!options.folder.empty())
    writer = RunWriter::create(options.folder, scene.text, SignalTable(system, settings.signals).infos(), description,
                               list_shapes(system.contact));
  Recorder recorder(system, settings, std::move(writer));
  recorder.begin(state);
  recorder.write(state, stepper->checkpoint(state));  // a run killed at once can be resumed too

  RunResult result;
  result.summary = advance(scene, description, state, *stepper, recorder, options, {});
  result.description = description;
  result.final_state = state;
  result.signals = recorder.signals();
  if (options.folder.empty()) {
    result.events = recorder.events();
    result.contacts = recorder.contacts();
    result.contact_shapes = list_shapes(system.contact);
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
  const Scene scene = read_scene(reader->scene());
  const System system = compile(scene);
  const RunDescription description = describe_run(scene, system);
  if (options.on_warnings) options.on_warnings(description.warnings);
  const Checkpoint checkpoint = reader->last_checkpoint();
  State state = checkpoint.state;
  const auto stepper = make_stepper(system, stepper_settings(scene));
  stepper->restore(state, checkpoint.stepper_memory);
  Recorder recorder(system, recorder_settings(scene, description), RunWriter::reopen(folder, std::move(lock)));
  recorder.restore(checkpoint);
  return advance(scene, description, state, *stepper, recorder, options, before);
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
