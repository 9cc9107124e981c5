#include "stiction/multibody/joint_force.h"

namespace stiction {

void update_fixed_joint_forces(const System& system, const Kinematics& k, const std::vector<Vec6>& F, TreeDynamics& t) {
  const TreePlan& plan = k.plan;
  if (plan.fixed.empty()) return;
  for (int b : plan.fixed) {
    t.F_joint[b] =
        calc_inertia_force(calc_rotated(t.inertia[b], k.X_WB[b].R), Vec6::Zero(), Vec3::Zero(), system.gravity);
    t.F_joint[b] -= F[b];
  }
  // Roots of the moving trees first, then the fixed bodies from the tips on.
  const auto pass_on = [&](int b) {
    const JointPlan& joint = plan.joints[b];
    if (!joint.parent_moves && joint.parent != 0) add_shifted_force(t.F_joint[b], k.p_PB[b], t.F_joint[joint.parent]);
  };
  for (int b : plan.moving) pass_on(b);
  for (auto at = plan.fixed.rbegin(); at != plan.fixed.rend(); ++at) pass_on(*at);
}

void calc_inverse_dynamics(const System& system, const Kinematics& k, const VecX& vdot, const std::vector<Vec6>& F,
                           TreeDynamics& t, VecX& tau) {
  // Outwards: accelerations, and the force that each body alone needs.
  for (int b : k.plan.moving) {
    const JointPlan& joint = k.plan.joints[b];
    Vec6& A_rel = t.A_rel[b];
    A_rel = shift_velocity(t.A_rel[joint.parent], k.p_PB[b]);
    for (int i = 0; i < joint.nv; ++i) A_rel += k.H[b].col(i) * vdot[joint.v_start + i];
    t.A_WB[b] = k.A_bias[b] + A_rel;
    const RigidInertia inertia = calc_rotated(t.inertia[b], k.X_WB[b].R);
    t.F_joint[b] = calc_inertia_force(inertia, t.A_WB[b], angular(k.V_WB[b]), system.gravity) - F[b];
  }
  // Inwards: tau = H' F_joint, and the joint's reaction on the parent.
  for (auto at = k.plan.moving.rbegin(); at != k.plan.moving.rend(); ++at) {
    const int b = *at;
    const JointPlan& joint = k.plan.joints[b];
    for (int i = 0; i < joint.nv; ++i) tau[joint.v_start + i] = k.H[b].col(i).dot(t.F_joint[b]);
    if (joint.parent_moves) add_shifted_force(t.F_joint[b], k.p_PB[b], t.F_joint[joint.parent]);
  }
  update_fixed_joint_forces(system, k, F, t);
}

}  // namespace stiction
