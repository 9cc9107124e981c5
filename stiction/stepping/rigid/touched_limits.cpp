#include "stiction/stepping/rigid/touched_limits.h"

#include <cmath>

#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {

TouchedLimits::TouchedLimits(const RigidModel& model) : model_(model), kinematics_(model.system) {
  for (const GuardedCoordinate& coordinate : model.coordinates) {
    const auto& [lower, upper] = coordinate.limit;
    if (std::isfinite(lower)) limits_.push_back({.ref = coordinate.ref, .at = lower, .side = 1});
    if (std::isfinite(upper)) limits_.push_back({.ref = coordinate.ref, .at = upper, .side = -1});
  }
}

void TouchedLimits::begin(const State& start) {
  if (limits_.empty()) return;
  update_positions(model_.system, start.q, kinematics_);
  for (Limit& limit : limits_) limit.closed = is_closed(limit, start);
}

void TouchedLimits::note_changes(const State& end, StepReport& report) {
  if (limits_.empty()) return;
  update_positions(model_.system, end.q, kinematics_);
  for (const Limit& limit : limits_) {
    if (is_closed(limit, end) == limit.closed) continue;
    const std::string& joint = model_.system.named_joints[at(limit.ref.joint)].name;
    report.events.push_back({end.t, limit.closed ? "release" : "impact", joint});
  }
}

bool TouchedLimits::is_closed(const Limit& limit, const State& state) const {
  const double position = calc_coordinate_position(model_.system, kinematics_, state.q, state.z, limit.ref);
  return limit.side * (position - limit.at) <= model_.tolerances.closed_limit;
}

}  // namespace stiction
