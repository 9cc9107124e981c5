#include "stiction/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/fault.h"
#include "stiction/base/infinity.h"
#include "stiction/base/text.h"
#include "stiction/math/rotation.h"
#include "stiction/run/simulation_impl.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/describe_run.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/scene/write/read_back.h"
#include "stiction/scene/write/write_scene.h"
#include "stiction/stepping/ode/ode_fixed.h"

// Making, stepping and copying.

namespace stiction {

Simulation::Impl::Impl(Scene given)
    : scene(complete(std::move(given))),
      compiled(compile(scene)),  // throws InputError, listing every fault
      description(describe_run(scene, compiled)) {}

Simulation::Impl::Impl(const Impl& other)
    : scene(other.scene), compiled(other.compiled), description(other.description) {}

/// `memory`: of the stepper before; null: none.
void Simulation::Impl::make_stepper_anew(const std::vector<double>* memory) {
  stepper = make_stepper(system, method);
  if (memory) stepper->restore(state, *memory);
  if (!memory && !uses_integrator(method.type)) stepper->restore(state, {});  // is what the state remembers of here?
}

void Simulation::Impl::set_threads(int threads) {
  if (threads <= 0 || threads == method.threads) return;
  method.threads = threads;
  const bool keeps = uses_integrator(method.type) && stepper->can_checkpoint(state);
  const std::vector<double> memory = keeps ? stepper->checkpoint(state) : std::vector<double>{};
  make_stepper_anew(keeps ? &memory : nullptr);
}

StepReport Simulation::Impl::advance(double t_limit) {
  if (inputs_changed) stepper->take_changed_inputs(state);
  inputs_changed = false;
  const double t_before = state.t;
  StepReport report = stepper->step(state, t_limit);
  finish_step(t_before, report);
  return report;
}

/// Up to the end of the scene a run ends there at the latest.
double Simulation::Impl::calc_step_limit() const {
  return state.t < scene.time.duration ? scene.time.duration : infinity;
}

/// Where a fixed step ends; of an adaptive method none.
double Simulation::Impl::next_grid_time() const {
  return stepper->interpolates() ? infinity
                                 : calc_next_time(state.t, method.step, calc_step_limit(), method.step_origin);
}

void Simulation::Impl::finish_step(double t_before, const StepReport& report) {
  forget_views();
  if (report.status != StepStatus::ok) return;
  restored_contacts.reset();
  last_report = report;
  last_step = report.h > 0 ? report.h : state.t - t_before;
  if (watch) watch->add_step(state, state.t - t_before, report, stepper->contacts());
}

void Simulation::Impl::forget_views() {
  bodies_current = contacts_current = signals_current = false;
}

SimulationState Simulation::Impl::save() {
  SimulationState saved{.state = state,
                        .memory = {},
                        .inputs = {},
                        .step = method.step,
                        .step_origin = method.step_origin,
                        .last_step = last_step,
                        .contacts = contacts()};
  if (inputs_changed) stepper->take_changed_inputs(state);
  inputs_changed = false;
  if (!stepper->can_checkpoint(state)) make_stepper_anew(nullptr);
  saved.memory = stepper->checkpoint(state);
  for (const int slot : slots_set) {
    saved.inputs.push_back(slot);
    for (const double coefficient : ports().read(system, slot).coefficients) saved.inputs.push_back(coefficient);
  }
  return saved;
}

namespace {

/// Steps that are longer than the rounding of time; as compile() asks of a scene.
bool is_step(double t, double step) {
  constexpr double most_steps = 1e13;
  return step > 0 && std::isfinite(step) && t / step <= most_steps;
}

/// InputError where numbers are no state, whatever the scene.
void check_numbers(const System& system, const SimulationState& saved) {
  const State& given = saved.state;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::isfinite(given.t) || !given.q.allFinite() || !given.v.allFinite() || !given.z.allFinite() ||
      !std::all_of(saved.inputs.begin(), saved.inputs.end(), is_finite))
    throw InputError("the state has numbers that are not finite");
  const double span = std::max(given.t, std::abs(saved.step_origin));
  if (given.t < 0 || !std::isfinite(saved.step_origin) || (saved.step != 0 && !is_step(span, saved.step)))
    throw InputError("the state has no time at which it can go on");
  for (std::size_t i = 0; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    const int offset = quaternion_offset(joint.kind);
    if (offset >= 0 && !(calc_norm(read_quaternion(given.q.data() + joint.q_start + offset)) > 0))
      throw InputError(fmt::format("the quaternion of body \"{}\" is zero", system.bodies[i].name),
                       "no rotation is 1, 0, 0, 0");
  }
}

}  // namespace

