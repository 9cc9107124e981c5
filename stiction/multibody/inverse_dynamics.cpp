#include "stiction/multibody/joint_force.h"

namespace stiction {

Vec6 calc_joint_force(const System& system, const Kinematics& k, const std::vector<Vec6>& F, const TreeDynamics& t,
                      int body) {
  const std::vector<JointPlan>& joints = k.plan.joints;
  if (joints[body].type != JointType::weld || joints[body].parent_moves) return t.F_joint[body];
  const double mass = t.inertia[body].mass;
  const Vec3 moment = k.X_WB[body].R * t.inertia[body].moment;
  Vec6 held = -(F[body] + make_spatial(moment.cross(system.gravity), mass * system.gravity));
  for (int child = body + 1; child < system.n_bodies(); ++child) {
    if (joints[child].parent == body) held += shift_force(calc_joint_force(system, k, F, t, child), k.p_PB[child]);
  }
  return held;
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
}

}  // namespace stiction
