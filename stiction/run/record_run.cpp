#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/run/checkpoint_clock.h"
#include "stiction/run/simulation_impl.h"
#include "stiction/run/strict.h"
#include "stiction/scene/compile/complete.h"

// The loop of a recorded run.

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

}  // namespace

bool is_resumable(RunStatus status) {
  return status == RunStatus::limit || status == RunStatus::interrupted;
}

RecorderSettings Simulation::Impl::recorder_settings() const {
  return {.output = calc_output_interval(scene),
          .duration = scene.time.duration,
          .signals = scene.record.signals,
          .step = scene.time.step,
          .smallest_size = description.smallest_size,
          .settles = scene.method.settle && description.rigid_contact,
          .energy_every_step = scene.method.strict};
}

void Simulation::Impl::begin(Recorder& recorder) {
  recorder.begin(state);
  recorder.write(state, save().memory);
}

RunSummary Simulation::Impl::record(Recorder& recorder, const RunOptions& options, const RunSummary& before) {
  const auto start = std::chrono::steady_clock::now();
  constexpr std::int64_t calls_between_progress = 1024;
  // Steps that a resumed run repeats, since its checkpoint lies before its end, do not count.
  const std::int64_t step_limit = options.max_steps > 0 ? std::max(state.step, before.steps) + options.max_steps
                                                        : std::numeric_limits<std::int64_t>::max();
  const auto show_progress = [&] {
    if (options.on_progress) options.on_progress({state.t, scene.time.duration, state.step});
  };
  const bool interpolates = stepper->interpolates(), is_stored = !options.folder.empty();
  CheckpointClock clock(options.checkpoint_interval);
  RunStatus status = RunStatus::completed;
  std::string message;
  SampleTeller teller(recorder, options, state.step > 0);
  teller.tell({}, {});
  show_progress();
  RunProfile profile;
  profile.step_count = -state.step;
  auto step_began = start;
  if (options.on_profile) stepper->start_profile();
  for (std::int64_t call = 1; state.t < scene.time.duration; ++call) {
    // Recording does not change the motion: what cannot interpolate steps on its own grid to the end.
    if (options.on_profile) step_began = std::chrono::steady_clock::now();
    const StepReport report = advance(interpolates ? recorder.next_time() : scene.time.duration);
    if (options.on_profile) profile.stepping += seconds_since(step_began);
    const bool is_full = recorder.observe(state, report, stepper->contacts());
    teller.tell(report, stepper->contacts());
    const bool is_checkpoint_due = is_stored && (is_full || clock.is_due()) && report.status == StepStatus::ok;
    if (is_checkpoint_due && stepper->can_checkpoint(state)) {
      recorder.write(state, stepper->checkpoint(state));
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
    if (state.step >= step_limit) {
      status = RunStatus::limit;
      message = fmt::format("stopped after {} step{}, at t = {:.9g} s", options.max_steps,
                            options.max_steps == 1 ? "" : "s", state.t);
      break;
    }
    if (options.is_interrupted && options.is_interrupted()) {
      status = RunStatus::interrupted;
      message = fmt::format("interrupted at t = {:.9g} s", state.t);
      break;
    }
    if (call % calls_between_progress == 0) show_progress();
  }
  show_progress();
  if (scene.method.strict && status == RunStatus::completed) {
    message = find_cause_at_end(recorder, description);
    if (!message.empty()) status = RunStatus::failed;
  }
  if (is_stored && is_resumable(status) && stepper->can_checkpoint(state))
    recorder.write(state, stepper->checkpoint(state));
  const double seconds = seconds_since(start);
  const RunSummary summary =
      recorder.finish(state, stepper->contacts(), status, message, before.wall_seconds + seconds);
  if (options.on_profile) {
    profile.steps = stepper->profile();
    profile.step_count += state.step;
    profile.total = seconds_since(start);
    profile.recording = profile.total - profile.stepping;
    options.on_profile(profile);
  }
  return summary;
}

}  // namespace stiction
