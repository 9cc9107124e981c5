#pragma once

#include "stiction/multibody/system.h"

namespace stiction {

/// A joint as rows between frame A = F (on the parent) and frame B = M (on the child):
///     weld 3 point + 3 normal; revolute 3 + 2; prismatic 2 + 3; screw 2 + 2 and the screw's own; cylindrical 2 + 2;
///     universal 3 + 1; spherical 3; planar 1 + 2; free none.
/// Normal rows hold for two opposite directions of an axis: the start must be on the right side.
/// Screws use joint.turns_start (set it first).
Constraint make_joint_constraint(const NamedJoint& joint);

/// A body as the reduction to the plane sees it.
struct PlanarBody {
  Transform X_WB;      ///< initial pose
  bool moves = false;  ///< in x, y and about z; else fixed
};
/// Where both bodies of the constraint are planar (a planar joint to the world, plane normal z of the world) or fixed:
/// drop the rows that no planar motion of the two can change. They are recognised by their gradient along x, y and the
/// angle of either body, zero to 1e-9 at the initial pose and at other planar poses. Couplers are kept. The caller has
/// to choose the axes of A and B so that one of them lies along the world's z axis initially: for a joint axis in the
/// plane, make_frame_with_z(axis, hint = z of the world) does (its x axis is z); for an axis along z any. Otherwise
/// rows that mix directions in and out of the plane stay (harmless: they are redundant and found so). Returns the
/// largest |phi| of the rows dropped: a misfit out of the plane that no motion can close.
double drop_planar_rows(Constraint& constraint, const PlanarBody& a, const PlanarBody& b);

}  // namespace stiction
