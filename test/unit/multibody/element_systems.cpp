#include "test/unit/multibody/element_systems.h"

#include "stiction/multibody/constraint_joint.h"

namespace stiction {

State make_state(const System& system, const VecX& q, const VecX& v) {
  State state;
  state.q = q;
  state.v = v;
  state.z = VecX::Zero(system.nz);
  state.modes.assign(system.n_modes, 1);
  return state;
}

int add_free_body(System& system, const MassProperties& mass) {
  Joint joint;
  joint.kind = JointFree{};
  return add_body(system, joint, mass);
}

void set_free_body(const System& system, int body, const Transform& X_WB, const Vec6& V_WB, State& state) {
  const Joint& joint = system.joints[body];
  const Quaternion q = calc_quaternion(X_WB.R);
  state.q.segment<7>(joint.q_start) << q.w, q.x, q.y, q.z, X_WB.p;
  state.v.segment<6>(joint.v_start) = V_WB;
}

int add_tree_name(System& system, int child) {
  const Joint& joint = system.joints[child];
  NamedJoint named;
  named.name = "joint" + std::to_string(child);
  named.kind = joint.kind;
  named.parent = joint.parent;
  named.child = child;
  named.X_PF = joint.X_PF;
  named.X_MB = joint.X_MB;
  system.named_joints.push_back(named);
  return static_cast<int>(system.named_joints.size()) - 1;
}

int add_constraint_joint(System& system, const NamedJoint& joint) {
  NamedJoint named = joint;
  named.form = JointForm::constraint;
  named.constraint = static_cast<int>(system.constraints.size());
  if (const int turns = calc_turns_count(joint.kind); turns > 0) {
    named.turns_start = system.nz;
    system.nz += turns;
  }
  system.constraints.push_back(make_joint_constraint(named));
  system.named_joints.push_back(named);
  return static_cast<int>(system.named_joints.size()) - 1;
}

TwoForms::TwoForms(Random& random, const JointKind& kind, int n) : tree(make_world()), free(make_world()) {
  for (int i = 1; i <= n; ++i) {
    Joint joint;
    joint.kind = kind;
    joint.parent = i - 1;
    joint.X_PF = make_random_transform(random);
    joint.X_MB = make_random_transform(random);
    const MassProperties mass = make_random_mass(random);
    add_tree_name(tree, add_body(tree, joint, mass));
    add_free_body(free, mass);
    add_constraint_joint(free, tree.named_joints.back());
  }
  tree.gravity = free.gravity = make_random_vector(random, 5);
  tree_state = make_state(tree, make_random_values(random, tree.nq), make_random_values(random, tree.nv));
  normalize_quaternions(TreePlan(tree), tree_state.q);
  free_state = make_state(free, VecX::Zero(free.nq), VecX::Zero(free.nv));
  // The free bodies stand where the tree's do; angles are counted from the tree's coordinates.
  Kinematics kinematics(tree);
  update_positions(tree, tree_state.q, kinematics);
  update_velocities(tree, tree_state.v, kinematics);
  for (int b = 1; b <= n; ++b) {
    set_free_body(free, b, kinematics.X_WB[b], kinematics.V_WB[b], free_state);
    for (int k = 0; k < tree.joints[b].nq; ++k) {
      const int turn = find_turn(kind, k);
      if (turn >= 0)
        free_state.z[free.named_joints[b - 1].turns_start + turn] = tree_state.q[tree.joints[b].q_start + k];
    }
  }
}

}  // namespace stiction
