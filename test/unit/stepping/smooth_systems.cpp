#include "smooth_systems.h"

#include "stiction/multibody/constraint_joint.h"

namespace stiction::test {
namespace {

// Joint axes are z axes of frames: this one lies along x.
Transform make_axis_along_x() {
  Transform X;
  X.R = make_frame_with_z(Vec3::UnitX(), Vec3::UnitY());
  return X;
}

// A slider along x whose body axes stay those of the world.
Joint make_slider(int parent) {
  Joint joint;
  joint.kind = JointPrismatic{};
  joint.parent = parent;
  joint.X_PF = make_axis_along_x();
  joint.X_MB = make_axis_along_x().inverse();
  return joint;
}

void add_coordinate_spring(System& system, int joint, double stiffness, double damping) {
  SpringTorsional spring;
  spring.coordinate = {joint, 0};
  spring.stiffness = stiffness;
  spring.damping = damping;
  system.forces.push_back({"spring", spring});
}

}  // namespace

System make_world(const Vec3& gravity) {
  System system;
  system.gravity = gravity;
  system.bodies.emplace_back().name = "world";
  system.joints.emplace_back();
  system.initial.z = VecX::Zero(system.nz);
  return system;
}

int add_body(System& system, const std::string& name, const MassProperties& mass, const Joint& joint) {
  const int body = system.n_bodies();
  Joint& placed = system.joints.emplace_back(joint);
  placed.q_start = system.nq, placed.v_start = system.nv;
  placed.nq = calc_nq(joint.kind), placed.nv = calc_nv(joint.kind);
  system.nq += placed.nq, system.nv += placed.nv;
  system.initial.q.conservativeResizeLike(VecX::Zero(system.nq));
  system.initial.v.conservativeResizeLike(VecX::Zero(system.nv));
  if (const int offset = quaternion_offset(joint.kind); offset >= 0) system.initial.q[placed.q_start + offset] = 1;
  Body& added = system.bodies.emplace_back();
  added.name = name;
  added.mass = mass;
  NamedJoint& named = system.named_joints.emplace_back();
  named.name = name + "_joint";
  named.kind = joint.kind;
  named.parent = joint.parent, named.child = body;
  named.X_PF = joint.X_PF, named.X_MB = joint.X_MB;
  return body;
}

Joint make_free_joint() {
  Joint joint;
  joint.kind = JointFree{};
  return joint;
}

MassProperties make_asymmetric_mass() {
  MassProperties mass;
  mass.mass = 2;
  mass.inertia = Vec3(1, 2, 2.5).asDiagonal();
  return mass;
}

MassProperties make_point_mass(double mass) {
  MassProperties result;
  result.mass = mass;
  result.inertia = 0.01 * mass * Mat3::Identity();
  return result;
}

System make_free_body() {
  System system = make_world(Vec3::Zero());
  add_body(system, "top", make_asymmetric_mass(), make_free_joint());
  system.initial.v << 0.7, 1.1, -0.9, 0.2, -0.1, 0.3;
  return system;
}

System make_spring_mass() {
  System system = make_world(Vec3::Zero());
  add_body(system, "mass", make_point_mass(2), make_slider(0));
  add_coordinate_spring(system, 0, 50, 0.4);
  system.initial.q[0] = 0.1;
  return system;
}

System make_rope() {
  System system = make_world({0, 0, -9.81});
  add_body(system, "weight", make_point_mass(1), make_free_joint());
  // A little beside the hook, so that the rope has a direction from the start.
  system.initial.q[6] = -0.2;
  SpringLinear rope;
  rope.b.body = 1;
  rope.stiffness = 400;
  rope.rest_length = 1;
  rope.side = SpringSide::tension;
  rope.mode = 0;
  system.forces.push_back({"rope", rope});
  system.n_modes = 1;
  system.initial.modes = {0};
  return system;
}

System make_constraint_pendulum() {
  System system = make_world({0, -9.81, 0});
  const int body = add_body(system, "bob", make_point_mass(1), make_free_joint());
  system.initial.q[4] = 1;
  NamedJoint hinge;
  hinge.name = "hinge";
  hinge.form = JointForm::constraint;
  hinge.kind = JointRevolute{};
  hinge.child = body;
  hinge.X_MB.p = Vec3::UnitX();
  hinge.constraint = 0;
  system.constraints.push_back(make_joint_constraint(hinge));
  system.named_joints.push_back(hinge);
  return system;
}

System make_arm() {
  System system = make_world({0, 0, -9.81});
  MassProperties link = make_point_mass(1);
  link.com = Vec3(0.2, 0, 0);
  for (int i = 0; i < 6; ++i) {
    Joint joint;
    joint.kind = JointRevolute{};
    joint.parent = i;
    if (i % 2 == 1) joint.X_PF.R = make_frame_with_z(Vec3::UnitY(), Vec3::UnitX());
    if (i % 2 == 1) joint.X_MB.R = joint.X_PF.R.transpose();
    joint.X_PF.p = i == 0 ? Vec3::Zero() : Vec3(0.4, 0, 0);
    add_body(system, "link" + std::to_string(i), link, joint);
    system.initial.q[i] = 0.1 * (i + 1);
  }
  return system;
}

System make_driven_mass(const TimeFunction& motion) {
  System system = make_world(Vec3::Zero());
  Joint slider = make_slider(0);
  slider.motion = CoordinateMotion{{motion}};
  const int cart = add_body(system, "cart", make_point_mass(1), slider);
  add_body(system, "mass", make_point_mass(0.5), make_slider(cart));
  add_coordinate_spring(system, 1, 30, 0);
  const Sample start = calc_sample(motion, 0);
  system.initial.q[0] = start.value;
  system.initial.v[0] = start.rate;
  return system;
}

}  // namespace stiction::test
