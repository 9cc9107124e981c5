#include "stiction/run/input_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

constexpr const char* external_prefix = "external.";
constexpr const char* axis_names[] = {"x", "y", "z"};
constexpr const char* order_names[] = {"position", "velocity", "acceleration"};

bool can_be_moved(const System& system, int body) {
  for (int b = body; b != 0; b = system.joints[at(b)].parent) {
    if (system.joints[at(b)].nv > 0 && !system.joints[at(b)].prescribed()) return true;
  }
  return false;
}

std::string unit_of(const std::string& unit, int order) {
  return order == 0 ? unit : unit + (order == 1 ? "/s" : "/s^2");
}

/// The force element through which forces from outside act on a body; -1: there is none so far.
int find_external(const System& system, int body) {
  for (std::size_t i = system.forces.size(); i-- > 0;) {
    if (!system.forces[i].name.starts_with(external_prefix)) return -1;
    if (std::get<AppliedForce>(system.forces[i].kind).at.body == body) return static_cast<int>(i);
  }
  return -1;
}

/// Without allocating where it was a constant before.
void set_constant(TimeFunction& function, double value) {
  auto* polynomial = std::get_if<Polynomial>(&function);
  if (polynomial && polynomial->coefficients.size() == 1) {
    polynomial->coefficients[0] = value;
  } else {
    function = make_constant(value);
  }
}

/// (1), as a polynomial of t.
Polynomial make_motion(const Sample& sample, double t) {
  const double v = sample.rate, a = sample.acceleration;
  return {{sample.value - v * t + 0.5 * a * t * t, v - a * t, 0.5 * a}};
}

}  // namespace

InputPorts::InputPorts(const System& system, const std::vector<DriverName>& drivers) {
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    if (std::holds_alternative<Motor>(system.forces[i].kind)) add_motor(system, static_cast<int>(i));
  }
  for (const DriverName& driver : drivers) add_driver(system, driver);
  for (int body = 1; body < system.n_bodies(); ++body) {
    if (!can_be_moved(system, body)) continue;
    for (int k = 0; k < 6; ++k) {
      add(fmt::format("{}.{}.{}", system.bodies[at(body)].name, k < 3 ? "force" : "torque", axis_names[k % 3]),
          k < 3 ? "N" : "N m", {.kind = Kind::body, .index = body, .component = k});
    }
  }
}

void InputPorts::add(std::string name, std::string unit, Port port) {
  infos_.push_back({std::move(name), std::move(unit), "input"});
  ports_.push_back(port);
}

void InputPorts::add_motor(const System& system, int force) {
  const std::string name = "motor." + system.forces[at(force)].name;
  const Motor& motor = std::get<Motor>(system.forces[at(force)].kind);
  const NamedJoint& joint = system.named_joints[at(motor.coordinate.joint)];
  const std::string unit = coordinate_name(joint.kind, motor.coordinate.component).unit;
  add(name + ".effort", unit == "m" ? "N" : "N m", {.kind = Kind::effort, .index = force});
  if (motor.proportional != 0) add(name + ".position", unit, {.kind = Kind::position, .index = force});
  if (motor.derivative != 0) add(name + ".velocity", unit_of(unit, 1), {.kind = Kind::velocity, .index = force});
}

/// A prescribed joint of the tree, or a row with the driver's name.
void InputPorts::add_driver(const System& system, const DriverName& driver) {
  const std::string joint_name = driver.coordinate.substr(0, driver.coordinate.find('.'));
  Port port;
  std::string unit;
  for (const NamedJoint& joint : system.named_joints) {
    if (joint.name != joint_name) continue;
    for (int k = 0; k < calc_nq(joint.kind); ++k) {
      const CoordinateName coordinate = coordinate_name(joint.kind, k);
      if (calc_nq(joint.kind) > 1 && driver.coordinate != joint_name + "." + coordinate.name) continue;
      port = {.kind = Kind::driver, .index = joint.child, .component = k};
      unit = coordinate.unit;
    }
  }
  for (std::size_t i = 0; i < system.constraints.size(); ++i) {
    if (system.constraints[i].name == driver.name) port.kind = Kind::row, port.index = static_cast<int>(i);
  }
  const bool is_prescribed = port.kind == Kind::row || system.joints[at(port.index)].prescribed();
  STICTION_CHECK(is_prescribed);
  for (port.order = 0; port.order < 3; ++port.order)
    add(fmt::format("driver.{}.{}", driver.name, order_names[port.order]), unit_of(unit, port.order), port);
}