/// InputError where a state is not one of this scene; nothing is changed.
void Simulation::Impl::check_saved(const SimulationState& saved) const {
  const State& given = saved.state;
  if (given.q.size() != system.nq || given.v.size() != system.nv || given.z.size() != system.nz ||
      given.modes.size() != compiled.initial.modes.size() || saved.inputs.size() % 4 != 0 ||
      !has_shapes(saved.contacts))
    throw InputError("the state is not one of this scene",
                     "restore it into a simulation of the scene it was saved from");
  check_numbers(system, saved);
  for (std::size_t i = 0; i < saved.inputs.size(); i += 4) {
    if (!(saved.inputs[i] >= 0 && saved.inputs[i] < static_cast<double>(ports().infos().size())))
      throw InputError("the state sets an input that this scene does not have");
  }
}

/// Are these contacts of shapes that the system has?
bool Simulation::Impl::has_shapes(const std::vector<ContactRecord>& records) const {
  const int count = static_cast<int>(compiled.contact.shapes.size());
  return std::all_of(records.begin(), records.end(), [&](const ContactRecord& record) {
    return std::min(record.shape_a, record.shape_b) >= 0 && std::max(record.shape_a, record.shape_b) < count;
  });
}

void Simulation::Impl::restore(const SimulationState& saved) {
  check_saved(saved);
  Course before{std::exchange(system, compiled), std::exchange(state, saved.state), method,
                std::exchange(slots_set, {}), std::move(stepper)};
  try {
    take_inputs(saved.inputs);
    if (saved.step > 0) method.step = saved.step, method.step_origin = saved.step_origin;
    make_stepper_anew(saved.memory.empty() ? nullptr : &saved.memory);
  } catch (const IoError&) {
    put_back(std::move(before));
    throw InputError("what the state remembers of the steps before does not fit this scene");
  } catch (...) {
    put_back(std::move(before));
    throw;
  }
  inputs_changed = false;
  last_step = saved.last_step;
  last_report = {};
  last_report.h = last_step;
  restored_contacts = saved.contacts;
  bodies.reset();
  watch.reset();
  forget_views();
}

/// Four numbers each, as in SimulationState.
void Simulation::Impl::take_inputs(const std::vector<double>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); i += 4) {
    slots_set.push_back(static_cast<int>(inputs[i]));
    ports().write(system, {slots_set.back(), {inputs[i + 1], inputs[i + 2], inputs[i + 3]}});
  }
}

void Simulation::Impl::put_back(Course before) {
  system = std::move(before.system);
  state = std::move(before.state);
  method = before.method;
  slots_set = std::move(before.slots_set);
  stepper = std::move(before.stepper);
}

Simulation Simulation::from_file(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return from_text(load_scene_text(file, overrides));
}

Simulation Simulation::from_text(const std::string& toml, const std::vector<std::string>& overrides) {
  return from_text(SceneText{.files = {{"scene.toml", toml}}, .overrides = overrides});
}

