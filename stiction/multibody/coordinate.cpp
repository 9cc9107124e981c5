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

int index_in_q(const System& system, const Kinematics& kinematics, CoordinateRef ref) {
  return kinematics.plan.joints[joint_of(system, ref).child].q_start + ref.component;
}

int index_in_v(const System& system, const Kinematics& kinematics, CoordinateRef ref) {
  return kinematics.plan.joints[joint_of(system, ref).child].v_start + ref.component;
}

PairPose calc_pose(const System& system, const Kinematics& kinematics, const NamedJoint& joint) {
  STICTION_DCHECK(joint.constraint >= 0);
  return calc_pair_pose(kinematics, system.constraints[joint.constraint].frames);
}

/// What a coordinate in constraint form is.
enum class CoordinateKind { turn_z, universal_z, universal_x, displacement };

CoordinateKind kind_of(const NamedJoint& joint, int component) {
  if (find_turn(joint.kind, component) < 0) return CoordinateKind::displacement;
  if (type_of(joint.kind) != JointType::universal) return CoordinateKind::turn_z;
  return component == 0 ? CoordinateKind::universal_z : CoordinateKind::universal_x;
}

/// The axis of F along which a displacement is measured.
int axis_of(const NamedJoint& joint, int component) {
  const JointType type = type_of(joint.kind);
  return type == JointType::planar || type == JointType::translation ? component : 2;
}

/// (1): sine and cosine of the two angles of a universal joint.
constexpr AnglePart sine_z = {1, 0}, cosine_z = {0, 0}, sine_x = {2, 1}, cosine_x = {2, 2};

Measure calc_measure(const PairPose& pose, const NamedJoint& joint, int component) {
  switch (kind_of(joint, component)) {
    case CoordinateKind::turn_z:
      return calc_turn(pose);
    case CoordinateKind::universal_z:
      return calc_axes_angle(pose, sine_z, cosine_z);
    case CoordinateKind::universal_x:
      return calc_axes_angle(pose, sine_x, cosine_x);
    case CoordinateKind::displacement:
      break;
  }
  return calc_displacement(pose, axis_of(joint, component));
}

double calc_measure_bias(const PairPose& pose, const PairMotion& motion, const NamedJoint& joint, int component) {
  switch (kind_of(joint, component)) {
    case CoordinateKind::turn_z:
      return calc_turn_bias(pose, motion);
    case CoordinateKind::universal_z:
      return calc_axes_angle_bias(pose, motion, sine_z, cosine_z);
    case CoordinateKind::universal_x:
      return calc_axes_angle_bias(pose, motion, sine_x, cosine_x);
    case CoordinateKind::displacement:
      break;
  }
  return calc_displacement_bias(pose, motion, axis_of(joint, component));
}

double calc_position(const NamedJoint& joint, CoordinateRef ref, const Measure& measure, const VecX& z) {
  const int turn = find_turn(joint.kind, ref.component);
  if (turn < 0 || joint.turns_start < 0) return measure.value;
  return add_whole_turns(measure.value, z[joint.turns_start + turn]);
}

}  // namespace

bool has_coordinates(const JointKind& kind) {
  return calc_nq(kind) > 0 && calc_nq(kind) == calc_nv(kind);
}

int find_turn(const JointKind& kind, int component) {
  switch (type_of(kind)) {
    case JointType::revolute:
    case JointType::screw:
    case JointType::cylindrical:
      return component == 0 ? 0 : -1;
    case JointType::universal:
      return component;
    case JointType::planar:
      return component == 2 ? 0 : -1;
    case JointType::weld:
    case JointType::prismatic:
    case JointType::spherical:
    case JointType::free:
    case JointType::translation:
      break;
  }
  return -1;
}

int calc_turns_count(const JointKind& kind) {
  int count = 0;
  for (int k = 0; k < calc_nq(kind); ++k) count += find_turn(kind, k) >= 0 ? 1 : 0;
  return count;
}

CoordinateValue calc_coordinate(const System& system, const Kinematics& kinematics, const VecX& q, const VecX& v,
                                const VecX& z, CoordinateRef ref) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) return {q[index_in_q(system, kinematics, ref)], v[index_in_v(system, kinematics, ref)]};
  const PairPose pose = calc_pose(system, kinematics, joint);
  const Measure measure = calc_measure(pose, joint, ref.component);
  return {calc_position(joint, ref, measure, z), calc_measure_rate(measure, pose, kinematics)};
}

double calc_coordinate_position(const System& system, const Kinematics& kinematics, const VecX& q, const VecX& z,
                                CoordinateRef ref) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) return q[index_in_q(system, kinematics, ref)];
  return calc_position(joint, ref, calc_measure(calc_pose(system, kinematics, joint), joint, ref.component), z);
}

void add_coordinate_force(const System& system, const Kinematics& kinematics, CoordinateRef ref, double force,
                          std::vector<Vec6>& F, VecX& tau) {
  const NamedJoint& joint = joint_of(system, ref);
  if (in_tree(joint)) {
    tau[index_in_v(system, kinematics, ref)] += force;
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
    row[index_in_v(system, kinematics, ref)] += factor;
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
  return calc_measure_bias(pose, calc_pair_motion(kinematics, pose), joint, ref.component);
}

}  // namespace stiction
