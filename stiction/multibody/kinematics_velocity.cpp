#include "stiction/math/spatial.h"
#include "stiction/multibody/kinematics.h"

namespace stiction {

namespace {

/// [hw; hv] = H v over the first N columns.
template <int N>
SpatialPair calc_hinge_motion(const Mat6& H, const double* v) {
  SpatialPair motion = load_spatial(H.data()) * v[0];
  for (int i = 1; i < N; ++i) motion = motion + load_spatial(H.data() + 6 * i) * v[i];
  return motion;
}

/// V_WB, bias and A_bias from the joint's own motion and its rest terms [c_w; c_v].
void update_across(const JointPlan& joint, const SpatialPair& h, const SpatialPair& c, int b, Kinematics& k) {
  const Vec3& d = k.p_PB[b];
  const SpatialPair V_P = load_spatial(k.V_WB[joint.parent].data()), A_P = load_spatial(k.A_bias[joint.parent].data());

  // (1)
  const Vec3 w_B = V_P.w + h.w;
  const Vec3 v_PB = V_P.w.cross(d) + h.v;
  store_spatial(w_B, V_P.v + v_PB, k.V_WB[b].data());
  // (3)
  const SpatialPair bias{V_P.w.cross(h.w) + c.w, V_P.w.cross(v_PB) + w_B.cross(h.v) + c.v};
  bias.store(k.bias[b].data());
  // (2) with vdot = 0
  (shift_velocity(A_P, d) + bias).store(k.A_bias[b].data());
}

const SpatialPair no_motion{Vec3::Zero(), Vec3::Zero()};

void update_universal_velocity(const JointPlan& joint, const double* v, int b, Kinematics& k) {
  const Vec3 z = k.H[b].col(0).head<3>(), e = k.H[b].col(1).head<3>();
  const Vec3 c_w = v[0] * v[1] * z.cross(e);
  update_across(joint, calc_hinge_motion<2>(k.H[b], v), {c_w, c_w.cross(k.p_MB[b])}, b, k);
}

/// Planar and free: `u` is the velocity of M's origin relative to F.
void update_moving_origin(const JointPlan& joint, const SpatialPair& h, const Vec3& u, int b, Kinematics& k) {
  update_across(joint, h, {Vec3::Zero(), -h.w.cross(u)}, b, k);
}

}  // namespace

void update_velocities(const System&, const VecX& v_all, Kinematics& k) {
  for (int b : k.plan.moving) {
    const JointPlan& joint = k.plan.joints[b];
    const double* v = v_all.data() + joint.v_start;
    if (joint.plain) {
      // It has no bias: that stays zero as constructed.
      for (int i = 0; i < 6; ++i) k.V_WB[b][i] = v[i];
      continue;
    }
    const Mat6& H = k.H[b];
    switch (joint.type) {
      case JointType::weld:
        update_across(joint, no_motion, no_motion, b, k);
        break;
      case JointType::revolute:
      case JointType::prismatic:
      case JointType::screw:
        update_across(joint, calc_hinge_motion<1>(H, v), no_motion, b, k);
        break;
      case JointType::cylindrical:
        update_across(joint, calc_hinge_motion<2>(H, v), no_motion, b, k);
        break;
      case JointType::universal:
        update_universal_velocity(joint, v, b, k);
        break;
      case JointType::spherical:
        update_across(joint, calc_hinge_motion<3>(H, v), no_motion, b, k);
        break;
      case JointType::planar:
        update_moving_origin(joint, calc_hinge_motion<3>(H, v), H.col(0).tail<3>() * v[0] + H.col(1).tail<3>() * v[1],
                             b, k);
        break;
      case JointType::free:
        update_moving_origin(joint, calc_hinge_motion<6>(H, v), H.block<3, 3>(3, 3) * Vec3(v[3], v[4], v[5]), b, k);
        break;
      case JointType::translation:
        update_across(joint, joint.nv == 2 ? calc_hinge_motion<2>(H, v) : calc_hinge_motion<3>(H, v), no_motion, b, k);
        break;
    }
  }
}

}  // namespace stiction
