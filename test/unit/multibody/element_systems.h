#pragma once

#include "stiction/multibody/equations.h"

#include "test/unit/multibody/random_tree.h"

namespace stiction {

/// A state with z = 0 and all modes on.
State make_state(const System& system, const VecX& q, const VecX& v);

/// A body on a free joint to the world, F = W and M = B. Returns its index.
int add_free_body(System& system, const MassProperties& mass);
/// Poses and velocities of free bodies into q and v.
void set_free_body(const System& system, int body, const Transform& X_WB, const Vec6& V_WB, State& state);

/// Names the inboard joint of a body. Returns the index of the named joint.
int add_tree_name(System& system, int child);
/// A joint between two bodies in constraint form, with its turns in z. Returns the index of the named joint.
int add_constraint_joint(System& system, const NamedJoint& joint);

/// A chain of `n` bodies on joints of one kind in random frames, at a random state, twice: as a tree, and as free
/// bodies held together by constraints, at the same poses and velocities. Named joint i - 1 leads to body i in both.
struct TwoForms {
  TwoForms(Random& random, const JointKind& kind, int n);
  System tree, free;
  State tree_state, free_state;
};

}  // namespace stiction
