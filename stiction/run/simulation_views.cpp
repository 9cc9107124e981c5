#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/results/select_signals.h"
#include "stiction/run/simulation_impl.h"

// What a simulation shows of its state, and what is set from outside.

namespace stiction {
namespace {

[[noreturn]] void refuse_name(const char* what, const std::string& name, const std::vector<std::string>& names) {
  const std::string nearest = find_nearest_word(name, names);
  throw InputError(fmt::format("there is no {} \"{}\"", what, name),
                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

void check_body(const System& system, int body) {
  if (body >= 0 && body < system.n_bodies()) return;
  throw InputError(fmt::format("there is no body number {}", body),
                   fmt::format("bodies are 1 to {}; 0 is the world", system.n_bodies() - 1));
}

/// The drivers of a scene, by the joint coordinate that they move.
std::vector<InputPorts::DriverName> list_drivers(const Scene& scene) {
  std::vector<InputPorts::DriverName> drivers;
  for (const auto& [name, driver] : scene.drivers) drivers.push_back({name, driver.joint});
  return drivers;
}

}  // namespace

SignalWatch::SignalWatch(const System& system, std::vector<std::string> patterns, double step)
    : system_(system), table_(system, patterns, step), limits_(system, 1) {}

void SignalWatch::set_start(const State& initial) {
  table_.evaluate(initial, {});
  table_.set_start_energy(table_.energy().total);
}

void SignalWatch::add_step(const State& state, double dt, const StepReport& report,
                           const std::vector<ContactRecord>& contacts) {
  audit_.close_sample();
  table_.close_sample();
  audit_.add(report, calc_quaternion_error(system_, state.q), limits_.measure(state).excess);
  table_.add_step(dt, contacts);
}

const VecX& SignalWatch::evaluate(const State& state) {
  return table_.evaluate(state, audit_.since_sample());
}

const Kinematics& Simulation::Impl::kinematics() {
  if (!bodies) bodies.emplace(system);
  if (!bodies_current) {
    update_positions(system, state.q, *bodies);
    update_velocities(system, state.v, *bodies);
    bodies_current = true;
  }
  return *bodies;
}

/// Made when first asked for: the last step is all that it needs to know of those before.
SignalWatch& Simulation::Impl::signal_watch() {
  if (!watch) {
    watch = std::make_unique<SignalWatch>(system, patterns, method.step);
    watch->set_start(compiled.initial);
    watch->add_step(state, last_step, last_report, contacts());
    number_signals();
    signals_current = false;
  }
  return *watch;
}

/// Numbers that were given away stay: a signal on request comes after those that are known, wherever its row is.
void Simulation::Impl::number_signals() {
  std::unordered_map<std::string, int> rows;
  const std::vector<SignalInfo>& infos = watch->infos();
  for (std::size_t row = 0; row < infos.size(); ++row) rows[infos[row].name] = static_cast<int>(row);
  signal_rows.clear();
  for (const SignalInfo& known : signal_infos) {
    signal_rows.push_back(rows.at(known.name));
    rows.erase(known.name);
  }
  for (std::size_t row = 0; row < infos.size(); ++row) {
    if (!rows.contains(infos[row].name)) continue;
    signal_infos.push_back(infos[row]);
    signal_rows.push_back(static_cast<int>(row));
  }
}

InputPorts& Simulation::Impl::ports() const {
  if (!input_ports) input_ports = std::make_unique<InputPorts>(compiled, list_drivers(scene));
  return *input_ports;
}

void Simulation::Impl::set_input(int port, double value, double t) {
  if (port < 0 || at(port) >= ports().infos().size())
    throw InputError(fmt::format("there is no input number {}", port));
  // A new force element: whatever was made for the system is made anew.
  if (ports().set(system, port, value, t)) {
    restored_contacts = contacts();
    make_stepper_anew(nullptr);
    bodies.reset();
    watch.reset();
    forget_views();
  }
  const int slot = ports().slot_of(port);
  if (std::find(slots_set.begin(), slots_set.end(), slot) == slots_set.end()) slots_set.push_back(slot);
  inputs_changed = true;
  signals_current = false;
}

std::vector<std::string> Simulation::bodies() const {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < impl_->system.bodies.size(); ++i) names.push_back(impl_->system.bodies[i].name);
  return names;
}

int Simulation::find_body(const std::string& name) const {
  const int body = stiction::find_body(impl_->system, name);
  if (body < 0) refuse_name("body", name, bodies());
  return body;
}

Transform Simulation::pose(int body) {
  check_body(impl_->system, body);
  return impl_->kinematics().X_WB[at(body)];
}

BodyVelocity Simulation::velocity(int body) {
  check_body(impl_->system, body);
  const Vec6& V = impl_->kinematics().V_WB[at(body)];
  return {stiction::angular(V), stiction::linear(V)};
}

std::span<const SimulationContact> Simulation::contacts() {
  if (impl_->contacts_current) return impl_->contact_list;
  impl_->contacts_current = true;
  impl_->contact_list.clear();
  const bool is_compliant = !impl_->system.contact.slots.empty();
  const double h = is_compliant ? impl_->method.step : impl_->last_step;
  for (const ContactRecord& record : impl_->contacts()) {
    const ContactShape& a = impl_->compiled.contact.shapes[at(record.shape_a)];
    const ContactShape& b = impl_->compiled.contact.shapes[at(record.shape_b)];
    impl_->contact_list.push_back({.shape_a = a.name,
                                   .shape_b = b.name,
                                   .body_a = a.body_name,
                                   .body_b = b.body_name,
                                   .point = record.point,
                                   .position = record.position,
                                   .normal = record.normal,
                                   .gap = record.gap,
                                   .force = record.impulse / h,
                                   .moment = record.moment_impulse / h,
                                   .slip = record.slip,
                                   .mode = record.mode});
  }
  return impl_->contact_list;
}

const std::vector<SignalInfo>& Simulation::signals() {
  impl_->signal_watch();
  return impl_->signal_infos;
}

double Simulation::signal(int index) {
  SignalWatch& watch = impl_->signal_watch();
  if (index < 0 || at(index) >= impl_->signal_rows.size())
    throw InputError(fmt::format("there is no signal number {}", index));
  if (!impl_->signals_current) watch.evaluate(impl_->state);
  impl_->signals_current = true;
  return watch.values()[impl_->signal_rows[at(index)]];
}

int Simulation::find_signal(const std::string& name) {
  const auto find = [&] {
    const std::optional<std::size_t> found = stiction::find_signal(signals(), name);
    return found ? static_cast<int>(*found) : -1;
  };
  int index = find();
  if (index < 0) {
    // A gap, or a group of contacts that is there on request.
    std::vector<std::string> patterns = impl_->patterns;
    patterns.push_back(name);
    impl_->patterns.swap(patterns);
    impl_->watch.reset();
    try {
      index = find();
    } catch (const InputError&) {
      index = -1;
    }
    if (index < 0) {
      impl_->patterns.swap(patterns);
      throw make_unknown_signal_error(name, signals());
    }
  }
  return index;
}

const std::vector<SignalInfo>& Simulation::inputs() const {
  return impl_->ports().infos();
}

int Simulation::find_input(const std::string& name) const {
  return impl_->ports().find(name);
}

double Simulation::input(int index, double t) const {
  if (index < 0 || at(index) >= inputs().size()) throw InputError(fmt::format("there is no input number {}", index));
  return impl_->ports().value(impl_->system, index, t);
}

void Simulation::set_input(int index, double value, double t) {
  impl_->set_input(index, value, t);
}

void Simulation::set_force(const std::string& body, const Vec3& force, const Vec3& torque) {
  const int first = impl_->ports().find(body + ".force.x");
  for (int k = 0; k < 3; ++k) set_input(first + k, force[k]);
  for (int k = 0; k < 3; ++k) set_input(first + 3 + k, torque[k]);
}

}  // namespace stiction
