#include "stiction/stepping/rigid/rigid_model.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"
#include "stiction/geometry/shape/smaller_size.h"
#include "stiction/math/spatial.h"

namespace stiction {
namespace {

std::vector<GuardedCoordinate> list_guarded(const System& system) {
  std::vector<GuardedCoordinate> list;
  for (std::size_t j = 0; j < system.named_joints.size(); ++j) {
    const NamedJoint& joint = system.named_joints[j];
    const std::size_t n = std::max({joint.limits.size(), joint.friction.size(), joint.load_factor.size()});
    for (std::size_t k = 0; k < n; ++k) {
      list.push_back({.ref = {static_cast<int>(j), static_cast<int>(k)},
                      .limit = joint.limits.empty() ? JointLimit{} : joint.limits[k],
                      .friction = joint.friction.empty() ? 0 : joint.friction[k],
                      .static_friction = joint.static_friction.empty() ? 0 : joint.static_friction[k],
                      .stribeck_velocity = joint.stribeck_velocity.empty() ? 1 : joint.stribeck_velocity[k],
                      .dwell_time = joint.dwell_time,
                      .dwell_entry = joint.dwell_entry.empty() ? -1 : joint.dwell_entry[k],
                      .load_factor = joint.load_factor.empty() ? 0 : joint.load_factor[k],
                      .load_entry = joint.load_entry.empty() ? -1 : joint.load_entry[k],
                      .load_time = joint.load_time,
                      .slides = std::string_view(coordinate_name(joint.kind, static_cast<int>(k)).unit) == "m",
                      .force_entry = joint.row_force_start < 0 ? -1 : joint.row_force_start + static_cast<int>(k)});
    }
  }
  return list;
}

/// The bodies between which a coordinate is measured.
void add_bodies_of(const System& system, const CoordinateRef& ref, std::vector<int>& bodies) {
  const NamedJoint& joint = system.named_joints[at(ref.joint)];
  bodies.push_back(joint.child);
  bodies.push_back(joint.parent);
}

struct ListBodies {
  const System& system;
  std::vector<int> operator()(const SpringLinear& spring) const { return {spring.a.body, spring.b.body}; }
  std::vector<int> operator()(const Bushing& bushing) const { return {bushing.body_a, bushing.body_b}; }
  std::vector<int> operator()(const SpringSpatial& spring) const { return {spring.body_a, spring.body_b}; }
  std::vector<int> operator()(const Damper& damper) const { return {damper.a.body, damper.b.body}; }
  std::vector<int> operator()(const AppliedForce& force) const { return {force.at.body}; }
  std::vector<int> operator()(const SpringTorsional& spring) const { return list(spring.coordinate); }
  std::vector<int> operator()(const Motor& motor) const { return list(motor.coordinate); }
  std::vector<int> operator()(const JointStop& stop) const { return list(stop.coordinate); }
  std::vector<int> operator()(const JointFriction& friction) const { return list(friction.coordinate); }
  std::vector<int> operator()(const HeldForce& held) const {
    return held.body >= 0 ? std::vector<int>{held.body} : list(held.coordinate);
  }
  std::vector<int> list(const CoordinateRef& ref) const {
    std::vector<int> bodies;
    add_bodies_of(system, ref, bodies);
    return bodies;
  }
};

/// Does the force of an element depend on velocities?
struct IsDamped {
  bool operator()(const SpringLinear& spring) const { return spring.damping != 0; }
  bool operator()(const Bushing& bushing) const { return !bushing.damping.isZero(0) || !bushing.friction.isZero(0); }
  bool operator()(const SpringSpatial& spring) const { return !spring.damping.isZero(0); }
  bool operator()(const Damper&) const { return true; }
  bool operator()(const AppliedForce&) const { return false; }
  bool operator()(const SpringTorsional& spring) const { return spring.damping != 0; }
  bool operator()(const Motor& motor) const { return motor.derivative != 0; }
  // Rows of their own here.
  bool operator()(const JointStop&) const { return false; }
  bool operator()(const JointFriction&) const { return false; }
  bool operator()(const HeldForce&) const { return false; }
};

std::vector<int> list_bodies(const System& system, const Constraint& constraint) {
  std::vector<int> bodies = {constraint.frames.body_a, constraint.frames.body_b};
  for (const ConstraintRow& row : constraint.rows) {
    const auto* coupler = std::get_if<RowCoupler>(&row);
    if (!coupler) continue;
    for (const CoordinateRef& ref : coupler->coordinates) add_bodies_of(system, ref, bodies);
  }
  return bodies;
}

/// Does nothing but gravity act on a body of its own, and no gyroscopic moment?
bool is_free_of_velocity_forces(const System& system, int body) {
  const Joint& joint = system.joints[at(body)];
  const MassProperties& mass = system.bodies[at(body)].mass;
  if (joint.nv == 0 || joint.prescribed()) return true;
  const bool at_centre = joint.parent == 0 && mass.com.isZero(0) && joint.X_MB.p.isZero(0);
  if (type_of(joint.kind) == JointType::planar) return at_centre;
  if (type_of(joint.kind) == JointType::translation) return joint.parent == 0;
  return type_of(joint.kind) == JointType::free && at_centre &&
         mass.inertia.isApprox(Mat3(mass.inertia(0, 0) * Mat3::Identity()), 1e-15);
}

/// A law with restitution names the shape on one of its sides, or is the default.
bool may_rebound(const ContactModel& model, const ContactShape& shape) {
  return std::any_of(model.rules.begin(), model.rules.end(), [&](const ContactRule& rule) {
    if (!rule.law.may_rebound() || !rule.touches) return false;
    const auto names = [&](const std::string& side) {
      return side.empty() || side == shape.name || side == shape.body_name || side == shape.material;
    };
    return names(rule.a) || names(rule.b);
  });
}

}  // namespace

RigidModel::RigidModel(const System& of_system, const MethodSettings& with, const RigidTolerances& by,
                       const FailurePolicy& failing)
    : system(of_system),
      settings(with),
      tolerances(by),
      policy(failing),
      solved(make_solved_measure(settings.solver_tolerance, system.gravity.norm())),
      formulation(make_formulation(with, tolerances)),
      plan(system),
      clusters(system),
      coordinates(list_guarded(system)),
      parts(at(clusters.size())) {
  has_layers = system.contact.has_layers();
  has_static_friction = std::any_of(system.contact.rules.begin(), system.contact.rules.end(),
                                    [](const ContactRule& rule) { return rule.law.has_static_friction(); });
  has_joint_dwell = std::any_of(coordinates.begin(), coordinates.end(),
                                [](const GuardedCoordinate& coordinate) { return coordinate.dwell_entry >= 0; });
  has_load_friction = std::any_of(coordinates.begin(), coordinates.end(),
                                  [](const GuardedCoordinate& coordinate) { return coordinate.feels_load(); });
  tolerances.slip_speed = std::max(tolerances.slip_speed, 10 * solved.exact);
  const TreeDynamics dynamics(system);
  const auto cluster_of = [&](int body) { return clusters.of_body[at(body)]; };
  for (const ContactShape& shape : system.contact.shapes) {
    const double size = stiction::calc_size(shape.shape);
    shapes.push_back({shape.body, cluster_of(shape.body), size, size + shape.X_BS.p.norm(), shape.moves_freely,
                      shape.planar, !shape.surface_velocity.empty()});
    const int index = static_cast<int>(shapes.size()) - 1;
    if (shapes.back().cluster < 0) {
      fixed_shapes.push_back(index);
      continue;
    }
    Cluster& part = parts[at(shapes.back().cluster)];
    part.shapes.push_back(index);
    part.may_rebound = part.may_rebound || may_rebound(system.contact, shape);
  }
  for (const Joint& joint : system.joints) free_velocities += joint.prescribed() ? 0 : calc_nv(joint.kind);
  for (Cluster& part : parts) part.is_ball = true;
  for (const int b : plan.moving) {
    if (cluster_of(b) < 0) continue;
    Cluster& part = parts[at(cluster_of(b))];
    part.bodies.push_back(b);
    part.feels_velocity = part.feels_velocity || !is_free_of_velocity_forces(system, b);
    part.is_jointed = part.is_jointed || cluster_of(system.joints[at(b)].parent) >= 0;
    part.is_ball = part.is_ball && plan.joints[at(b)].plain && dynamics.free_body[at(b)].isotropic;
  }
  // (So are those of cubes; but boxes that topple tell the last digit of their inertia, which turns with them.)
  for (const Shape& shape : shapes) {
    const auto& exact = system.contact.shapes[static_cast<std::size_t>(&shape - shapes.data())].shape;
    if (shape.cluster >= 0 && !std::holds_alternative<Sphere>(exact)) parts[at(shape.cluster)].is_ball = false;
  }
  // What acts on clusters, and which of them it connects.
  std::vector<int> root(parts.size());
  std::iota(root.begin(), root.end(), 0);
  std::vector<std::set<int>> drivers(parts.size());
  const auto attach = [&](const std::vector<int>& bodies) {
    int first = -1;
    for (const int body : bodies) {
      if (cluster_of(body) < 0) continue;
      if (first < 0) first = cluster_of(body);
      const int a = find_root(root, first), b = find_root(root, cluster_of(body));
      root[at(std::max(a, b))] = std::min(a, b);
    }
    if (first < 0) return -1;
    for (int body : bodies) {
      for (; body != 0 && cluster_of(body) < 0; body = plan.joints[at(body)].parent) {
        if (plan.joints[at(body)].nv > 0 || plan.joints[at(body)].parent_moves) drivers[at(first)].insert(body);
      }
    }
    return first;
  };
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const int cluster = attach(std::visit(ListBodies{system}, system.forces[f].kind));
    if (cluster < 0) continue;
    parts[at(cluster)].forces.push_back(static_cast<int>(f));
    parts[at(cluster)].feels_velocity = true;
    parts[at(cluster)].is_damped = parts[at(cluster)].is_damped || std::visit(IsDamped{}, system.forces[f].kind);
  }
  for (std::size_t c = 0; c < system.constraints.size(); ++c) {
    const int cluster = attach(list_bodies(system, system.constraints[c]));
    if (cluster < 0) continue;
    parts[at(cluster)].constraints.push_back(static_cast<int>(c));
    parts[at(cluster)].is_ball = false;  // what its constraints leave of its masses turns with it
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    std::vector<int> bodies;
    add_bodies_of(system, coordinates[k].ref, bodies);
    const int cluster = attach(bodies);
    if (cluster >= 0) parts[at(cluster)].coordinates.push_back(static_cast<int>(k));
  }
  for (std::size_t c = 0; c < parts.size(); ++c) {
    for (const int body : parts[c].bodies) attach({body, plan.joints[at(body)].parent});
    parts[c].linked = find_root(root, static_cast<int>(c));
    parts[c].drivers.assign(drivers[c].begin(), drivers[c].end());
  }
}

