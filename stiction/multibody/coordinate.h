#pragma once

#include "stiction/multibody/coordinate_ref.h"
#include "stiction/multibody/kinematics.h"

namespace stiction {

/// One joint coordinate as a scalar quantity: position, velocity, the force that does work on it, its row of a
/// Jacobian. In tree form it is an entry of q and v (those of the inboard joint of NamedJoint::child). In constraint
/// form it is measured between the frames F and M of the joint's constraint (pair_measure.h): the turn about z, the
/// displacement along an axis of F; for a universal joint, with R = R_FM = Rz(q0) Rx(q1),
///     q0 = atan2(R_yx, R_xx),   q1 = atan2(R_zy, R_zz)                                                         (1)

/// Does this joint offer coordinates, in either form? All do but weld and those with quaternions.
bool has_coordinates(const JointKind& kind);
/// How many entries of z a joint in constraint form needs to count whole turns, from turns_start on: one for each
/// coordinate that is an angle. They start as the angles themselves.
int calc_turns_count(const JointKind& kind);
/// Which of these belongs to coordinate `component`; -1 if that is a displacement.
int find_turn(const JointKind& kind, int component);

struct CoordinateValue {
  double position = 0;
  double velocity = 0;
};
/// In constraint form measured from the poses of the two bodies; angles include the whole turns counted in z.
CoordinateValue calc_coordinate(const System&, const Kinematics&, const VecX& q, const VecX& v, const VecX& z,
                                CoordinateRef ref);
/// The position alone: velocities need not be up to date.
double calc_coordinate_position(const System&, const Kinematics&, const VecX& q, const VecX& z, CoordinateRef ref);
/// The work-conjugate force: added to tau in tree form, as an equal and opposite wrench on both bodies (F, at the body
/// origins) in constraint form.
void add_coordinate_force(const System&, const Kinematics&, CoordinateRef ref, double force, std::vector<Vec6>& F,
                          VecX& tau);
/// row += factor * d(velocity of the coordinate)/dv, 1 x nv.
void add_coordinate_row(const System&, const Kinematics&, CoordinateRef ref, double factor, Eigen::Ref<VecX> row);
/// The acceleration of the coordinate for vdot = 0.
double calc_coordinate_bias(const System&, const Kinematics&, CoordinateRef ref);

}  // namespace stiction
