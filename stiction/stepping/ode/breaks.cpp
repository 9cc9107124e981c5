#include "stiction/stepping/ode/breaks.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Gathers the breaks of whatever holds functions of time.
struct Collector {
  std::vector<double> times;

  void add(const TimeFunction& function) {
    const std::vector<double> breaks = calc_breaks(function);
    times.insert(times.end(), breaks.begin(), breaks.end());
  }
  void add(const std::vector<TimeFunction>& functions) {
    for (const TimeFunction& function : functions) add(function);
  }

  // Motions
  void operator()(const CoordinateMotion& motion) { add(motion.coordinates); }
  void operator()(const PathMotion& motion) {
    add(motion.position);
    add(motion.angle);
  }
  // Forces
  void operator()(const SpringLinear&) {}
  void operator()(const SpringTorsional&) {}
  void operator()(const Bushing&) {}
  void operator()(const SpringSpatial&) {}
  void operator()(const Damper&) {}
  void operator()(const JointStop&) {}
  void operator()(const JointFriction&) {}
  void operator()(const HeldForce&) {}
  void operator()(const AppliedForce& force) {
    add(force.force);
    add(force.torque);
  }
  void operator()(const Motor& motor) {
    add(motor.effort);
    add(motor.target);
    if (motor.target_rate) add(*motor.target_rate);
  }
  // Constraint rows
  void operator()(const RowPoint&) {}
  void operator()(const RowNormal&) {}
  void operator()(const RowDistance&) {}
  void operator()(const RowScrew&) {}
  void operator()(const RowCoupler& row) { add(row.offset); }
};

}  // namespace

std::vector<double> collect_breaks(const System& system) {
  Collector collect;
  for (const Joint& joint : system.joints) {
    if (joint.motion) std::visit(collect, *joint.motion);
  }
  for (const Force& force : system.forces) std::visit(collect, force.kind);
  for (const Constraint& constraint : system.constraints) {
    for (const ConstraintRow& row : constraint.rows) std::visit(collect, row);
  }
  for (const ContactShape& shape : system.contact.shapes) collect.add(shape.surface_velocity);
  std::vector<double>& times = collect.times;
  std::sort(times.begin(), times.end());
  const auto alike = [](double a, double b) { return b - a <= 1e-12 * std::max(1.0, std::abs(b)); };
  times.erase(std::unique(times.begin(), times.end(), alike), times.end());
  return times;
}

}  // namespace stiction