double RigidModel::calc_core_gap(const Contact& contact) const {
  const PairLayers layers = find_layers(contact);
  double gap = contact.gap;
  for (int i = 0; i < layers.count; ++i) gap += layers.layer[at(i)]->thickness;
  return gap;
}

double RigidModel::calc_size(const Contact& contact) const {
  return calc_smaller_size(shape(contact.shape_a).size, shape(contact.shape_b).size);
}

double RigidModel::calc_distance(int index, const Kinematics& kinematics, double h) const {
  const Vec6& V = kinematics.V_WB[at(shape(index).body)];
  return h * (linear(V).norm() + angular(V).norm() * shape(index).arm);
}

double RigidModel::calc_reach(int index, const Kinematics& kinematics, double h) const {
  const Shape& facts = shape(index);
  if (!facts.moves && kinematics.V_WB[at(facts.body)].isZero()) return 0;
  return 2 * calc_distance(index, kinematics, h) + h * h * system.gravity.norm() +
         10 * tolerances.closed_gap_part * facts.size;
}

SpatialPair RigidModel::calc_motion(const Contact& contact, const Kinematics& kinematics) const {
  const auto velocity = [&](int index, const Vec3& point) {
    const std::size_t body = at(shape(index).body);
    return shift_velocity(load_spatial(kinematics.V_WB[body].data()), Vec3(point - kinematics.X_WB[body].p));
  };
  return velocity(contact.shape_b, contact.point_b) - velocity(contact.shape_a, contact.point_a);
}

double RigidModel::calc_normal_speed(const Contact& contact, const Kinematics& kinematics) const {
  return contact.normal.dot(calc_motion(contact, kinematics).v);
}

}  // namespace stiction
