#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/run/simulation.h"

#include "bindings/fmi/exchange.h"

namespace stiction::fmi {

/// Which variables a model shows, in the order of their value references.
struct Variables {
  std::vector<std::string> inputs, outputs;
};

// Value references: 0 is time; then inputs, then outputs; of model exchange the states, their derivatives and the event
// indicators.
inline constexpr unsigned first_state = 1000000, first_derivative = 2000000, first_indicator = 3000000;

/// What an FMU carries in its folder resources/: files.txt names the files of the scene, overrides.txt what was set,
/// and variables.txt has lines "input NAME" and "output NAME".
SceneText read_resources(const std::filesystem::path& resources, Variables& variables);
/// InputError unless `token` is that of token.txt: the tool has read the description of another FMU.
void check_token(const std::filesystem::path& resources, const char* token);

/// The model behind both versions of the standard: a simulation whose inputs and outputs have numbers.
///
/// Co-simulation: step() goes on the grid of time.step, so that communication points on the grid give the same bits as
/// `stiction run`. Model exchange: exchange.h. Inputs act from the time at which they are set, that of the tool.
class Model {
 public:
  Model(const std::filesystem::path& resources, bool model_exchange);

  double time() const { return exchange_ ? exchange_->time() : simulation_.time(); }
  double get(unsigned reference);
  /// InputError where the variable cannot be set.
  void set(unsigned reference, double value);

  /// From t, where the model is, to t + h; with `early`, only to the end of the first step in which something happened:
  /// true. InputError where the model is at another time.
  bool step(double t, double h, bool early);
  void reset();
  std::string save();
  void restore(const std::string& bytes);

  /// Of model exchange; InputError where it is co-simulation.
  Exchange& exchange();
  /// The relative tolerance that the tool integrates with, if it says so. Nominal values of states are 1: to this
  /// tolerance constraints are kept, too (drift_limit).
  void set_tolerance(double tolerance);
  bool has_drifted() { return exchange().has_drifted(drift_limit_); }

 private:
  Variables variables_;
  Simulation simulation_;
  std::vector<int> inputs_, outputs_;  ///< indices in the simulation
  std::optional<Exchange> exchange_;
  /// How far constraints may drift between events [m, rad, and these per second]: the tool's tolerance, 1e-6 where it
  /// does not tell. With half of it 1.4 times as many events are needed, since |phi| grows with t^2.
  double drift_limit_ = 1e-6;
};

}  // namespace stiction::fmi
