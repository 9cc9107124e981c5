#include "test_system.h"

#include <cmath>

#include "stiction/math/rotation.h"
#include "stiction/multibody/constraint_joint.h"

namespace stiction {
namespace {

Joint make_joint(const JointKind& kind, System& system) {
  Joint joint;
  joint.kind = kind;
  joint.q_start = system.nq;
  joint.v_start = system.nv;
  joint.nq = calc_nq(kind);
  joint.nv = calc_nv(kind);
  system.nq += joint.nq;
  system.nv += joint.nv;
  return joint;
}

Body make_body(const std::string& name, double mass, const Vec3& com, const Mat3& inertia) {
  Body body;
  body.name = name;
  body.mass.mass = mass;
  body.mass.com = com;
  body.mass.inertia = inertia;
  return body;
}

System make_world(const Vec3& gravity) {
  System system;
  system.bodies.emplace_back().name = "world";
  system.joints.emplace_back();
  system.gravity = gravity;
  system.up = -gravity.normalized();
  return system;
}

State make_state(const System& system) {
  State state;
  state.q = VecX::Zero(system.nq);
  state.v = VecX::Zero(system.nv);
  state.z = VecX::Zero(system.nz);
  return state;
}

void set_free(State& state, const Quaternion& q, const Vec3& p, const Vec3& w, const Vec3& v) {
  state.q << q.w, q.x, q.y, q.z, p;
  state.v << w, v;
}

}  // namespace

System make_falling_ball() {
  System system = make_world({0, 0, -10});
  system.bodies.push_back(make_body("ball", 3, Vec3::Zero(), Vec3(0.1, 0.2, 0.4).asDiagonal()));
  system.joints.push_back(make_joint(JointFree{}, system));
  system.bodies.push_back(make_body("floor", 0, Vec3::Zero(), Mat3::Zero()));
  system.joints.push_back(make_joint(JointWeld{}, system));
  system.joints.back().X_PF.p = Vec3(0, 0, -1);
  system.initial = make_throw_state(system, {}, 0);
  return system;
}

State make_throw_state(const System& system, const Throw& start, double t) {
  State state = make_state(system);
  state.t = t;
  set_free(state, make_axis_angle(Vec3::UnitZ(), start.w * t), start.p0 + t * start.v0 + 0.5 * t * t * system.gravity,
           start.w * Vec3::UnitZ(), start.v0 + t * system.gravity);
  return state;
}

System make_pendulum(JointForm form) {
  System system = make_world({0, -rod_gravity, 0});
  system.bodies.push_back(
      make_body("rod", rod_mass, Vec3(0, 0.25 - rod_arm, 0), Vec3(0.04, 0.01, rod_inertia).asDiagonal()));
  NamedJoint hinge;
  hinge.name = "hinge";
  hinge.form = form;
  hinge.kind = JointRevolute{};
  hinge.child = 1;
  hinge.X_MB.p = Vec3(0, -0.25, 0);
  if (form == JointForm::tree) {
    system.joints.push_back(make_joint(hinge.kind, system));
    system.joints.back().X_MB = hinge.X_MB;
  } else {
    system.joints.push_back(make_joint(JointFree{}, system));
    hinge.turns_start = system.nz++;
    hinge.constraint = 0;
    system.constraints.push_back(make_joint_constraint(hinge));
  }
  system.named_joints.push_back(hinge);
  system.initial = make_pendulum_state(system, 0, 0);
  return system;
}

State make_pendulum_state(const System& system, double angle, double rate) {
  State state = make_state(system);
  if (system.named_joints[0].form == JointForm::tree) {
    state.q[0] = angle;
    state.v[0] = rate;
  } else {
    const Vec3 p = make_rotation_z(angle) * system.named_joints[0].X_MB.p, w(0, 0, rate);
    set_free(state, make_axis_angle(Vec3::UnitZ(), angle), p, w, w.cross(p));
    state.z[system.named_joints[0].turns_start] = angle;
  }
  return state;
}

}  // namespace stiction
