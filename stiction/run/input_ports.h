#pragma once

#include <array>
#include <string>
#include <vector>

#include "stiction/multibody/system.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// What can be set from outside between two steps, by name:
///
///   motor.NAME.effort [N m, N]   motor.NAME.position [rad, m]   motor.NAME.velocity: what the motor of the scene has
///   driver.NAME.position, .velocity, .acceleration [rad, m, ...]: of a driver's motion
///   BODY.force.{x,y,z} [N]  BODY.torque.{x,y,z} [N m]: on a body that moves, at its origin, world axes; in addition to
///     the forces of the scene
///
/// A value holds from when it is set until it is set anew. That of a driver set at t0 is the motion
///     q(t) = position + velocity (t - t0) + acceleration (t - t0)^2 / 2                                          (1)
/// whose three numbers may be set in any order between two steps; those that are not set then are as (1) has them at
/// t0. A position that jumps moves the body without a velocity: give both.
class InputPorts {
 public:
  /// A driver, by the joint coordinate ("elbow", "slide.angle") that it moves.
  struct DriverName {
    std::string name, coordinate;
  };
  InputPorts(const System& system, const std::vector<DriverName>& drivers);

  const std::vector<SignalInfo>& infos() const { return infos_; }
  /// InputError naming the nearest if there is none.
  int find(const std::string& name) const;
  /// As it acts at t.
  double value(const System& system, int port, double t) const;

  /// From t on. True if a force element was added to the system: its stepper must be made anew.
  bool set(System& system, int port, double value, double t) const;

  /// A function of time that was set, c0 + c1 t + c2 t^2: these are all that a copy needs.
  struct Setting {
    int port = 0;  ///< of a driver that of its position
    std::array<double, 3> coefficients = {};
  };
  /// The port that stands for what this one sets.
  int slot_of(int port) const { return port - ports_[static_cast<std::size_t>(port)].order; }
  Setting read(const System& system, int slot) const;
  /// As `set`.
  bool write(System& system, const Setting& setting) const;

 private:
  enum class Kind { effort, position, velocity, driver, row, body };
  struct Port {
    Kind kind = Kind::effort;
    int index = 0;      ///< of the force, the joint, the constraint, the body
    int component = 0;  ///< of a joint's coordinates; of [force; torque]
    int order = 0;      ///< of the derivative that is set: drivers
  };
  void add(std::string name, std::string unit, Port port);
  void add_motor(const System& system, int force);
  void add_driver(const System& system, const DriverName& driver);
  static const TimeFunction* find_function(const System& system, const Port& port);
  static TimeFunction& find_function(System& system, const Port& port);
  static bool prepare(System& system, const Port& port);

  std::vector<SignalInfo> infos_;
  std::vector<Port> ports_;
};

}  // namespace stiction
