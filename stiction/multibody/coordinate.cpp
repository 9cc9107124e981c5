#include "stiction/multibody/coordinate.h"

#include "stiction/base/check.h"
#include "stiction/multibody/dynamics.h"
#include "stiction/multibody/pair_measure.h"

namespace stiction {
namespace {

const NamedJoint& joint_of(const System& system, CoordinateRef ref) {
  return system.named_joints[ref.joint];
}

bool in_tree(const NamedJoint& joint) {
  return joint.form == JointForm::tree;
}

int index_in_q(const System& system, CoordinateRef ref) {
  return system.joints[joint_of(system, ref).child].q_start + ref.component;
}

int index_in_v(const System& system, CoordinateRef ref) {
  return system.joints[joint_of(system, ref).child].v_start + ref.component;
}

/// Constraint form: is component k an angle (else a displacement)?
bool is_angle(const NamedJoint& joint, int component) {
  return component == 0 && !std::holds_alternative<JointPrismatic>(joint.kind);
}

PairPose calc_pose(const System& system, const Kinematics& kinematics, const NamedJoint& joint) {
  STICTION_DCHECK(joint.constraint >= 0);
  return calc_pair_pose(kinematics, system.constraints[joint.constraint].frames);
}

Measure calc_measure(const PairPose& pose, const NamedJoint& joint, int component) {
  return is_angle(joint, component) ? calc_turn(pose) : calc_displacement(pose, 2);
}

double calc_position(const NamedJoint& joint, CoordinateRef ref, const Measure& measure, const VecX& z) {
  if (!is_angle(joint, ref.component) || joint.turns_start < 0) return measure.value;
  return add_whole_turns(measure.value, z[joint.turns_start]);
}

}  // namespace

bool has_coordinates(const NamedJoint& joint) {
  if (in_tree(joint)) return calc_nq(joint.kind) > 0 && calc_nq(joint.kind) == calc_nv(joint.kind);
  return std::holds_alternative<JointRevolute>(joint.kind) || std::holds_alternative<JointPrismatic>(joint.kind) ||
         std::holds_alternative<JointScrew>(joint.kind) || std::holds_alternative<JointCylindrical>(joint.kind);
}

int calc_turns_count(const JointKind& kind) {
  return std::holds_alternative<JointRevolute>(kind) || std::holds_alternative<JointScrew>(kind) ||
                 std::holds_alternative<JointCylindrical>(kind)
             ? 1
             : 0;
}

CoordinateValue calc_coordinate(const System& system, const Kinematics& kinematics, const VecX& q, const VecX& v,
                                const VecX& z, CoordinateRef ref) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) return {q[index_in_q(system, ref)], v[index_in_v(system, ref)]};
  const PairPose pose = calc_pose(system, kinematics, joint);
  const Measure measure = calc_measure(pose, joint, ref.component);
  return {calc_position(joint, ref, measure, z), calc_measure_rate(measure, pose, kinematics)};
}

double calc_coordinate_position(const System& system, const Kinematics& kinematics, const VecX& q, const VecX& z,
                                CoordinateRef ref) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) return q[index_in_q(system, ref)];
  return calc_position(joint, ref, calc_measure(calc_pose(system, kinematics, joint), joint, ref.component), z);
}

void add_coordinate_force(const System& system, const Kinematics& kinematics, CoordinateRef ref, double force,
                          std::vector<Vec6>& F, VecX& tau) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) {
    tau[index_in_v(system, ref)] += force;
    return;
  }
  const PairPose pose = calc_pose(system, kinematics, joint);
  const Measure measure = calc_measure(pose, joint, ref.component);
  F[pose.body_a] += force * measure.F_a;
  F[pose.body_b] += force * measure.F_b;
}

void add_coordinate_row(const System& system, const Kinematics& kinematics, CoordinateRef ref, double factor,
                        Eigen::Ref<VecX> row) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) {
    row[index_in_v(system, ref)] += factor;
    return;
  }
  const PairPose pose = calc_pose(system, kinematics, joint);
  const Measure measure = calc_measure(pose, joint, ref.component);
  add_body_force(system, kinematics, pose.body_a, factor * measure.F_a, row);
  add_body_force(system, kinematics, pose.body_b, factor * measure.F_b, row);
}

double calc_coordinate_bias(const System& system, const Kinematics& kinematics, CoordinateRef ref) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) return 0;
  const PairPose pose = calc_pose(system, kinematics, joint);
  const PairMotion motion = calc_pair_motion(kinematics, pose);
  return is_angle(joint, ref.component) ? calc_turn_bias(pose, motion) : calc_displacement_bias(pose, motion, 2);
}

}  // namespace stiction
