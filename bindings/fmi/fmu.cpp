#include "bindings/fmi/fmu.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"

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

void check_token(const std::filesystem::path& resources, const char* token) {
  const std::vector<std::string> lines = read_lines(resources / "token.txt");
  if (lines.size() != 1 || !token || lines[0] != token)
    throw InputError("the model description is not that of this FMU: its token is another one");
}

Model::Model(const std::filesystem::path& resources, bool model_exchange)
    : simulation_(Simulation::from_text(read_resources(resources, variables_))) {
  for (const std::string& name : variables_.inputs) {
    inputs_.push_back(simulation_.find_input(name));
    // What acts from outside is there from now on, with the value that the scene gives it.
    simulation_.set_input(inputs_.back(), simulation_.input(inputs_.back()));
  }
  for (const std::string& name : variables_.outputs) outputs_.push_back(simulation_.find_signal(name));
  if (model_exchange) exchange_.emplace(simulation_, variables_.outputs);
}

double Model::get(unsigned reference) {
  const std::size_t n = variables_.inputs.size(), m = variables_.outputs.size();
  if (reference == 0) return time();
  if (reference <= n) return simulation_.input(inputs_[reference - 1], time());
  if (reference <= n + m) {
    const std::size_t index = reference - n - 1;
    return exchange_ ? exchange_->output(static_cast<int>(index)) : simulation_.signal(outputs_[index]);
  }
  if (exchange_) {
    const auto size = static_cast<unsigned>(exchange_->state_count());
    const auto indicators = static_cast<unsigned>(exchange_->indicator_count());
    if (reference - first_state < size) return exchange_->states()[reference - first_state];
    if (reference - first_derivative < size) return exchange_->calc_derivatives()[reference - first_derivative];
    if (reference - first_indicator < indicators) return exchange_->calc_indicators()[reference - first_indicator];
  }
  throw InputError("there is no variable with value reference " + std::to_string(reference));
}

void Model::set(unsigned reference, double value) {
  if (exchange_ && reference - first_state < static_cast<unsigned>(exchange_->state_count()))
    return exchange_->set_state(static_cast<int>(reference - first_state), value);
  if (reference == 0 || reference > variables_.inputs.size())
    throw InputError("the variable with value reference " + std::to_string(reference) + " is not an input");
  simulation_.set_input(inputs_[reference - 1], value, time());
  if (exchange_) exchange_->take_changed_inputs();
}

bool Model::step(double t, double h, bool early) {
  if (exchange_) throw InputError("the model was instantiated for model exchange: the tool integrates it");
  const double end = t + h;
  if (!std::isfinite(end) || !(h > 0)) throw InputError("a communication step must have a length > 0 s");
  // As step_to has it, or the rounding of a host that computes its times anew for every step.
  const double same = std::max(1e-9 * simulation_.step_length(), 4 * std::numeric_limits<double>::epsilon() * end);
  if (std::abs(t - time()) > same)
    throw InputError("a communication step from " + format_number(t) + " s, but the model is at " +
                     format_number(time()) + " s");
  // Early: step by step, on the grid that a step to the end has.
  const auto is_one_step = [early] { return early; };
  while (simulation_.time() < end - same) {
    const StepReport report = simulation_.step_to(end, is_one_step);
    if (report.status != StepStatus::ok) throw InputError(std::string(name_of(report.status)) + ": " + report.message);
    if (early && !report.events.empty() && simulation_.time() < end - same) return true;
  }
  return false;
}

void Model::reset() {
  simulation_.reset();
  for (const int input : inputs_) simulation_.set_input(input, simulation_.input(input));
  if (exchange_) exchange_.emplace(simulation_, variables_.outputs);
}

std::string Model::save() {
  SimulationState saved = simulation_.save();
  if (exchange_) exchange_->save(saved);
  return encode_state(saved);
}

void Model::restore(const std::string& bytes) {
  const SimulationState saved = decode_state(bytes);
  SimulationState of_simulation = saved;
  if (exchange_) of_simulation.memory.clear();  // it is the exchange's
  simulation_.restore(of_simulation);
  if (!exchange_) return;
  exchange_.emplace(simulation_, variables_.outputs);
  exchange_->restore(saved);
}

void Model::set_tolerance(double tolerance) {
  // Below 1e-9 the rounding of states and of time would ask for events without end.
  if (tolerance > 0) drift_limit_ = std::max(tolerance, 1e-9);
}

Exchange& Model::exchange() {
  if (!exchange_) throw InputError("the model was instantiated for co-simulation");
  return *exchange_;
}

}  // namespace stiction::fmi
