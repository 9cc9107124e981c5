#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/transform.h"
#include "stiction/run/simulate.h"

namespace stiction {

struct System;

/// A contact of the last step, world axes.
struct SimulationContact {
  std::string_view shape_a, shape_b;  ///< BODY, or BODY.PART; valid as long as the simulation
  std::string_view body_a, body_b;
  int point = 0;                 ///< which of the pair's points
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< from A to B
  double gap = 0;                ///< [m]
  Vec3 force = Vec3::Zero();     ///< on B, mean of the step; compliant contact: at its end [N]
  Vec3 moment = Vec3::Zero();    ///< on B, about the contact point [N m]
  Vec3 slip = Vec3::Zero();      ///< velocity of B's surface against A's in the tangent plane [m/s]
  ContactMode mode = ContactMode::open;
};

/// Of a body's origin, world axes.
struct BodyVelocity {
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
  Vec3 linear = Vec3::Zero();   ///< [m/s]
};

/// Everything that determines the future of a simulation, but for its scene: the state (with warm starts and who
/// sleeps), the history of an adaptive integrator, inputs that were set, the step. Plain data.
struct SimulationState {
  State state;
  std::vector<double> memory;  ///< of an integrator; empty: none
  std::vector<double> inputs;  ///< four numbers each that was set: its index, and c0 + c1 t + c2 t^2
  double step = 0, step_origin = 0;
  double last_step = 0;                 ///< length of the last step [s]
  std::vector<ContactRecord> contacts;  ///< of that step
};
/// As bytes, bit for bit; and back. InputError if they are not.
std::string encode_state(const SimulationState& state);
SimulationState decode_state(std::string_view bytes);

/// A scene that is stepped by a program.
///
///     stiction::Simulation simulation = stiction::Simulation::from_file("falling_rod.toml");
///     while (simulation.time() < 1) {
///       simulation.set_force("rod", {0, 1, 0});
///       if (simulation.step().status != stiction::StepStatus::ok) break;
///     }
///     simulation.pose("rod").p;
///
/// A faulty scene is an InputError with all its faults, and so is an unknown name; a step that fails says so in its
/// report and leaves the last good state. A fault of this library is an InternalError (base/check.h). A simulation is
/// used by one thread at a time; different ones are independent. Steps and run() give the same bits as `stiction run`.
class Simulation {
 public:
  /// `overrides`: "key.path=value", as `--set` of the command line.
  static Simulation from_file(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
  static Simulation from_text(const std::string& toml, const std::vector<std::string>& overrides = {});
  static Simulation from_text(const SceneText& text);
  /// Made by a program: its values are judged as those of a text are, and its shapes completed (polytopes are given by
  /// their vertices, cells by their constraints).
  explicit Simulation(const Scene& scene);
  ~Simulation();
  /// Continues as the original does, bit for bit (but see save()).
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation& other);
  Simulation(Simulation&& other) noexcept;
  Simulation& operator=(Simulation&& other) noexcept;

  const Scene& scene() const;  ///< completed
  /// The scene as one file of TOML, whoever made it: SI numbers at full precision, defaults left out (`all`: written,
  /// too). from_text() of it is the same simulation, bit for bit. InputError for a parametric shape.
  std::string to_toml(bool all = false) const;
  const System& system() const;
  /// What is known before the first step: title, method, warnings.
  const RunDescription& description() const;

  // Time

  double time() const;  ///< [s]
  /// One step of the method, on the grid k time.step; up to the end of the scene it ends there at the latest, beyond it
  /// just goes on.
  StepReport step();
  /// Steps to t. The last one is shortened where t is not on the grid; the next one ends on the grid again. A t within
  /// 1e-9 steps of the grid is the grid's, so that times may be added up. The report is that of the last step, with the
  /// events of all. Nothing happens where t is not after time(). `is_interrupted`: asked after every step; true: it
  /// ends there.
  StepReport step_to(double t, const std::function<bool()>& is_interrupted = {});
  /// One step at most, never beyond t_limit.
  StepReport advance(double t_limit);
  /// Fixed steps are so long from now on, on a grid that begins now [s].
  void set_step(double step);
  double step_length() const;
  /// From here to the end of the scene, recorded: from the start it is simulate() of the scene.
  RunResult run(const RunOptions& options = {});
  /// Back to the start, inputs as the scene has them.
  void reset();
  /// Another scene, from its start: a copy of scene() with parameters changed, which is not read again.
  void reset(const Scene& scene);
  /// The scene with a field changed, from its start: set("body.ball.mass", "2 kg").
  void set(const std::string& path, const std::string& value);

  // State

  const State& state() const;
  /// Coordinates, velocities, memory of contacts as given; the stepper begins anew. InputError if sizes are not those
  /// of state() or a number is not finite; the state is then what it was.
  void set_state(const State& state);
  /// All that determines the future. With method.integrator = "cvode_*", whose history cannot be saved, the integrator
  /// begins anew here, in this simulation and in one that is restored: both go on alike.
  SimulationState save();
  /// InputError where it is not one of this scene; nothing has changed then.
  void restore(const SimulationState& saved);

  // Bodies, contacts, signals

  std::vector<std::string> bodies() const;  ///< in the order of their index, without the world
  /// InputError naming the nearest if there is none.
  int find_body(const std::string& name) const;
  Transform pose(int body);  ///< X_WB
  Transform pose(const std::string& body) { return pose(find_body(body)); }
  BodyVelocity velocity(int body);
  BodyVelocity velocity(const std::string& body) { return velocity(find_body(body)); }
  /// Of the last step, ascending by shapes; valid until the next one.
  std::span<const SimulationContact> contacts();
  /// All that can be asked for by name (docs/scene-format.md, [record]). Gaps are there on request only: they are added
  /// at the end when they are first asked for, so that the index of a signal does not change.
  const std::vector<SignalInfo>& signals();
  /// By name, also a gap: the index in signals(); or InputError naming the nearest.
  int find_signal(const std::string& name);
  double signal(int index);
  double signal(const std::string& name) { return signal(find_signal(name)); }

  // Inputs: what acts from outside until it is set anew (run/input_ports.h)

  const std::vector<SignalInfo>& inputs() const;
  int find_input(const std::string& name) const;
  double input(int index) const { return input(index, time()); }
  void set_input(int index, double value) { set_input(index, value, time()); }
  /// As it acts at t, and set from t on: for a host that integrates the system itself.
  double input(int index, double t) const;
  void set_input(int index, double value, double t);
  void set_input(const std::string& name, double value) { set_input(find_input(name), value); }
  /// At the body's origin, world axes [N, N m].
  void set_force(const std::string& body, const Vec3& force, const Vec3& torque = Vec3::Zero());

 private:
  struct Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
  friend RunSummary resume(const std::filesystem::path& folder, const RunOptions& options);
};

}  // namespace stiction
