#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stiction/math/time_function.h"
#include "stiction/math/transform.h"

namespace stiction {

/// A joint connects frame F, fixed in the parent body P, to frame M, fixed in the child body B. Its coordinates q give
/// X_FM(q); its velocities v give the velocity of M relative to F, resolved in F:
///     [w_FM; v_FM] = H_FM(q) v                                                                         (1)
/// Every axial joint turns about, or slides along, the common Z AXIS of F and M: compile() turns F and M so.
/// At q = 0 (identity quaternion) F and M coincide.

struct JointWeld {};       ///< nq 0, nv 0
struct JointRevolute {};   ///< q = angle about z [rad]
struct JointPrismatic {};  ///< q = displacement along z [m]
struct JointScrew {        ///< q = angle about z [rad]; moves pitch * q along z
  double pitch = 0;        ///< [m/rad]
};
struct JointCylindrical {};  ///< q = (angle about z, displacement along z)
struct JointUniversal {};    ///< q = (angle about z of F, angle about x of the turned frame): R_FM = Rz(q0) Rx(q1)
struct JointSpherical {};    ///< q = quaternion q_FM (w, x, y, z); v = w_FM in F
struct JointPlanar {};       ///< q = (x, y, angle about z); v = dq/dt
struct JointFree {};         ///< q = (quaternion q_FM, p_FM), 7 numbers; v = (w_FM, v_FM) in F
struct JointTranslation {    ///< q = the first `dimension` of x, y, z; v = dq/dt: a particle
  int dimension = 3;         ///< 2 or 3
};

using JointKind = std::variant<JointWeld, JointRevolute, JointPrismatic, JointScrew, JointCylindrical, JointUniversal,
                               JointSpherical, JointPlanar, JointFree, JointTranslation>;

/// The alternatives of JointKind in the same order, for loops over the tree that switch instead of visiting.
enum class JointType { weld, revolute, prismatic, screw, cylindrical, universal, spherical, planar, free, translation };
inline JointType type_of(const JointKind& kind) {
  return static_cast<JointType>(kind.index());
}

int calc_nq(const JointKind& kind);
int calc_nv(const JointKind& kind);
/// The word a scene uses: "revolute".
const char* name_of(const JointKind& kind);
/// Name and unit of coordinate k of a joint with nq == nv, as in the signal "NAME.position.angle": {"angle", "rad"}.
/// A joint of one coordinate has the empty name.
struct CoordinateName {
  const char* name;
  const char* unit;        ///< of the position
  const char* rate_unit;   ///< of the velocity
  const char* force_unit;  ///< of the force that does work on it
};
CoordinateName coordinate_name(const JointKind& kind, int k);
/// Does q hold a quaternion, and where (offset within the joint's q)? -1 if not.
int quaternion_offset(const JointKind& kind);

/// Motion of a joint given as a function of time: coordinates, velocities and accelerations follow it exactly, and the
/// force that this takes is computed.
struct CoordinateMotion {
  std::vector<TimeFunction> coordinates;  ///< one for each coordinate of a joint with nq == nv
};
/// Motion of a body in the world (a free joint): p(t) componentwise, and a rotation about a fixed axis by angle(t),
/// applied before the initial orientation: R_WB(t) = R(axis, angle(t)) R_start.
struct PathMotion {
  std::vector<TimeFunction> position;  ///< x, y, z [m]
  Vec3 axis = Vec3::UnitZ();           ///< world axes
  TimeFunction angle = make_constant(0);
  Quaternion start;
};
using JointMotion = std::variant<CoordinateMotion, PathMotion>;

/// The inboard joint of a body in the tree.
struct Joint {
  JointKind kind = JointWeld{};
  int parent = 0;   ///< body index, smaller than the child's
  Transform X_PF;   ///< F in the parent body
  Transform X_MB;   ///< the child body's frame seen from M
  int q_start = 0;  ///< where this joint's coordinates begin in q
  int v_start = 0;
  int nq = 0;
  int nv = 0;
  std::optional<JointMotion> motion;  ///< prescribed: its coordinates are functions of time, not of the forces

  bool prescribed() const { return motion.has_value(); }
};

/// X_FM(q). `q` points at this joint's nq numbers.
Transform calc_joint_transform(const JointKind& kind, const double* q);
/// The coordinates that give X_FM: the inverse of the above, projected onto the joint's motion where X_FM departs from
/// it. Angles come back in (-pi, pi] plus the whole turns that bring them nearest to `near` (the joint's nq numbers),
/// and of the two quaternions of a rotation the one on the side of `near`.
void calc_joint_coordinates(const JointKind& kind, const Transform& X_FM, const double* near, double* q);
/// dq/dt = N(q) v for one joint.
inline void calc_joint_rates(JointType type, int nv, const double* q, const double* v, double* dq) {
  if (type == JointType::spherical || type == JointType::free) {
    write_quaternion(calc_rate(read_quaternion(q), Vec3(v[0], v[1], v[2])), dq);
    if (type == JointType::free) dq[4] = v[3], dq[5] = v[4], dq[6] = v[5];
    return;
  }
  for (int k = 0; k < nv; ++k) dq[k] = v[k];
}

}  // namespace stiction
