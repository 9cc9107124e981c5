#include "stiction/multibody/joint_force.h"

namespace stiction {

void calc_mass_matrix(const System& system, const Kinematics& k, TreeDynamics& t, MatX& M) {
  const std::vector<int>& moving = k.plan.moving;
  M.setZero(system.nv, system.nv);
  // I_C: each body with all bodies outboard of it, rigid.
  for (int b : moving) {
    RigidInertia inertia;
    rotate_inertia(t.inertia[b], k.X_WB[b].R, inertia);
    t.I_C[b] = make_spatial_inertia(inertia);
  }
  for (auto at = moving.rbegin(); at != moving.rend(); ++at) {
    const JointPlan& joint = k.plan.joints[*at];
    if (joint.parent_moves) add_shifted(t.I_C[*at], k.p_PB[*at], t.I_C[joint.parent]);
  }
  // M_ij = H_i' shift(I_C H_j): the force for a unit acceleration of axis j, seen by every axis i inboard of it.
  for (int b : moving) {
    const JointPlan& joint = k.plan.joints[b];
    for (int j = 0; j < joint.nv; ++j) {
      SpatialPair F = t.I_C[b] * load_spatial(k.H[b].col(j).data());
      for (int a = b; a != 0; a = k.plan.joints[a].parent) {
        const JointPlan& inboard = k.plan.joints[a];
        for (int i = 0; i < inboard.nv; ++i) {
          const double m = dot(load_spatial(k.H[a].col(i).data()), F);
          M(inboard.v_start + i, joint.v_start + j) = M(joint.v_start + j, inboard.v_start + i) = m;
        }
        F = shift_force(F, k.p_PB[a]);
      }
    }
  }
}

}  // namespace stiction
