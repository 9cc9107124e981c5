#include "stiction/results/recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/geometry/shape/thickness.h"
#include "stiction/results/memory_run.h"
#include "stiction/results/pair_names.h"
#include "stiction/results/signals.h"

namespace stiction {

namespace {

constexpr std::size_t most_contact_numbers = 1 << 20, most_events = 1 << 16;

std::vector<double> list_thicknesses(const ContactModel& model) {
  std::vector<double> list;
  for (const ContactShape& shape : model.shapes) list.push_back(calc_thickness(shape.shape));
  return list;
}

}  // namespace

int calc_part_length(int signal_count) {
  return std::clamp((1 << 20) / std::max(signal_count, 1), 16, 1024);
}

struct Recorder::Impl {
  Impl(const System& system_in, const RecorderSettings& settings_in, std::unique_ptr<RunWriter> writer_in)
      : system(system_in),
        settings(settings_in),
        writer(std::move(writer_in)),
        table(system, settings.signals, settings.step),
        pair_names(system.contact),
        limits(system, settings.smallest_size > 0 ? settings.smallest_size : 1),
        extremes(list_thicknesses(system.contact), settings.smallest_size > 0 ? settings.smallest_size : 1),
        length(calc_part_length(table.size())),
        block(length + 1, table.size()) {
    if (!writer) {
      auto run = std::make_unique<MemoryRun>(table.infos());
      memory = run.get();
      writer = std::move(run);
    }
    times.reserve(static_cast<std::size_t>(length) + 1);
  }

  double time_of(std::int64_t index) const;
  double time_tolerance() const;
  void set_next_time();
  void sample(const State& state, const std::vector<ContactRecord>& contacts);
  /// The two shapes of the deepest contact in the order of their table.
  AuditValues arrange(AuditValues values) const;
  bool is_full() const;
  SampleBlock samples() const { return block.topRows(static_cast<Eigen::Index>(times.size())); }
  Checkpoint make_checkpoint(const State& state, std::vector<double> stepper_memory) const;
  void write_part(const Checkpoint* checkpoint);
  RunSummary make_summary(const State& state) const;
  void measure_energy(double t) { extremes.add(t, table.energy()); }
  void look_for_not_finite(double t, const VecX& values);
  std::string name_place(TrustMeasure measure, const Extreme& extreme) const;
  RunMeasures make_measures() const;

