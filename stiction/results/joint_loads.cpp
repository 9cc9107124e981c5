#include "stiction/results/joint_loads.h"

namespace stiction {

JointLoads::JointLoads(const System& system) : system_(system), scratch_(system) {
  for (const NamedJoint& joint : system.named_joints) {
    const bool measured = joint.form == JointForm::constraint && has_coordinates(joint.kind);
    actors_.emplace_back(measured ? static_cast<std::size_t>(calc_nq(joint.kind)) : 0);
  }
  add_elements();
  add_couplers();
}

JointLoads::Actors* JointLoads::find_actors(CoordinateRef coordinate) {
  auto& of_joint = actors_[static_cast<std::size_t>(coordinate.joint)];
  return of_joint.empty() ? nullptr : &of_joint[static_cast<std::size_t>(coordinate.component)];
}

void JointLoads::add_elements() {
  for (const Force& force : system_.forces) {
    const CoordinateRef* coordinate = nullptr;
    if (const auto* motor = std::get_if<Motor>(&force.kind)) coordinate = &motor->coordinate;
    if (const auto* spring = std::get_if<SpringTorsional>(&force.kind)) coordinate = &spring->coordinate;
    if (const auto* stop = std::get_if<JointStop>(&force.kind)) coordinate = &stop->coordinate;
    if (const auto* friction = std::get_if<JointFriction>(&force.kind)) coordinate = &friction->coordinate;
    if (const auto* held = std::get_if<HeldForce>(&force.kind); held && held->body < 0) coordinate = &held->coordinate;
    if (Actors* actors = coordinate ? find_actors(*coordinate) : nullptr) actors->elements.push_back(&force);
  }
}

void JointLoads::add_couplers() {
  int row_index = 0;
  for (const Constraint& constraint : system_.constraints) {
    for (const ConstraintRow& row : constraint.rows) {
      if (const auto* coupler = std::get_if<RowCoupler>(&row)) {
        for (std::size_t k = 0; k < coupler->coordinates.size(); ++k) {
          if (Actors* actors = find_actors(coupler->coordinates[k])) {
            actors->couplers.push_back({row_index, coupler->ratios[k]});
          }
        }
      }
      ++row_index;
    }
  }
}

Vec6 JointLoads::calc_unit_wrench(const Equations& equations, CoordinateRef coordinate) {
  Vec6& F_child = scratch_.F[static_cast<std::size_t>(joint_of(coordinate.joint).child)];
  F_child.setZero();
  add_coordinate_force(system_, equations.kinematics(), coordinate, 1.0, scratch_.F, scratch_.tau);
  return F_child;
}

Vec6 JointLoads::calc_wrench(const Equations& equations, const State& state, CoordinateRef coordinate) {
  const Instant instant{system_, equations.kinematics(), state.t, equations.q(), equations.v(), state.z};
  const Actors& actors = *find_actors(coordinate);
  // Couplers: the force ratio * lambda on the coordinate; beside it that of rigid limits and friction.
  double row_sum = 0;
  for (const CouplerUse& use : actors.couplers) row_sum += use.ratio * equations.lambda()[use.row];
  const int row_force = joint_of(coordinate.joint).row_force_start;
  if (row_force >= 0) row_sum += state.z[row_force + coordinate.component];
  const Vec6 W_rows = row_sum * calc_unit_wrench(equations, coordinate);
  // Motors and springs, as the equations of motion have them.
  Vec6& F_child = scratch_.F[static_cast<std::size_t>(joint_of(coordinate.joint).child)];
  F_child.setZero();
  for (const Force* force : actors.elements) add_force(*force, instant, state.modes, scratch_);
  return F_child + W_rows;
}

double JointLoads::calc_force(const Equations& equations, const State& state, CoordinateRef coordinate) {
  const NamedJoint& joint = joint_of(coordinate.joint);
  if (joint.form == JointForm::tree) {
    return equations.tau()[system_.joints[static_cast<std::size_t>(joint.child)].v_start + coordinate.component];
  }
  const Vec6 W = calc_wrench(equations, state, coordinate);
  const Vec6 U = calc_unit_wrench(equations, coordinate);
  return W.dot(U) / U.squaredNorm();
}

Vec6 JointLoads::calc_reaction(const Equations& equations, const State& state, int joint_index) {
  const NamedJoint& joint = joint_of(joint_index);
  Vec6 F_child = Vec6::Zero();
  if (joint.form == JointForm::tree) {
    F_child = equations.calc_joint_force(joint.child);
  } else {
    F_child = equations.calc_constraint_force(joint.constraint);
    for (int k = 0; k < static_cast<int>(actors_[static_cast<std::size_t>(joint_index)].size()); ++k) {
      F_child += calc_wrench(equations, state, {joint_index, k});
    }
  }
  // From the child's origin to that of M: r = p_MB.
  const Transform& X_WB = equations.kinematics().X_WB[static_cast<std::size_t>(joint.child)];
  const Vec3 p_BM = joint.X_MB.inverse().p;
  return shift_force(F_child, -(X_WB.R * p_BM));
}

}  // namespace stiction
