#pragma once

#include <vector>

#include "stiction/multibody/system.h"
#include "stiction/results/contact_gaps.h"
#include "stiction/results/contact_groups.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// Every signal that a system has:
///
///   BODY.position.{x,y,z} [m]  .velocity.* [m/s]  .angular_velocity.* [rad/s]  .orientation.{w,x,y,z} [1]  .tilt [rad]
///     of the body's origin, world axes; orientation with w >= 0; tilt: angle of the body's z axis to up.
///     Bodies that are welded to the world have position and orientation only.
///   JOINT.position [rad or m]  .velocity  .force   (several coordinates: .position.angle, .position.displacement, ...)
///   JOINT.orientation.{w,x,y,z} [1]: of M in F, for joints that move but have no scalar coordinates in their form
///   JOINT.reaction.{force,torque}.{x,y,z} [N, N m]: what the joint transmits to the child, at the origin of M, world
///     axes
///   contact.NAME.force [N]  .friction [N]  .depth [m]: of a group of contacts (contact_groups.h: a table, a pair of
///     bodies, a body): sum of the normal forces, size of the sum of the tangential ones, the deepest penetration or 0.
///     Rigid formulations: the mean over the step that ends at the sample; compliant ones: at the sample
///   contact.NAME.impulse [N s]  .impulse.{x,y,z} [N s]  .peak_force [N]: since the last sample (contact_loads.h): the
///     integral of the normal force, that of the whole force on the group's second side, world axes, and the largest
///     normal force
///   contact.NAME.deflection [m]  .shear [m]  .core_force [N]: where contacts have compliant layers: the largest
///     deflection along the normal and along the surface, and the part of the normal force that rigid cores bear
///   contact.NAME.stick [1]  .dwell [1], compliant, and rigid ones with static friction: the share of its contacts that
///     stick, the largest dwell state; .deflection [m], compliant: the largest deflection of bristles
///   contact.NAME.normal.{x,y,z} [1]  .moment.{x,y,z} [N m], compliant: the direction of the sum of the normal forces,
///     and the sum of the moments about the points of action, on the group's second side; .volume [m^3], where patches
///     have volume: their sum
///   contact.A/B.gap [m]  .closest_a.{x,y,z} [m]  .closest_b.* [m]  .closest_normal.* [1]: signed distance, closest
///     points on A and on B and the unit normal from A to B, world axes (contact_gaps.h), on request only: for a
///     pattern that ends in ".gap" or has ".closest" in it
///   energy.{kinetic,potential,stored,dissipated,input,stabilisation,total,residual,friction,impact} [J], and
///     energy.layers [J], the part of what is stored that compliant layers have
///   momentum.linear.* [kg m/s]  momentum.angular.* [kg m^2/s], about the world's origin
///   audit.*: audit.h

/// Those of bodies first, then those of joints, then the others.
enum class SignalQuantity {
  body_position,
  body_velocity,
  body_angular_velocity,
  body_orientation,
  body_tilt,
  joint_position,
  joint_velocity,
  joint_force,
  joint_orientation,
  joint_reaction,
  contact,
  contact_gap,
  energy,
  momentum,
  audit,
};

/// Where a signal's value comes from. Signals of one group are computed together.
struct SignalSource {
  SignalQuantity quantity = SignalQuantity::energy;
  int index = 0;      ///< of the body, the named joint, the group of contacts or the pair of ContactGaps
  int component = 0;  ///< within the group
  bool same_group(const SignalSource& other) const { return quantity == other.quantity && index == other.index; }
};
/// No group has more values.
inline constexpr int largest_group = 32;

struct SignalCatalog {
  std::vector<SignalInfo> infos;
  std::vector<SignalSource> sources;  ///< one an info; groups stand together
};

/// `gaps`: those on request too; may be null. InputError if two signals have one name: a body and a joint that are
/// named alike.
SignalCatalog make_signal_catalog(const System& system, const ContactGroups& groups, const ContactGaps* gaps = nullptr);

}  // namespace stiction