Simulation Simulation::from_text(const SceneText& text) {
  return Simulation(std::make_unique<Impl>(read_scene(text)));
}

Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::Simulation(const Scene& scene) : impl_(std::make_unique<Impl>(read_back(scene))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;

Simulation::Simulation(const Simulation& other) : impl_(std::make_unique<Impl>(*other.impl_)) {
  impl_->restore(other.impl_->save());
  // What it shows is the same, too: signals by their index, the audit of the last step.
  impl_->last_report = other.impl_->last_report;
  impl_->patterns = other.impl_->patterns;
  impl_->signal_infos = other.impl_->signal_infos;
}

Simulation& Simulation::operator=(const Simulation& other) {
  if (this != &other) *this = Simulation(other);
  return *this;
}

std::string Simulation::to_toml(bool all) const {
  return write_scene(impl_->scene, all);
}

const Scene& Simulation::scene() const {
  return impl_->scene;
}

const System& Simulation::system() const {
  return impl_->system;
}

const RunDescription& Simulation::description() const {
  return impl_->description;
}

double Simulation::time() const {
  return impl_->state.t;
}

StepReport Simulation::step() {
  return impl_->advance(impl_->calc_step_limit());
}

StepReport Simulation::step_to(double t, const std::function<bool()>& is_interrupted) {
  if (!std::isfinite(t)) throw InputError(fmt::format("step_to: {} is not a time", format_number(t)));
  StepReport report;
  std::vector<StepEvent> events;
  // Who adds up times comes to the grid to rounding only.
  const double same = impl_->stepper->interpolates() ? 0 : 1e-9 * impl_->method.step;
  while (impl_->state.t < t - same) {
    report = impl_->advance(impl_->next_grid_time() <= t + same ? impl_->calc_step_limit() : t);
    events.insert(events.end(), report.events.begin(), report.events.end());
    if (report.status != StepStatus::ok || (is_interrupted && is_interrupted())) break;
  }
  report.events = std::move(events);
  return report;
}

StepReport Simulation::advance(double t_limit) {
  if (!(t_limit > impl_->state.t))
    throw InputError(fmt::format("{} s is not after the time of the simulation, {} s", format_number(t_limit),
                                 format_number(impl_->state.t)));
  return impl_->advance(t_limit);
}

void Simulation::set_step(double step) {
  if (!(step > 0) || !std::isfinite(step))
    throw InputError(fmt::format("a step must be > 0 s, got {} s", format_number(step)));
  if (!is_step(std::max(impl_->scene.time.duration, impl_->state.t), step))
    throw InputError(fmt::format("a step of {} s is too short for the precision of the time", format_number(step)));
  SimulationState saved = impl_->save();
  saved.step = step;
  saved.step_origin = impl_->state.t;
  impl_->restore(saved);
}

double Simulation::step_length() const {
  return impl_->method.step;
}

void Simulation::reset() {
  impl_->system = impl_->compiled;
  impl_->state = impl_->compiled.initial;
  impl_->slots_set.clear();
  impl_->method = calc_method(impl_->scene);
  impl_->make_stepper_anew(nullptr);
  impl_->inputs_changed = false;
  impl_->last_step = 0;
  impl_->last_report = {};
  impl_->restored_contacts.reset();
  impl_->watch.reset();
  impl_->forget_views();
}

void Simulation::reset(const Scene& scene) {
  *this = Simulation(scene);
}

void Simulation::set(const std::string& path, const std::string& value) {
  SceneText text = find_text(impl_->scene);
  if (text.files.empty())
    throw InputError("the scene was made by a program and has no text", "change a copy of scene() and reset() to it");
  // In the place of what was set there before, so that a loop over values does not collect them.
  std::erase_if(text.overrides, [&](const std::string& before) { return before.starts_with(path + "="); });
  text.overrides.push_back(path + "=" + value);
  *this = from_text(text);
}

const State& Simulation::state() const {
  return impl_->state;
}

void Simulation::set_state(const State& state) {
  SimulationState saved = impl_->save();
  saved.state = state;
  saved.memory.clear();
  saved.contacts.clear();
  saved.last_step = 0;
  impl_->restore(saved);
}

SimulationState Simulation::save() {
  return impl_->save();
}

void Simulation::restore(const SimulationState& saved) {
  impl_->restore(saved);
}

}  // namespace stiction
