#include "stiction/multibody/dynamics.h"

namespace stiction {

void calc_frame_jacobian(const System& system, const Kinematics& k, int body, const Vec3& p_BQ, MatX& J) {
  J.setZero(6, system.nv);
  // r: from the origin of body b to Q.
  Vec3 r = k.X_WB[body].R * p_BQ;
  for (int b = body; b != 0; b = k.plan.joints[b].parent) {
    const JointPlan& joint = k.plan.joints[b];
    for (int i = 0; i < joint.nv; ++i) J.col(joint.v_start + i) = shift_velocity(k.H[b].col(i), r);
    r += k.p_PB[b];
  }
}

void add_body_force(const System&, const Kinematics& k, int body, const Vec6& F_body, Eigen::Ref<VecX> tau) {
  Vec6 F = F_body;
  for (int b = body; b != 0; b = k.plan.joints[b].parent) {
    const JointPlan& joint = k.plan.joints[b];
    for (int i = 0; i < joint.nv; ++i) tau[joint.v_start + i] += k.H[b].col(i).dot(F);
    F = shift_force(F, k.p_PB[b]);
  }
}

}  // namespace stiction
