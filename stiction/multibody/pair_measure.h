#pragma once

#include "stiction/math/spatial.h"
#include "stiction/multibody/constraint.h"
#include "stiction/multibody/kinematics.h"

namespace stiction {

/// Scalar measures of a pair of frames, A fixed in body a and B in body b: what constraint rows hold constant and what
/// motors, springs and couplers act on in constraint form. Notation: e_i, f_j axes of A and B, d = p_B - p_A, u = w_b -
/// w_a; a dot takes the bodies' velocities, world axes throughout.

/// Where the two frames stand.
struct PairPose {
  int body_a = 0, body_b = 0;
  Mat3 R_WA, R_WB;
  Vec3 r_a, r_b;  ///< from the origins of the bodies to A and B
  Vec3 d;         ///< p_B - p_A
};
PairPose calc_pair_pose(const Kinematics& kinematics, const FramePair& frames);

/// How they move, and their accelerations for vdot = 0 (from A_bias).
struct PairMotion {
  Vec3 w_a, w_b, alpha_a, alpha_b;
  Vec3 d_rate;          ///< v_B - v_A
  Vec3 d_acceleration;  ///< a_B - a_A
};
PairMotion calc_pair_motion(const Kinematics& kinematics, const PairPose& pose);

/// A measure and its gradient: dvalue/dt = F_a . V_a + F_b . V_b. F_a and F_b are also the forces on the two bodies, at
/// their origins, of a unit force conjugate to the measure; they balance.
struct Measure {
  double value = 0;
  Vec6 F_a, F_b;
};
inline double calc_measure_rate(const Measure& measure, const PairPose& pose, const Kinematics& kinematics) {
  return measure.F_a.dot(kinematics.V_WB[pose.body_a]) + measure.F_b.dot(kinematics.V_WB[pose.body_b]);
}

/// The second of each pair of functions is the second derivative of the measure for vdot = 0.

/// e_i . d:      e_i . d_rate + (w_a x e_i) . d
Measure calc_displacement(const PairPose& pose, int axis);
double calc_displacement_bias(const PairPose& pose, const PairMotion& motion, int axis);

/// e_i . f_j:    u . (f_j x e_i)
Measure calc_axes_product(const PairPose& pose, int axis_a, int axis_b);
double calc_axes_product_bias(const PairPose& pose, const PairMotion& motion, int axis_a, int axis_b);

/// |d|:          n . d_rate,   n = d / |d|. No direction and no gradient at |d| = 0.
Measure calc_distance(const PairPose& pose);
double calc_distance_bias(const PairPose& pose, const PairMotion& motion);

/// The angle of B against A about z, in (-pi, pi]: that of the rotation about z nearest to R_AB, as in
/// calc_joint_coordinates:
///     angle = atan2(e_y.f_x - e_x.f_y, e_x.f_x + e_y.f_y),   rate u . (e_z + f_z) / (1 + e_z.f_z)             (1)
/// exact also where the z axes are not parallel; undefined where they are opposite.
Measure calc_turn(const PairPose& pose);
double calc_turn_bias(const PairPose& pose, const PairMotion& motion);

/// Two axes of A and two of B give an angle by its sine e_i.f_j and cosine e_k.f_l:
///     angle = atan2(s, c),   s = e_i.f_j,   c = e_k.f_l,   rate (c ds/dt - s dc/dt) / (s^2 + c^2)             (2)
/// Undefined where both vanish.
struct AnglePart {
  int axis_a = 0, axis_b = 0;
};
Measure calc_axes_angle(const PairPose& pose, AnglePart sine, AnglePart cosine);
double calc_axes_angle_bias(const PairPose& pose, const PairMotion& motion, AnglePart sine, AnglePart cosine);

/// The angle plus the whole turns that bring it nearest to `near`.
double add_whole_turns(double angle, double near);

}  // namespace stiction
