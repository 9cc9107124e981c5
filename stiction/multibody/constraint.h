#pragma once

#include <string>
#include <variant>
#include <vector>

#include "stiction/math/time_function.h"
#include "stiction/math/transform.h"
#include "stiction/multibody/coordinate_ref.h"

namespace stiction {

/// Bilateral constraints phi(q, t) = 0, each a list of scalar rows. A row is one of a few kinds; joints in constraint
/// form and loop closures are lists of them. For a row with Jacobian g and the bodies' accelerations:
///     phi = 0,   phidot = g v + phi_t = 0,   phiddot = g vdot + gamma = 0                                 (1)
/// gamma holds the velocity products and phi_tt. Angles count in rad, lengths in m.

/// Frame A is fixed in body a, frame B in body b (0 = the world). e_i, f_i: unit axes of A and B.
struct FramePair {
  int body_a = 0, body_b = 0;
  Transform X_aA, X_bB;
};

/// phi = e_i . (p_B - p_A): the origin of B has no displacement along axis i of A.
struct RowPoint {
  int axis = 0;
};
/// phi = e_i . f_j: axis i of A stays normal to axis j of B.
struct RowNormal {
  int axis_a = 0, axis_b = 0;
};
/// phi = |p_B - p_A| - length.
struct RowDistance {
  double length = 0;
};
/// Screw: phi = e_z . (p_B - p_A) - pitch * angle, the angle of B against A about z, whole turns counted in z[turns].
struct RowScrew {
  double pitch = 0;
  int turns = -1;
};
/// phi = sum_k ratio_k (coordinate_k) - offset(t): gears, couplers, and drivers of joints in constraint form.
struct RowCoupler {
  std::vector<CoordinateRef> coordinates;
  std::vector<double> ratios;
  TimeFunction offset = make_constant(0);
};
using ConstraintRow = std::variant<RowPoint, RowNormal, RowDistance, RowScrew, RowCoupler>;

struct Constraint {
  std::string name;
  FramePair frames;  ///< unused by couplers
  std::vector<ConstraintRow> rows;
};

}  // namespace stiction
