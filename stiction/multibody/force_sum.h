#pragma once

#include <vector>

#include "stiction/math/spatial.h"
#include "stiction/multibody/instant.h"

namespace stiction {

/// What the force elements and compliant contacts of a system add up to.
struct ForceSum {
  explicit ForceSum(const System& system);
  void set_zero();
  /// The same where only these bodies are looked at.
  void set_zero(const std::vector<int>& bodies);

  std::vector<Vec6> F;          ///< on each body at its origin, world axes: [torque; force]
  VecX tau;                     ///< on the joints' velocities
  VecX memory_rate;             ///< nz: of what elements remember in z; 0 elsewhere
  double stored_energy = 0;     ///< [J]
  double dissipated_power = 0;  ///< [W]
  double input_power = 0;       ///< [W]
  // Of contacts: parts of what is dissipated, and what relaxation and patches that owe feed in.
  double friction_power = 0, impact_power = 0, stabilisation_power = 0;  ///< [W]
};

/// The equations stand with the elements in force.h. Velocities must be up to date.
void add_force(const SpringLinear& spring, const Instant& instant, ForceSum& sum);  ///< of an active one
void add_force(const SpringTorsional& spring, const Instant& instant, ForceSum& sum);
void add_force(const Bushing& bushing, const Instant& instant, ForceSum& sum);
void add_force(const SpringSpatial& spring, const Instant& instant, ForceSum& sum);
void add_force(const Damper& damper, const Instant& instant, ForceSum& sum);
void add_force(const AppliedForce& force, const Instant& instant, ForceSum& sum);
void add_force(const Motor& motor, const Instant& instant, ForceSum& sum);
void add_force(const JointStop& stop, const Instant& instant, ForceSum& sum);  ///< of one that acts
void add_force(const JointFriction& friction, const Instant& instant, ForceSum& sum);
void add_force(const HeldForce& held, const Instant& instant, ForceSum& sum);

/// One force of the system, a one-sided one as its mode says.
void add_force(const Force& force, const Instant& instant, const std::vector<int>& modes, ForceSum& sum);
/// All forces of the system, the one-sided ones as their modes say; `sum` is not cleared first.
void add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum);

/// Where in State::modes an element says whether it acts; -1: it always does.
int find_mode(const Force& force);
/// Guard of an element with a mode, and what to call its changes.
double calc_guard(const Force& force, const Instant& instant);
ModeInfo make_mode_info(const Force& force);
/// A stop's guard: how far the coordinate is beyond it.
double calc_guard(const JointStop& stop, const Instant& instant);
/// A one-sided spring's guard, positive where it asks to be active: l - rest_length (tension), rest_length - l
/// (compression). Needs positions only.
double calc_guard(const SpringLinear& spring, const Kinematics& kinematics);
ModeInfo make_mode_info(const std::string& element, const SpringLinear& spring);

}  // namespace stiction