  const System& system;
  RecorderSettings settings;
  std::unique_ptr<RunWriter> writer;
  const MemoryRun* memory = nullptr;  ///< the writer, where none was given
  SignalTable table;
  PairNames pair_names;
  LimitWatch limits;
  Audit audit;
  Extremes extremes;
  // The part being collected; one row more than its length, for the last state of a run that stops early.
  int length;
  MatX block;
  std::vector<double> times;
  std::vector<StepEvent> events;  ///< since the last write
  std::vector<double> contact_rows;
  // What a checkpoint carries beside the audit:
  bool begun = false;
  std::int64_t next_index = 0;
  double step_time = 0;  ///< end of the last step [s]
  double next_time = 0;
  double last_time = -std::numeric_limits<double>::infinity();
  double energy_first = 0, worst_residual = 0;
  double energy_last = std::numeric_limits<double>::quiet_NaN();  ///< none that is finite so far
};

// k * output, or the duration where that is as good as there.
double Recorder::Impl::time_of(std::int64_t index) const {
  const double t = static_cast<double>(index) * settings.output;
  return t >= settings.duration - 1e-9 * settings.output ? settings.duration : t;
}

// The first recording time after the last sample; times within a billionth of a step or of the interval are the same
// (k * step and j * output round differently).
double Recorder::Impl::time_tolerance() const {
  return 1e-9 * std::min(settings.step, settings.output);
}

void Recorder::Impl::set_next_time() {
  const double seen = last_time + time_tolerance();
  while (time_of(next_index) <= seen && time_of(next_index) < settings.duration) ++next_index;
  next_time = time_of(next_index);
}

void Recorder::Impl::sample(const State& state, const std::vector<ContactRecord>& contacts) {
  const auto row = static_cast<Eigen::Index>(times.size());
  STICTION_CHECK(row < block.rows());
  const VecX& values = table.evaluate(state, arrange(audit.since_sample()));
  block.row(row) = values.transpose();
  look_for_not_finite(state.t, values);
  measure_energy(state.t);
  times.push_back(state.t);
  audit.close_sample();
  table.close_sample();
  // Of a motion that diverges the energy overflows before the velocities do.
  if (std::isfinite(table.energy().total)) energy_last = table.energy().total;
  update_worst(worst_residual, std::abs(table.energy().residual));
  last_time = state.t;
  set_next_time();
  for (const ContactRecord& contact : contacts) append_contact_row(state.t, contact, contact_rows);
}

AuditValues Recorder::Impl::arrange(AuditValues values) const {
  if (pair_names.is_reversed(static_cast<int>(values.worst_a), static_cast<int>(values.worst_b)))
    std::swap(values.worst_a, values.worst_b);
  return values;
}

void Recorder::Impl::look_for_not_finite(double t, const VecX& values) {
  if (values.allFinite()) return;
  Eigen::Index signal = 0;
  while (std::isfinite(values[signal])) ++signal;
  extremes.add_not_finite(t, static_cast<int>(signal));
}

std::string Recorder::Impl::name_place(TrustMeasure measure, const Extreme& extreme) const {
  const int a = static_cast<int>(extreme.a), b = static_cast<int>(extreme.b);
  if (a < 0) return {};
  if (measure == TrustMeasure::finite) return table.infos()[static_cast<std::size_t>(a)].name;
  if (measure == TrustMeasure::joint_limit) {
    const NamedJoint& joint = system.named_joints[static_cast<std::size_t>(a)];
    const char* component = coordinate_name(joint.kind, b).name;
    return *component ? joint.name + "." + component : joint.name;
  }
  const auto& shapes = system.contact.shapes;
  if (b < 0 || static_cast<std::size_t>(std::max(a, b)) >= shapes.size()) return {};
  const auto name = [&](int shape) { return shapes[static_cast<std::size_t>(shape)].name; };
  return pair_names.is_reversed(a, b) ? name(b) + "/" + name(a) : name(a) + "/" + name(b);
}

RunMeasures Recorder::Impl::make_measures() const {
  RunMeasures result;
  result.exchanged = extremes.exchanged();
  for (const MeasureInfo& info : trust_measures) {
    const Extreme& extreme = extremes.of(info.measure);
    MeasuredWorst& worst = result.worst[info.name];
    worst = {extreme.value, extreme.time, name_place(info.measure, extreme), extreme.scale, {}};
    if (info.measure == TrustMeasure::joint_limit && extreme.a >= 0) {
      const NamedJoint& joint = system.named_joints[static_cast<std::size_t>(extreme.a)];
      worst.unit = coordinate_name(joint.kind, static_cast<int>(extreme.b)).unit;
    }
  }
  return result;
}

Checkpoint Recorder::Impl::make_checkpoint(const State& state, std::vector<double> stepper_memory) const {
  Checkpoint checkpoint{state, std::move(stepper_memory), {}};
  checkpoint.recorder_memory = {static_cast<double>(next_index), last_time, energy_first, energy_last, worst_residual};
  table.save(checkpoint.recorder_memory);
  extremes.save(checkpoint.recorder_memory);
  audit.save(checkpoint.recorder_memory);
  return checkpoint;
}

bool Recorder::Impl::is_full() const {
  return static_cast<int>(times.size()) >= length || contact_rows.size() >= most_contact_numbers ||
         events.size() >= most_events;
}

void Recorder::Impl::write_part(const Checkpoint* checkpoint) {
  writer->set_measures(make_measures());
  writer->write_part({times, samples(), contact_rows, events}, checkpoint);
  const bool closes = is_full();
  events.clear();
  if (!closes) return;
  writer->close_part();
  times.clear();
  contact_rows.clear();
}

RunSummary Recorder::Impl::make_summary(const State& state) const {
  RunSummary summary;
  summary.time = state.t;
  summary.steps = state.step;
  summary.evaluations = audit.evaluations();
  summary.hash = calc_hash(state);
  const AuditValues worst = arrange(audit.worst());
  for (const AuditField& field : audit_fields) {
    if (has_audit_field(field, system)) summary.audit[field.name] = worst.*field.member;
  }
  summary.energy_first = energy_first;
  summary.energy_last = energy_last;
  summary.energy_worst_residual = worst_residual;
  summary.measures = make_measures();
  return summary;
}

Recorder::Recorder(const System& system, const RecorderSettings& settings, std::unique_ptr<RunWriter> writer)
    : impl_(std::make_unique<Impl>(system, settings, std::move(writer))) {}

Recorder::~Recorder() = default;

double Recorder::next_time() const {
  return impl_->next_time;
}

void Recorder::begin(const State& state) {
  if (impl_->begun) return;
  impl_->begun = true;
  impl_->step_time = state.t;
  // The ledger counts from here.
  impl_->table.evaluate(state, {});
  const EnergyBalance& energy = impl_->table.energy();
  impl_->energy_first = energy.total;
  // Of a state after the start the ledger is not empty: what it holds is not an error.
  impl_->table.set_start_energy(energy.total - energy.input + energy.dissipated - energy.projection);
  impl_->sample(state, {});
}

bool Recorder::observe(const State& state, const StepReport& report, const std::vector<ContactRecord>& contacts) {
  STICTION_CHECK(impl_->begun);
  const LimitExcess limit = report.status == StepStatus::ok ? impl_->limits.measure(state) : LimitExcess{};
  impl_->audit.add(report, calc_quaternion_error(impl_->system, state.q), limit.excess);
  impl_->extremes.add(state.t, report, contacts, limit);
  if (!impl_->system.contact.slots.empty() && report.status == StepStatus::ok)
    impl_->extremes.add_normals(state.t, contacts);
  if (report.status == StepStatus::ok) {
    impl_->table.add_step(state.t - impl_->step_time, contacts);
    impl_->step_time = state.t;
  }
  for (const StepEvent& event : report.events) {
    impl_->events.push_back(event);
    impl_->events.back().name = impl_->pair_names.arrange(event.name);
  }
  if (impl_->settings.settles && state.step == 1) impl_->extremes.set_settled(state.z[ledger_projection]);
  const bool due = state.t >= impl_->next_time - impl_->time_tolerance() && state.t > impl_->last_time;
  if (due && report.status == StepStatus::ok) {
    impl_->sample(state, contacts);
  } else if (impl_->settings.energy_every_step && report.status == StepStatus::ok) {
    impl_->table.evaluate_energy(state);
    impl_->measure_energy(state.t);
  }
  return impl_->is_full();
}

void Recorder::write(const State& state, std::vector<double> stepper_memory) {
  const Checkpoint checkpoint = impl_->make_checkpoint(state, std::move(stepper_memory));
  impl_->write_part(&checkpoint);
}

void Recorder::write_samples() {
  impl_->write_part(nullptr);
}

void Recorder::restore(const Checkpoint& checkpoint) {
  const std::span<const double> numbers = checkpoint.recorder_memory;
  constexpr std::size_t own = 5;
  auto rest = numbers.size() < own ? std::nullopt : impl_->table.restore(numbers.subspan(own));
  if (!rest || !impl_->extremes.restore(*rest) || !impl_->audit.restore(*rest))
    throw IoError("the checkpoint does not fit this program");
  impl_->step_time = checkpoint.state.t;
  impl_->begun = true;
  impl_->next_index = static_cast<std::int64_t>(numbers[0]);
  impl_->last_time = numbers[1];
  impl_->energy_first = numbers[2];
  impl_->energy_last = numbers[3];
  impl_->worst_residual = numbers[4];
  impl_->table.set_start_energy(impl_->energy_first);
  impl_->set_next_time();
}

RunSummary Recorder::finish(const State& state, const std::vector<ContactRecord>& contacts, RunStatus status,
                            const std::string& message, double wall_seconds) {
  STICTION_CHECK(impl_->begun);
  if (state.t > impl_->last_time) impl_->sample(state, contacts);
  impl_->audit.close_sample();
  RunSummary summary = impl_->make_summary(state);
  summary.status = status;
  summary.message = message;
  summary.wall_seconds = wall_seconds;
  write_samples();
  impl_->writer->finish(summary);
  return summary;
}

const Extremes& Recorder::extremes() const {
  return impl_->extremes;
}

RunMeasures Recorder::measures() const {
  return impl_->make_measures();
}

const std::vector<SignalInfo>& Recorder::signals() const {
  return impl_->table.infos();
}

double Recorder::last_time() const {
  return impl_->last_time;
}

const VecX& Recorder::last_values() const {
  return impl_->table.values();
}

std::vector<double> Recorder::times() const {
  return samples("time");
}

std::vector<double> Recorder::samples(const std::string& signal) const {
  STICTION_CHECK(impl_->memory != nullptr);
  return impl_->memory->samples(signal);
}

const std::vector<ContactSample>& Recorder::contacts() const {
  STICTION_CHECK(impl_->memory != nullptr);
  return impl_->memory->contacts();
}

const std::vector<StepEvent>& Recorder::events() const {
  STICTION_CHECK(impl_->memory != nullptr);
  return impl_->memory->events();
}

}  // namespace stiction
