#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/results/signals.h"
#include "stiction/run/simulation.h"
#include "stiction/stepping/ode/smooth_problem.h"

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

/// The model behind both versions of the standard: a simulation whose inputs and outputs have numbers.
///
/// Co-simulation: step() goes on the grid of time.step, so that communication points on the grid give the same bits as
/// `stiction run`. Model exchange (formulations "smooth" and "compliant"): y = [q; v; z] as an ordinary differential
/// equation with guards (stepping/ode/smooth_problem.h); contacts that touch or part are state events, at which what
/// contacts remember may jump.
class Model {
 public:
  Model(const std::filesystem::path& resources, bool model_exchange);

  double time() const { return exchange_ ? exchange_->state.t : simulation_.time(); }
  double get(unsigned reference);
  /// False where the variable cannot be set.
  void set(unsigned reference, double value);

  /// To t; with `early`, only to the end of the first step in which something happened.
  bool step(double t, bool early);
  void reset();
  std::string save();
  void restore(const std::string& bytes);

  // Model exchange
  int state_count() const { return exchange_ ? exchange_->problem.size() : 0; }
  int indicator_count() const { return exchange_ ? exchange_->problem.guard_count() : 0; }
  void set_time(double t);
  void get_states(double* y) const;
  void set_states(const double* y);
  void get_derivatives(double* dy);
  void get_indicators(double* guards);
  /// Modes that contradict their guards switch; true if states changed.
  bool handle_events();
  /// The next time at which forces or motions are not smooth; infinity: none.
  double next_break() const;

 private:
  struct Exchange {
    Exchange(const Simulation& simulation, const Variables& variables);
    SmoothProblem problem;
    State state;
    VecX y, dy, guards;
    std::optional<SignalTable> signals;
    bool signals_current = false;
  };
  const std::string& output_name(unsigned reference) const;

  Variables variables_;
  Simulation simulation_;
  std::vector<int> inputs_, outputs_;  ///< indices in the simulation
  std::optional<Exchange> exchange_;
};

}  // namespace stiction::fmi