int InputPorts::find(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].name == name) return static_cast<int>(i);
    names.push_back(infos_[i].name);
  }
  const std::string nearest = find_nearest_word(name, names);
  throw InputError(fmt::format("there is no input \"{}\"", name),
                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

/// The function of time that a port sets; none for a body on which nothing from outside acts so far.
const TimeFunction* InputPorts::find_function(const System& system, const Port& port) {
  if (port.kind == Kind::driver) {
    const auto& motion = std::get<CoordinateMotion>(*system.joints[at(port.index)].motion);
    return &motion.coordinates[at(port.component)];
  }
  if (port.kind == Kind::row) return &std::get<RowCoupler>(system.constraints[at(port.index)].rows[0]).offset;
  if (port.kind == Kind::body) {
    const int force = find_external(system, port.index);
    if (force < 0) return nullptr;
    const AppliedForce& applied = std::get<AppliedForce>(system.forces[at(force)].kind);
    return port.component < 3 ? &applied.force[at(port.component)] : &applied.torque[at(port.component - 3)];
  }
  const Motor& motor = std::get<Motor>(system.forces[at(port.index)].kind);
  if (port.kind == Kind::effort) return &motor.effort;
  return port.kind == Kind::position ? &motor.target : motor.target_rate ? &*motor.target_rate : nullptr;
}

TimeFunction& InputPorts::find_function(System& system, const Port& port) {
  return const_cast<TimeFunction&>(*find_function(const_cast<const System&>(system), port));
}

double InputPorts::value(const System& system, int port, double t) const {
  const TimeFunction* function = find_function(system, ports_[at(port)]);
  if (!function) return 0;
  const Sample sample = calc_sample(*function, t);
  const int order = ports_[at(port)].order;
  return order == 0 ? sample.value : order == 1 ? sample.rate : sample.acceleration;
}

/// What is not there until it is set. True if it is a force element.
bool InputPorts::prepare(System& system, const Port& port) {
  if (port.kind == Kind::velocity) {
    Motor& motor = std::get<Motor>(system.forces[at(port.index)].kind);
    if (!motor.target_rate) motor.target_rate = make_constant(0);
  }
  if (port.kind != Kind::body || find_external(system, port.index) >= 0) return false;
  const std::vector<TimeFunction> none(3, make_constant(0));
  system.forces.push_back({external_prefix + system.bodies[at(port.index)].name,
                           AppliedForce{.at = {port.index, Vec3::Zero()}, .force = none, .torque = none}});
  return true;
}

bool InputPorts::set(System& system, int index, double value, double t) const {
  if (!std::isfinite(value))
    throw InputError(
        fmt::format("input \"{}\": {} is not a finite number", infos_[at(index)].name, format_number(value)));
  const Port& port = ports_[at(index)];
  const bool is_new = prepare(system, port);
  TimeFunction& function = find_function(system, port);
  if (port.kind == Kind::driver || port.kind == Kind::row) {
    Sample sample = calc_sample(function, t);
    (port.order == 0 ? sample.value : port.order == 1 ? sample.rate : sample.acceleration) = value;
    function = make_motion(sample, t);
  } else {
    set_constant(function, value);
  }
  return is_new;
}

InputPorts::Setting InputPorts::read(const System& system, int slot) const {
  Setting setting{.port = slot};
  const TimeFunction* function = find_function(system, ports_[at(slot)]);
  STICTION_CHECK(function && std::holds_alternative<Polynomial>(*function));
  const std::vector<double>& coefficients = std::get<Polynomial>(*function).coefficients;
  std::copy_n(coefficients.begin(), std::min<std::size_t>(3, coefficients.size()), setting.coefficients.begin());
  return setting;
}

bool InputPorts::write(System& system, const Setting& setting) const {
  const Port& port = ports_[at(setting.port)];
  const bool is_new = prepare(system, port);
  if (port.kind == Kind::driver || port.kind == Kind::row) {
    const auto& c = setting.coefficients;
    find_function(system, port) = Polynomial{{c.begin(), c.end()}};
  } else {
    set_constant(find_function(system, port), setting.coefficients[0]);
  }
  return is_new;
}

}  // namespace stiction
