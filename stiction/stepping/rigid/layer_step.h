#pragma once

#include <array>

#include "stiction/contact/compliant_layer.h"

namespace stiction {

/// A compliant layer of a contact over a (sub)step of length h (compliant-implicit-2007, eqs 14 and 15), along n, t, o,
/// with delta_l its deflection at the start and p the impulse of the contact:
///     p - p_r n = h K delta + C (delta - delta_l),   0 <= p_r orthogonal to delta_n^0 - delta_n >= 0           (1)
/// so that delta = A p + b is linear on either side of the core:
///     apart from it   A = (h K + C)^-1,   b = A C delta_l                                                     (2)
///     on it           delta_n = delta_n^0, and for the rows T = (t, o)
///                     A_TT = ((h K + C)_TT)^-1,   b_T = A_TT ((C delta_l)_T - (h K + C)_Tn delta_n^0)         (3)
/// A nonlinear normal law (compliant_layer.h, eq. 3) is linearised at an iterate of delta_n; the step's iteration over
/// its geometry is Newton's iteration for it, too.
///
/// A contact of bodies with the layers 1 and 2, where the paper has one: p is the same in both (layers in series), the
/// deflections add up, and with u the velocity of B against A and gap that of the undeformed bodies, at the end,
///     0 <= p_n  orthogonal to  gap + delta_n1 + delta_n2 >= 0                                                 (4)
///     friction against the slip of the surfaces   u_T + sum (delta_T - delta_l,T) / h                         (5)
/// DEPARTURES: (5) has the rates of delta_T, which the paper's eq. 14 does not have, so that K_T and C_T act on the
/// motion. delta_n is the depth of the undeformed surfaces along the common normal of their closest points, the
/// Euclidean deflection of eq. 12 (where one of them is a half-space, exactly); the algebraic one is not needed. A
/// layer that nothing touches relaxes by (2) with p = 0.
struct LayerStep {
  const CompliantLayer* layer = nullptr;
  int body = 0;                ///< with which deflections along the surface turn
  Vec3 start = Vec3::Zero();   ///< delta_l [m]
  bool is_remembered = false;  ///< delta_l comes from the step before
  bool on_core = false;
  Mat3 A = Mat3::Zero();    ///< [m/(N s)]
  Vec3 b = Vec3::Zero();    ///< [m]
  Vec3 end = Vec3::Zero();  ///< delta [m]
  double core_impulse = 0;  ///< p_r [N s]
};

/// A and b. `planar`: there is no direction o. `iterate`: of delta_n, for nonlinear layers.
void pose_layer(double h, bool planar, double iterate, LayerStep& step);
/// delta and p_r for an impulse. Returns whether the layer belongs on the other side of the core: on_core changes then.
bool solve_layer(const Vec3& p, double h, LayerStep& step);
/// What (1) is violated by, as a deflection [m].
double calc_layer_violation(const Vec3& p, double h, const LayerStep& step);
/// Energy that the damping took [J].
double calc_damped_energy(double h, const LayerStep& step);

/// The layers of one contact.
struct ContactLayers {
  int count = 0;
  std::array<LayerStep, 2> layer;
  double calc_deflection() const { return layer[0].end[0] + layer[1].end[0]; }
};

/// The deflection of a layer between steps.
struct LayerMemory {
  double normal = 0;          ///< delta_n [m]
  Vec3 shear = Vec3::Zero();  ///< along the surface, axes of the body [m]
  double stored = 0;          ///< energy [J]
  bool on_core = false;
};
/// Along the columns n, t, o of a frame that has turned since: the shear keeps its size.
Vec3 calc_deflection_in(const Mat3& frame, const Mat3& R_WB, const LayerMemory& memory);
LayerMemory remember_layer(const Mat3& frame, const Mat3& R_WB, const LayerStep& step);

}  // namespace stiction
