#pragma once

#include "stiction/contact/contact_body.h"

namespace stiction {

struct CutShape;

/// The patch of volumetric contact (gonthier-thesis-2007, chapter 4): what the region common to two bodies says of the
/// pressure between them. The bodies are Winkler foundations; a flat plate with the normal n, from A to B, lies between
/// them, and the pressure at a point s of it is k_v times the chord f_s(s) of the region along n (4.59). All that the
/// forces need are moments of f_s, which are moments of the region:
///     V = int f_s dS,   A_c = int dS,   h_v = V / A_c                                                (4.4)-(4.8)
///     p_c, the centroid: the resultant passes through it                                             (4.13)
///     K = int (rho x n)(rho x n)' f_s dS = tr(S_t) T - S_t,   S_t = T S T,   rho = s - p_c                     (1)
///     r_gyr^2 = n . J_v . n / V                                                                      (4.201)
/// with T = I - n n' and S = tr(J_v)/2 I - J_v the second moments of the region.
/// The plate, where friction acts, lies off the centroid if the bodies differ in stiffness:
///     s_c = p_c + (k_A - k_B)/(k_A + k_B) h_v/2 n                                                    (4.143)
/// DEPARTURES: K is the exact tensor of the pressure field, J_t of (4.35); the thesis takes J_v for it, which adds
/// V rho_n^2 (ERRATA). A_c is the size of the vector area int n dS of the patch.
struct VolumePatch {
  double volume = 0;             ///< V [m^3]; 0: the bodies do not overlap, and all else is meaningless
  double area = 0;               ///< A_c [m^2]
  double gyration = 0;           ///< r_gyr about the normal [m]
  Vec3 centroid = Vec3::Zero();  ///< p_c [m]
  Vec3 point = Vec3::Zero();     ///< s_c, of action [m]
  Vec3 normal = Vec3::UnitZ();   ///< n, from A to B
  Mat3 rolling = Mat3::Zero();   ///< K, world axes [m^5]
  bool converged = true;         ///< the volume has the accuracy asked for
  bool integrated = false;       ///< no closed form: takes some ten microseconds or more

  /// Half of the longest axis of the ellipse in the plate that has the second moments of the patch under uniform
  /// pressure: 2 sqrt(S_1 / V) along the first principal axis of S_t; exact for elliptic soles, 1.15 times the half
  /// length of a rectangle's [m].
  Vec3 calc_extent() const;
  /// h_v [m].
  double mean_depth() const { return area > 0 ? volume / area : 0; }
};

/// How the normal follows from the region.
enum class PatchNormal {
  /// -dV/dx of a translation of B: the mean normal of the surface of either body inside the other. For a half-space its
  /// own normal, so that k_v V n is the gradient of an energy; cutting a body into cells does not change it.
  area,
  /// The eigenvector of J_v that is nearest to that direction (4.199): the axis of the largest moment of inertia of a
  /// flat region. Faces that meet at an angle get the bisecting plate of two equal bodies: 1/2 of a small tilt.
  inertia,
};

/// What is constant about the patches of a pair.
struct VolumeSettings {
  PatchNormal normal = PatchNormal::area;
  double plate_offset = 0;  ///< (k_A - k_B)/(k_A + k_B) of (4.143) [-]
  double accuracy = 1e-6;   ///< of the volume, relative [-]
  /// Parts that overlap others of their body; null: whole.
  const CutShape *cut_a = nullptr, *cut_b = nullptr;
};

VolumePatch find_volume_patch(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                              const VolumeSettings& settings);

/// The turn of the contact frame (contact_core.h, eq. 1) at such a patch: of half-spaces and round pairs in closed
/// form, else dn/dt from a second patch after a motion by 1e-4 of its radius of gyration.
Vec3 calc_patch_turn(const ContactSides& sides, const VolumePatch& patch, const VolumeSettings& settings);

}  // namespace stiction
