#pragma once

#include <vector>

#include "stiction/multibody/system.h"

namespace stiction {

/// Positions, velocities and velocity-dependent accelerations of all bodies: the cache every other computation reads.
/// Sized once from a system; the update functions never allocate. Vectors resolved in world axes (see math/spatial.h).
struct Kinematics {
  explicit Kinematics(const System& system);

  // After update_positions:
  std::vector<Transform> X_WB;
  std::vector<Vec3> p_PB;       ///< from the parent's origin to the body's
  std::vector<Mat6> H;          ///< hinge map at B's origin: V_WB = shift(V_WP) + H v_joint; the first nv columns count
  // After update_velocities:
  std::vector<Vec6> V_WB;
  std::vector<Vec6> bias;       ///< A_WB = shift(A_WP) + H vdot_joint + bias: across this one joint
  std::vector<Vec6> A_bias;     ///< A_WB for vdot = 0, all joints up to the root
};

/// X_WB, p_PB and H from q; quaternions in q need not be unit.
void update_positions(const System& system, const VecX& q, Kinematics& kinematics);
/// V_WB, bias and A_bias from v; positions must be up to date. `A_bias` includes the centripetal part of the shift.
void update_velocities(const System& system, const VecX& v, Kinematics& kinematics);

/// dq = N(q) v.
void calc_rates(const System& system, const VecX& q, const VecX& v, VecX& dq);
/// Every quaternion in q divided by its norm.
void normalize_quaternions(const System& system, VecX& q);
/// max | |quaternion| - 1 |
double calc_quaternion_error(const System& system, const VecX& q);
/// q (+) N(q) dv: a finite displacement along v-space, through the exponential map for quaternions. dv = h v.
void add_displacement(const System& system, const VecX& dv, VecX& q);

/// Coordinates and velocities of prescribed joints at time t are written into q and v, their accelerations into vdot.
void update_prescribed(const System& system, double t, VecX& q, VecX& v, VecX& vdot);

/// Velocity of point Q fixed in body: p_BQ in body axes.
Vec3 calc_point_position(const Kinematics& kinematics, int body, const Vec3& p_BQ);
Vec3 calc_point_velocity(const Kinematics& kinematics, int body, const Vec3& p_BQ);

}  // namespace stiction
