#pragma once

#include "stiction/multibody/dynamics.h"
#include "stiction/multibody/joint_force.h"

namespace stiction {

/// The block of a joint whose velocities are those of its body.
template <class Put>
void put_inertia(const SpatialInertia& I, int start, const Put& put) {
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i <= j; ++i) {
      put(start + i, start + j, I.J(i, j));
      put(start + 3 + i, start + 3 + j, I.M(i, j));
    }
    for (int i = 0; i < 3; ++i) put(start + i, start + 3 + j, I.C(i, j));
  }
}

/// Composite rigid bodies: put(i, j, M_ij) for every pair of velocities of which one is inboard of the other, i there.
template <class Put>
void calc_mass_entries(const Kinematics& k, TreeDynamics& t, const Put& put) {
  const std::vector<int>& moving = k.plan.moving;
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
    if (joint.plain) {
      put_inertia(t.I_C[b], joint.v_start, put);
      continue;
    }
    for (int j = 0; j < joint.nv; ++j) {
      SpatialPair F = t.I_C[b] * load_spatial(k.H[b].col(j).data());
      for (int a = b; a != 0; a = k.plan.joints[a].parent) {
        const JointPlan& inboard = k.plan.joints[a];
        for (int i = 0; i < inboard.nv; ++i) {
          put(inboard.v_start + i, joint.v_start + j, dot(load_spatial(k.H[a].col(i).data()), F));
        }
        F = shift_force(F, k.p_PB[a]);
      }
    }
  }
}

}  // namespace stiction
