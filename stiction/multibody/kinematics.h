#pragma once

#include <vector>

#include "stiction/multibody/tree_plan.h"

namespace stiction {

/// Positions, velocities and velocity-dependent accelerations of all bodies: the cache every other computation reads.
/// Sized once from a system; the update functions never allocate. Vectors resolved in world axes (see math/spatial.h).
/// Bodies welded to the world are placed by the constructor and passed over afterwards.
///
/// Across a joint, with [hw; hv] = H v_joint and d = p_PB:
///     w_B = w_P + hw,            v_B = v_P + w_P x d + hv                                                  (1)
///     alpha_B = alpha_P + [H vdot]_w + bias_w,   a_B = a_P + alpha_P x d + [H vdot]_v + bias_v             (2)
///     bias_w = w_P x hw + c_w,   bias_v = w_P x (v_B - v_P) + w_B x hv + c_v                               (3)
/// (3) is the time derivative of (1) where the joint's motion vectors, referred to a point fixed in F, are constant in
/// F (Featherstone 2008, eq. 3.42, turned into ordinary accelerations). [c_w; c_v] is the rest:
///     universal (the second axis e turns about the first, z):   c_w = v0 v1 z x e,   c_v = c_w x p_MB
///     planar, free (v refers to the origin of M, velocity u):   c_v = -hw x u
struct Kinematics {
  explicit Kinematics(const System& system);

  TreePlan plan;

  // After update_positions:
  std::vector<Transform> X_WB;
  std::vector<Vec3> p_PB;  ///< from the parent's origin to the body's
  std::vector<Vec3> p_MB;  ///< from the origin of the joint's frame M to the body's
  std::vector<Mat6> H;     ///< hinge map at B's origin: V_WB = shift(V_WP) + H v_joint; the first nv columns count
  // After update_velocities:
  std::vector<Vec6> V_WB;
  std::vector<Vec6> bias;    ///< A_WB = shift(A_WP) + H vdot_joint + bias: across this one joint
  std::vector<Vec6> A_bias;  ///< A_WB for vdot = 0, all joints up to the root
};

/// X_WB, p_PB and H from q; quaternions in q need not be unit.
void update_positions(const System& system, const VecX& q, Kinematics& kinematics);
/// V_WB, bias and A_bias from v; positions must be up to date. `A_bias` includes the centripetal part of the shift.
void update_velocities(const System& system, const VecX& v, Kinematics& kinematics);

/// dq = N(q) v.
void calc_rates(const TreePlan& plan, const VecX& q, const VecX& v, VecX& dq);
/// Every quaternion in q divided by its norm; q may be the head of a longer vector.
void normalize_quaternions(const TreePlan& plan, VecX& q);
/// max | |quaternion| - 1 |
double calc_quaternion_error(const System& system, const VecX& q);
/// q (+) N(q) dv: a finite displacement along v-space, through the exponential map for quaternions. dv = h v. q may be
/// the head of a longer vector.
void add_displacement(const TreePlan& plan, const VecX& dv, VecX& q);

/// Coordinates and velocities of prescribed joints at time t are written into q and v, their accelerations into vdot.
void update_prescribed(const System& system, double t, VecX& q, VecX& v, VecX& vdot);
/// The same where the plan is known; nothing allocates.
void update_prescribed(const System& system, const TreePlan& plan, double t, VecX& q, VecX& v, VecX& vdot);

/// Position and velocity of point Q fixed in body: p_BQ in body axes.
Vec3 calc_point_position(const Kinematics& kinematics, int body, const Vec3& p_BQ);
Vec3 calc_point_velocity(const Kinematics& kinematics, int body, const Vec3& p_BQ);

}  // namespace stiction
