#pragma once

#include <string>
#include <vector>

#include "stiction/multibody/equations.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// The signals of a system, by name, and their values at an instant.
///
///   BODY.position.{x,y,z} [m]  .velocity.* [m/s]  .angular_velocity.* [rad/s]  .orientation.{w,x,y,z} [1]  .tilt [rad]
///   JOINT.position [rad or m]  .velocity  .force   (several coordinates: .position.angle, .position.slide, ...)
///   JOINT.reaction.{force,torque}.{x,y,z} [N, N m]: what the joint transmits to the child, at the joint's origin M,
///   world axes energy.{kinetic,potential,stored,dissipated,input,projection,total,residual} [J] momentum.linear.* [kg
///   m/s]  momentum.angular.* [kg m^2/s], about the world's origin audit.*: from the steps' reports: drift, drift_rate,
///   quaternion, step, rejected, evaluations
///
/// energy.residual = total - total(0) - input + dissipated - projection: what does not add up.
class SignalTable {
 public:
  /// `patterns`: globs; a signal is recorded if any matches.
  SignalTable(const System& system, const std::vector<std::string>& patterns);
  const std::vector<SignalInfo>& infos() const { return infos_; }
  int size() const { return static_cast<int>(infos_.size()); }

 private:
  std::vector<SignalInfo> infos_;
};

}  // namespace stiction
