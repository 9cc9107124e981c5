#pragma once

#include "stiction/contact/contensou.h"
#include "stiction/contact/law_memory.h"

namespace stiction {

struct PlatePressure;

/// The friction force and where its power goes: power taken from the bodies = d(energy)/dt + dissipated, the energy
/// what the law remembers under that name, else 0.
struct FrictionResponse {
  Vec3 force = Vec3::Zero();  ///< on B, tangential [N]
  double moment = 0;          ///< on B about the normal from A to B [N m]
  double dissipated = 0;      ///< [W]
  bool sticks = false;
};
/// With the rates of what the law remembers, as seen in the contact frame.
template <class Memory>
struct FrictionOutput : FrictionResponse {
  Memory rate = {};
};

/// What friction sees of a contact.
struct Slip {
  double load = 0;               ///< normal force [N]
  Vec3 velocity = Vec3::Zero();  ///< of B against A at the point of action, tangential [m/s]
  double spin = 0;               ///< angular velocity of B against A about the normal [rad/s]
  double gyration = 0;           ///< r_gyr of the patch under its pressure; 0: a point [m]
  double area = 0;               ///< of the patch [m^2]
  /// The pressure over the patch, for ContensouRule::polygon; null: not of polygons.
  const PlatePressure* plate = nullptr;
};

/// How a friction law treats patches: volumetric contact.
struct PatchFriction {
  ContensouRule rule = ContensouRule::elliptic;
  double spin_factor = 1;  ///< times the moment about the normal [-]
};

/// u/|u| made smooth below a tolerance: (3.33) of gonthier-thesis-2007 with its misprint corrected,
///     (u/|u|) (3/2 r - 1/2 r^3),  r = |u|/u_eps < 1
inline Vec3 calc_smooth_direction(const Vec3& u, double tolerance) {
  const double size = u.norm();
  if (size >= tolerance) return u / size;
  const double r = size / tolerance;
  return u * ((1.5 - 0.5 * r * r) / tolerance);
}

/// The same of a number.
inline double calc_smooth_sign(double u, double tolerance) {
  const double r = u / tolerance;
  return std::abs(r) < 1 ? r * (1.5 - 0.5 * r * r) : std::copysign(1.0, u);
}

}  // namespace stiction
