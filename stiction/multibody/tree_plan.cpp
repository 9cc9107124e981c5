#include "stiction/multibody/tree_plan.h"

#include "stiction/base/check.h"

namespace stiction {

namespace {

bool is_identity(const Transform& X) {
  return X.R == Mat3::Identity() && X.p == Vec3::Zero();
}

HingeRole choose_role(const Joint& joint, bool leaf) {
  if (joint.prescribed()) return HingeRole::rigid;
  switch (joint.nv) {
    case 0:
      return HingeRole::rigid;
    case 1:
      return HingeRole::one;
    case 2:
      return HingeRole::two;
    case 3:
      return HingeRole::three;
    default:
      return leaf ? HingeRole::free_leaf : HingeRole::six;
  }
}

/// R_PF Rz(angle) R_MB, sorted by 1, cos(angle) and sin(angle).
void set_rotation_parts(JointType type, const Mat3& R_PF, const Mat3& R_MB, JointFrames& frames) {
  if (type == JointType::weld || type == JointType::prismatic || type == JointType::translation) {
    frames.R_still = R_PF * R_MB;
    frames.R_cos.setZero();
    frames.R_sin.setZero();
    return;
  }
  frames.R_still = R_PF.col(2) * R_MB.row(2);
  frames.R_cos = R_PF.col(0) * R_MB.row(0) + R_PF.col(1) * R_MB.row(1);
  frames.R_sin = R_PF.col(1) * R_MB.row(0) - R_PF.col(0) * R_MB.row(1);
}

JointPlan make_plan(const Joint& joint, bool leaf, bool parent_moves) {
  STICTION_CHECK(joint.nq == calc_nq(joint.kind) && joint.nv == calc_nv(joint.kind));
  JointPlan plan;
  plan.type = type_of(joint.kind);
  plan.role = choose_role(joint, leaf);
  plan.parent = joint.parent;
  plan.q_start = joint.q_start;
  plan.v_start = joint.v_start;
  plan.nq = joint.nq;
  plan.nv = joint.nv;
  plan.prescribed = joint.prescribed() && joint.nv > 0;
  plan.parent_moves = parent_moves;
  plan.plain = plan.type == JointType::free && joint.parent == 0 && is_identity(joint.X_PF) && is_identity(joint.X_MB);
  return plan;
}

JointFrames make_frames(const Joint& joint) {
  JointFrames frames;
  if (const auto* screw = std::get_if<JointScrew>(&joint.kind)) frames.pitch = screw->pitch;
  frames.X_PF = joint.X_PF;
  frames.X_MB = joint.X_MB;
  frames.p_MB_B = joint.X_MB.R.transpose() * joint.X_MB.p;
  set_rotation_parts(type_of(joint.kind), joint.X_PF.R, joint.X_MB.R, frames);
  return frames;
}

}  // namespace

TreePlan::TreePlan(const System& system) {
  const int n = system.n_bodies();
  STICTION_CHECK(n > 0 && system.joints.size() == system.bodies.size());
  std::vector<bool> leaf(n, true), moves(n, false);
  for (int b = 1; b < n; ++b) leaf[system.joints[b].parent] = false;
  joints.resize(n);
  frames.resize(n);
  for (int b = 1; b < n; ++b) {
    const Joint& joint = system.joints[b];
    STICTION_CHECK(joint.parent >= 0 && joint.parent < b);
    moves[b] = joint.nv > 0 || moves[joint.parent];
    joints[b] = make_plan(joint, leaf[b], moves[joint.parent]);
    frames[b] = make_frames(joint);
    (moves[b] ? moving : fixed).push_back(b);
    if (const int offset = quaternion_offset(joint.kind); offset >= 0) quaternions.push_back(joint.q_start + offset);
    if (joints[b].prescribed) prescribed.push_back(b);
    const bool alone = joints[b].role == HingeRole::free_leaf && !joints[b].parent_moves;
    if (moves[b] && !alone) coupled.push_back(b);
  }
}

void select_bodies(const TreePlan& whole, const std::vector<BodyPlace>& bodies, TreePlan& part) {
  part.moving.clear();
  part.coupled.clear();
  part.quaternions.clear();
  part.prescribed.clear();
  for (const auto& [b, q_start, v_start] : bodies) {
    JointPlan& joint = part.joints[b];
    joint = whole.joints[b];
    joint.q_start = q_start;
    joint.v_start = v_start;
    part.moving.push_back(b);
    if (joint.role != HingeRole::free_leaf || joint.parent_moves) part.coupled.push_back(b);
    if (joint.type == JointType::spherical || joint.type == JointType::free) part.quaternions.push_back(q_start);
    if (joint.prescribed) part.prescribed.push_back(b);
  }
}

}  // namespace stiction
