#pragma once

#include <optional>

#include "stiction/multibody/kinematics.h"
#include "stiction/results/audit.h"
#include "stiction/results/limit_watch.h"
#include "stiction/results/recorder.h"
#include "stiction/results/signals.h"
#include "stiction/run/input_ports.h"
#include "stiction/run/simulation.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// The signals of every step of a simulation, from when they are first asked for.
class SignalWatch {
 public:
  SignalWatch(const System& system, std::vector<std::string> patterns, double step);
  const std::vector<SignalInfo>& infos() const { return table_.infos(); }
  /// The total energy at the start, from which the residual counts.
  void set_start(const State& initial);
  void add_step(const State& state, double dt, const StepReport& report, const std::vector<ContactRecord>& contacts);
  const VecX& evaluate(const State& state);
  const VecX& values() const { return table_.values(); }

 private:
  const System& system_;
  SignalTable table_;
  LimitWatch limits_;
  Audit audit_;
};

/// Stopped by a wish, not by the motion.
bool is_resumable(RunStatus status);

struct Simulation::Impl {
  explicit Impl(Scene scene);
  /// The same scene, at its start; it is not compiled again.
  explicit Impl(const Impl& other);

  void make_stepper_anew(const std::vector<double>* memory);
  /// On which islands are advanced; no result depends on it. 0: as the scene says.
  void set_threads(int threads);
  StepReport advance(double t_limit);
  double calc_step_limit() const;
  double next_grid_time() const;
  void finish_step(double t_before, const StepReport& report);
  void forget_views();
  SimulationState save();
  /// Where it throws nothing has changed.
  void restore(const SimulationState& saved);
  void take_inputs(const std::vector<double>& inputs);
  /// What steps go by. The stepper refers to `system`, whose lists stay where they are while they are moved.
  struct Course {
    System system;
    State state;
    MethodSettings method;
    std::vector<int> slots_set;
    std::unique_ptr<Stepper> stepper;
  };
  void put_back(Course before);
  void check_saved(const SimulationState& saved) const;
  bool has_shapes(const std::vector<ContactRecord>& records) const;
  InputPorts& ports() const;
  void set_input(int port, double value, double t);
  const Kinematics& kinematics();
  SignalWatch& signal_watch();
  void number_signals();
  const std::vector<ContactRecord>& contacts() const {
    return restored_contacts ? *restored_contacts : stepper->contacts();
  }
  /// The first sample and a checkpoint: from here on the run can be resumed from its state.
  void begin(Recorder& recorder);
  /// From where it stands to the end of the scene, or to where it stops.
  RunSummary record(Recorder& recorder, const RunOptions& options, const RunSummary& before);
  RecorderSettings recorder_settings() const;

  Scene scene;  ///< complete
  System compiled;
  RunDescription description;
  MethodSettings method = calc_method(scene);
  System system = compiled;  ///< with the inputs in it
  State state = compiled.initial;
  std::unique_ptr<Stepper> stepper = make_stepper(system, method);
  double last_step = 0;  ///< length of the last step [s]
  StepReport last_report;

  mutable std::unique_ptr<InputPorts> input_ports;  ///< made when first asked for
  std::vector<int> slots_set;                       ///< inputs that were set, in that order
  bool inputs_changed = false;                      ///< since the last step

  // What was computed of the state when it was asked for:
  std::optional<Kinematics> bodies;
  bool bodies_current = false;
  std::optional<std::vector<ContactRecord>> restored_contacts;
  std::vector<SimulationContact> contact_list;
  bool contacts_current = false;
  std::unique_ptr<SignalWatch> watch;
  std::vector<std::string> patterns = {"*"};
  bool signals_current = false;
  std::vector<SignalInfo> signal_infos;  ///< in the order in which they came up: what is on request only comes last
  std::vector<int> signal_rows;          ///< of these in `watch`
};

}  // namespace stiction
