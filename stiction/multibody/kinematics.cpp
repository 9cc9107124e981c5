#include "stiction/multibody/kinematics.h"

#include <cmath>

#include "stiction/math/spatial.h"

namespace stiction {

namespace {

/// Rotating part of a joint about z, or a joint that does not turn. Returns the z axis of F in world axes.
Vec3 update_turned(const JointPlan& joint, double angle, int b, Kinematics& k) {
  const Mat3& R_WP = k.X_WB[joint.parent].R;
  const JointFrames& frames = k.plan.frames[b];
  const Mat3 R_PB = frames.R_still + std::cos(angle) * frames.R_cos + std::sin(angle) * frames.R_sin;
  k.X_WB[b].R.noalias() = R_WP * R_PB;
  k.p_MB[b].noalias() = k.X_WB[b].R * frames.p_MB_B;
  return R_WP * frames.X_PF.R.col(2);
}

void update_unturned(const JointPlan& joint, int b, Kinematics& k) {
  k.X_WB[b].R.noalias() = k.X_WB[joint.parent].R * k.plan.frames[b].R_still;
  k.p_MB[b].noalias() = k.X_WB[b].R * k.plan.frames[b].p_MB_B;
}

/// p_FM: from F's origin to M's, world axes.
void update_origin(const JointPlan& joint, const Vec3& p_FM, int b, Kinematics& k) {
  const Transform& X_WP = k.X_WB[joint.parent];
  k.p_PB[b] = X_WP.R * k.plan.frames[b].X_PF.p + p_FM + k.p_MB[b];
  k.X_WB[b].p = X_WP.p + k.p_PB[b];
}

void set_column(Mat6& H, int column, const Vec3& w, const Vec3& v) {
  store_spatial(w, v, H.data() + 6 * column);
}

void update_screw(const JointPlan& joint, double angle, int b, Kinematics& k) {
  const Vec3 z = update_turned(joint, angle, b, k);
  update_origin(joint, k.plan.frames[b].pitch * angle * z, b, k);
  set_column(k.H[b], 0, z, z.cross(k.p_MB[b]) + k.plan.frames[b].pitch * z);
}

void update_revolute(const JointPlan& joint, double angle, int b, Kinematics& k) {
  const Vec3 z = update_turned(joint, angle, b, k);
  update_origin(joint, Vec3::Zero(), b, k);
  set_column(k.H[b], 0, z, z.cross(k.p_MB[b]));
}

void update_prismatic(const JointPlan& joint, double displacement, int b, Kinematics& k) {
  update_unturned(joint, b, k);
  const Vec3 z = k.X_WB[joint.parent].R * k.plan.frames[b].X_PF.R.col(2);
  update_origin(joint, displacement * z, b, k);
  set_column(k.H[b], 0, Vec3::Zero(), z);
}

void update_translation(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  update_unturned(joint, b, k);
  const Mat3 R_WF = k.X_WB[joint.parent].R * k.plan.frames[b].X_PF.R;
  Vec3 displacement = Vec3::Zero();
  for (int i = 0; i < joint.nv; ++i) {
    displacement += q[i] * R_WF.col(i);
    set_column(k.H[b], i, Vec3::Zero(), R_WF.col(i));
  }
  update_origin(joint, displacement, b, k);
}

void update_cylindrical(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  const Vec3 z = update_turned(joint, q[0], b, k);
  update_origin(joint, q[1] * z, b, k);
  set_column(k.H[b], 0, z, z.cross(k.p_MB[b]));
  set_column(k.H[b], 1, Vec3::Zero(), z);
}

void update_planar(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  const Vec3 z = update_turned(joint, q[2], b, k);
  const Vec3 x = k.X_WB[joint.parent].R * k.plan.frames[b].X_PF.R.col(0);
  const Vec3 y = z.cross(x);
  update_origin(joint, q[0] * x + q[1] * y, b, k);
  set_column(k.H[b], 0, Vec3::Zero(), x);
  set_column(k.H[b], 1, Vec3::Zero(), y);
  set_column(k.H[b], 2, z, z.cross(k.p_MB[b]));
}

/// Pose from R_WM, for the joints that turn about more than one axis.
void update_from_M(const JointPlan& joint, const Mat3& R_WM, const Vec3& p_FM, int b, Kinematics& k) {
  k.X_WB[b].R.noalias() = R_WM * k.plan.frames[b].X_MB.R;
  k.p_MB[b].noalias() = R_WM * k.plan.frames[b].X_MB.p;
  update_origin(joint, p_FM, b, k);
}

void update_universal(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  const Mat3 R_WF = k.X_WB[joint.parent].R * k.plan.frames[b].X_PF.R;
  const Mat3 R_WM = R_WF * (make_rotation_z(q[0]) * make_rotation_x(q[1]));
  update_from_M(joint, R_WM, Vec3::Zero(), b, k);
  const Vec3 z = R_WF.col(2), e = R_WM.col(0);
  set_column(k.H[b], 0, z, z.cross(k.p_MB[b]));
  set_column(k.H[b], 1, e, e.cross(k.p_MB[b]));
}

/// Spherical, and the turning part of free.
Mat3 update_ball(const JointPlan& joint, const double* q, const Vec3& p_FM_F, int b, Kinematics& k) {
  const Mat3 R_WF = k.X_WB[joint.parent].R * k.plan.frames[b].X_PF.R;
  update_from_M(joint, R_WF * calc_matrix(read_quaternion(q)), R_WF * p_FM_F, b, k);
  for (int i = 0; i < 3; ++i) set_column(k.H[b], i, R_WF.col(i), R_WF.col(i).cross(k.p_MB[b]));
  return R_WF;
}

void update_free(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  const Mat3 R_WF = update_ball(joint, q, Vec3(q[4], q[5], q[6]), b, k);
  for (int i = 0; i < 3; ++i) set_column(k.H[b], 3 + i, Vec3::Zero(), R_WF.col(i));
}

/// A plain free joint has H = 1, set by the constructor.
void update_plain(const double* q, int b, Kinematics& k) {
  write_matrix(read_quaternion(q), k.X_WB[b].R.data());
  k.X_WB[b].p = k.p_PB[b] = Vec3(q[4], q[5], q[6]);
}

void update_pose(const JointPlan& joint, const double* q, int b, Kinematics& k) {
  switch (joint.type) {
    case JointType::weld:
      update_unturned(joint, b, k);
      return update_origin(joint, Vec3::Zero(), b, k);
    case JointType::revolute:
      return update_revolute(joint, q[0], b, k);
    case JointType::prismatic:
      return update_prismatic(joint, q[0], b, k);
    case JointType::screw:
      return update_screw(joint, q[0], b, k);
    case JointType::cylindrical:
      return update_cylindrical(joint, q, b, k);
    case JointType::universal:
      return update_universal(joint, q, b, k);
    case JointType::spherical:
      update_ball(joint, q, Vec3::Zero(), b, k);
      return;
    case JointType::planar:
      return update_planar(joint, q, b, k);
    case JointType::free:
      return update_free(joint, q, b, k);
    case JointType::translation:
      return update_translation(joint, q, b, k);
  }
}

}  // namespace

Kinematics::Kinematics(const System& system)
    : plan(system),
      X_WB(system.bodies.size()),
      p_PB(system.bodies.size(), Vec3::Zero()),
      p_MB(system.bodies.size(), Vec3::Zero()),
      H(system.bodies.size(), Mat6::Zero()),
      V_WB(system.bodies.size(), Vec6::Zero()),
      bias(system.bodies.size(), Vec6::Zero()),
      A_bias(system.bodies.size(), Vec6::Zero()) {
  for (int b : plan.fixed) update_pose(plan.joints[b], nullptr, b, *this);
  for (int b : plan.moving) {
    if (plan.joints[b].plain) H[b].setIdentity();
  }
}

void update_positions(const System&, const VecX& q, Kinematics& k) {
  for (int b : k.plan.moving) {
    const JointPlan& joint = k.plan.joints[b];
    const double* q_joint = q.data() + joint.q_start;
    if (joint.plain) {
      update_plain(q_joint, b, k);
    } else {
      update_pose(joint, q_joint, b, k);
    }
  }
}

Vec3 calc_point_position(const Kinematics& k, int body, const Vec3& p_BQ) {
  return k.X_WB[body] * p_BQ;
}

Vec3 calc_point_velocity(const Kinematics& k, int body, const Vec3& p_BQ) {
  const Vec3 r = k.X_WB[body].R * p_BQ;
  return linear(k.V_WB[body]) + angular(k.V_WB[body]).cross(r);
}

}  // namespace stiction
