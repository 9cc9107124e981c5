#include "stiction/multibody/joint_force.h"

namespace stiction {

void update_fixed_joint_forces(const System& system, const Kinematics& k, const std::vector<Vec6>& F, TreeDynamics& t) {
  const TreePlan& plan = k.plan;
  if (plan.fixed.empty()) return;
  for (int b : plan.fixed) {
    const double mass = t.inertia[b].mass;
    const Vec3 moment = k.X_WB[b].R * t.inertia[b].moment;
    const SpatialPair weight{moment.cross(system.gravity), mass * system.gravity};
    (load_spatial(F[b].data()) + weight).store(t.F_joint[b].data());
    t.F_joint[b] *= -1;
  }
  // Roots of the moving trees first, then the fixed bodies from the tips on.
  const auto pass_on = [&](int b) {
    const JointPlan& joint = plan.joints[b];
    if (joint.parent_moves || joint.parent == 0) return;
    add_shifted_force(load_spatial(t.F_joint[b].data()), k.p_PB[b], t.F_joint[joint.parent]);
  };
  for (int b : plan.moving) pass_on(b);
  for (auto at = plan.fixed.rbegin(); at != plan.fixed.rend(); ++at) pass_on(*at);
}

void calc_inverse_dynamics(const System& system, const Kinematics& k, const VecX& vdot, const std::vector<Vec6>& F,
                           TreeDynamics& t, VecX& tau) {
  // Outwards: accelerations, and the force that each body alone needs.
  for (int b : k.plan.moving) {
    const JointPlan& joint = k.plan.joints[b];
    SpatialPair A_rel = shift_velocity(load_spatial(t.A_rel[joint.parent].data()), k.p_PB[b]);
    for (int i = 0; i < joint.nv; ++i) A_rel = A_rel + load_spatial(k.H[b].col(i).data()) * vdot[joint.v_start + i];
    A_rel.store(t.A_rel[b].data());
    const SpatialPair A = load_spatial(k.A_bias[b].data()) + A_rel;
    A.store(t.A_WB[b].data());
    RigidInertia inertia;
    rotate_inertia(t.inertia[b], k.X_WB[b].R, inertia);
    const SpatialPair needed = calc_inertia_force(inertia, A, angular(k.V_WB[b]), system.gravity);
    (needed - load_spatial(F[b].data())).store(t.F_joint[b].data());
  }
  // Inwards: tau = H' F_joint, and the joint's reaction on the parent.
  for (auto at = k.plan.moving.rbegin(); at != k.plan.moving.rend(); ++at) {
    const int b = *at;
    const JointPlan& joint = k.plan.joints[b];
    const SpatialPair F_joint = load_spatial(t.F_joint[b].data());
    for (int i = 0; i < joint.nv; ++i) tau[joint.v_start + i] = dot(load_spatial(k.H[b].col(i).data()), F_joint);
    if (joint.parent_moves) add_shifted_force(F_joint, k.p_PB[b], t.F_joint[joint.parent]);
  }
  update_fixed_joint_forces(system, k, F, t);
}

}  // namespace stiction
