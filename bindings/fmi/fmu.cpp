#include "bindings/fmi/fmu.h"

#include <fstream>
#include <sstream>

#include "stiction/base/fault.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction::fmi {
namespace {

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::istringstream text(read_whole(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

SceneText read_resources(const std::filesystem::path& resources, Variables& variables) {
  SceneText text;
  int number = 0;
  for (const std::string& name : read_lines(resources / "files.txt"))
    text.files.push_back({name, read_whole(resources / ("scene_" + std::to_string(number++) + ".toml"))});
  text.overrides = read_lines(resources / "overrides.txt");
  for (const std::string& line : read_lines(resources / "variables.txt")) {
    if (line.starts_with("input ")) variables.inputs.push_back(line.substr(6));
    if (line.starts_with("output ")) variables.outputs.push_back(line.substr(7));
  }
  return text;
}

Model::Exchange::Exchange(const Simulation& simulation, const Variables& variables)
    : problem(simulation.system(), simulation.scene().method.projection_tolerance, true),
      state(simulation.system().initial),
      y(problem.size()),
      dy(problem.size()),
      guards(problem.guard_count()) {
  problem.set_modes(state.modes);
  problem.read(state, y);
  if (!variables.outputs.empty()) signals.emplace(simulation.system(), variables.outputs);
}

Model::Model(const std::filesystem::path& resources, bool model_exchange)
    : simulation_(read_scene(read_resources(resources, variables_))) {
  for (const std::string& name : variables_.inputs) {
    inputs_.push_back(simulation_.find_input(name));
    // What acts from outside is there from now on, with the value that the scene gives it.
    simulation_.set_input(inputs_.back(), simulation_.input(inputs_.back()));
  }
  for (const std::string& name : variables_.outputs) outputs_.push_back(simulation_.find_signal(name));
  if (model_exchange) exchange_.emplace(simulation_, variables_);
}

double Model::get(unsigned reference) {
  const std::size_t n = variables_.inputs.size(), m = variables_.outputs.size();
  if (reference == 0) return time();
  if (reference <= n) return simulation_.input(inputs_[reference - 1]);
  if (reference <= n + m) {
    const std::size_t index = reference - n - 1;
    if (!exchange_) return simulation_.signal(outputs_[index]);
    if (!exchange_->signals_current) {
      exchange_->problem.write(exchange_->y, exchange_->state);
      exchange_->state.modes = exchange_->problem.modes();
      exchange_->signals->evaluate(exchange_->state, {});
      exchange_->signals_current = true;
    }
    const std::vector<SignalInfo>& infos = exchange_->signals->infos();
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].name == variables_.outputs[index]) return exchange_->signals->values()[static_cast<Eigen::Index>(i)];
    }
  }
  const auto size = static_cast<unsigned>(state_count());
  if (exchange_ && reference >= first_state && reference < first_state + size)
    return exchange_->y[reference - first_state];
  if (exchange_ && reference >= first_derivative && reference < first_derivative + size) {
    exchange_->problem.calc_derivative(exchange_->state.t, exchange_->y, exchange_->dy);
    return exchange_->dy[reference - first_derivative];
  }
  const auto indicators = static_cast<unsigned>(indicator_count());
  if (exchange_ && reference >= first_indicator && reference < first_indicator + indicators) {
    exchange_->problem.calc_guards(exchange_->state.t, exchange_->y, exchange_->guards);
    return exchange_->guards[reference - first_indicator];
  }
  throw InputError("there is no variable with value reference " + std::to_string(reference));
}

void Model::set(unsigned reference, double value) {
  if (exchange_ && reference >= first_state && reference < first_state + static_cast<unsigned>(state_count())) {
    exchange_->y[reference - first_state] = value;
    exchange_->signals_current = false;
    return;
  }
  if (reference == 0 || reference > variables_.inputs.size())
    throw InputError("the variable with value reference " + std::to_string(reference) + " is not an input");
  simulation_.set_input(inputs_[reference - 1], value);
  if (!exchange_) return;
  exchange_->problem.forget_evaluation();
  exchange_->signals_current = false;
}

bool Model::step(double t, bool early) {
  const double same = 1e-9 * simulation_.step_length();
  while (simulation_.time() < t - same) {
    const double next = early ? std::min(t, simulation_.time() + simulation_.step_length()) : t;
    const StepReport report = simulation_.step_to(next);
    if (report.status != StepStatus::ok) throw InputError(std::string(name_of(report.status)) + ": " + report.message);
    if (early && !report.events.empty() && simulation_.time() < t - same) return true;
  }
  return false;
}

void Model::reset() {
  simulation_.reset();
  for (const int input : inputs_) simulation_.set_input(input, simulation_.input(input));
  if (exchange_) exchange_.emplace(simulation_, variables_);
}

std::string Model::save() {
  if (!exchange_) return encode_state(simulation_.save());
  SimulationState saved = simulation_.save();
  exchange_->problem.write(exchange_->y, exchange_->state);
  saved.state = exchange_->state;
  saved.state.modes = exchange_->problem.modes();
  saved.memory.clear();
  return encode_state(saved);
}

void Model::restore(const std::string& bytes) {
  const SimulationState saved = decode_state(bytes);
  simulation_.restore(saved);
  if (!exchange_) return;
  exchange_.emplace(simulation_, variables_);
  exchange_->state = saved.state;
  exchange_->problem.set_modes(saved.state.modes);
  exchange_->problem.read(saved.state, exchange_->y);
}

void Model::set_time(double t) {
  exchange_->state.t = t;
  exchange_->signals_current = false;
}

void Model::get_states(double* y) const {
  std::copy(exchange_->y.begin(), exchange_->y.end(), y);
}

void Model::set_states(const double* y) {
  std::copy_n(y, exchange_->y.size(), exchange_->y.begin());
  exchange_->signals_current = false;
}

void Model::get_derivatives(double* dy) {
  exchange_->problem.calc_derivative(exchange_->state.t, exchange_->y, exchange_->dy);
  std::copy(exchange_->dy.begin(), exchange_->dy.end(), dy);
}

void Model::get_indicators(double* guards) {
  exchange_->problem.calc_guards(exchange_->state.t, exchange_->y, exchange_->guards);
  std::copy(exchange_->guards.begin(), exchange_->guards.end(), guards);
}

bool Model::handle_events() {
  Exchange& model = *exchange_;
  bool changed = false;
  model.problem.calc_guards(model.state.t, model.y, model.guards);
  for (int i = 0; i < model.guards.size(); ++i) {
    const bool wanted = model.guards[i] > 0;
    if (wanted == model.problem.mode(i)) continue;
    model.problem.switch_mode(i, wanted, model.state.t, model.y);
    changed = true;
  }
  model.signals_current = false;
  return changed;
}

double Model::next_break() const {
  return exchange_->problem.next_break(exchange_->state.t);
}

}  // namespace stiction::fmi
