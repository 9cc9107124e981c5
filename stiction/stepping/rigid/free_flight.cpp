#include "stiction/stepping/rigid/free_flight.h"

#include "stiction/base/index.h"
#include "stiction/math/free_rotation.h"

namespace stiction {
namespace {

/// J x for the inertia of a body that is turned by R.
Vec3 multiply_inertia(const Mat3& J, const Mat3& R, const Vec3& x) {
  return R * (J * (R.transpose() * x));
}

}  // namespace

FreeFlight::FreeFlight(const RigidModel& model)
    : model_(model), flies_(model.system.bodies.size(), 0), masses_(TreeDynamics(model.system).free_body) {
  for (const int b : model.plan.moving) {
    const JointPlan& joint = model.plan.joints[at(b)];
    flies_[at(b)] =
        joint.role == HingeRole::free_leaf && joint.plain && !joint.prescribed && !masses_[at(b)].isotropic ? 1 : 0;
  }
}

void FreeFlight::begin(const Island& island) {
  bodies_.clear();
  for (const BodyPlace& place : island.bodies) {
    if (!flies_[at(place.body)]) continue;
    Body& body = bodies_.emplace_back();
    body.body = place.body, body.q_start = place.q_start, body.v_start = place.v_start;
    body.mass = masses_[at(place.body)];
  }
}

/// (1), with body.impulse; v_free is what it comes to without that impulse.
void FreeFlight::fly(const Step& step, const Mat3& R_s, Body& body, VecX& v_free) {
  const double h = step.h;
  const FreeBody& mass = body.mass;
  const Mat3 R = calc_matrix(read_quaternion(step.from.q.data() + body.q_start));
  const Vec3 w = step.from.v.segment<3>(body.v_start), dw = body.impulse.head<3>();
  const Vec6 F = step.free.calc_free_force(body.body);
  const Vec3 c_F = step.free.kinematics().X_WB[at(body.body)].R * mass.com;
  const Vec3 kick = h * (F.head<3>() - c_F.cross(F.tail<3>())) + multiply_inertia(mass.inertia, R_s, dw);
  const Vec3 L = multiply_inertia(mass.inertia, R, w);
  const FreeRotation rotation = calc_free_rotation(mass.inverse_inertia, R, L + 0.5 * kick, h);
  body.turn = rotation.turn;
  body.R_end = rotation.R_end;
  const Vec3 w_end =
      kick.isZero(0) ? rotation.velocity_end : multiply_inertia(mass.inverse_inertia, body.R_end, L + kick);
  body.L_end = L + kick;
  body.w_free = w_end - dw;
  v_free.segment<3>(body.v_start) = body.w_free;
  if (mass.centred) return;
  // The origin is carried around c: v = v_c - w x c
  const Vec3 dv = body.impulse.tail<3>(), c = R * mass.com;
  const Vec3 v_c = step.from.v.segment<3>(body.v_start + 3) + w.cross(c) + h * (mass.inverse_mass * F.tail<3>()) +
                   h * step.free.gravity() + dv + dw.cross(R_s * mass.com);
  v_free.segment<3>(body.v_start + 3) = v_c - w_end.cross(body.R_end * mass.com) - dv;
  body.v_c = v_c;
}

void FreeFlight::update(const Step& step, VecX& v_free) {
  for (Body& body : bodies_) {
    body.impulse.setZero();
    fly(step, Mat3::Identity(), body, v_free);
  }
}

void FreeFlight::correct(const Step& step, const Kinematics& at_s, const VecX& v_before, const VecX& v_end,
                         VecX& v_free) {
  for (Body& body : bodies_) {
    body.impulse = v_end.segment<6>(body.v_start) - v_before.segment<6>(body.v_start);
    fly(step, at_s.X_WB[at(body.body)].R, body, v_free);
  }
}

void FreeFlight::refer_to(const VecX& q_s, VecX& v_free) const {
  for (const Body& body : bodies_) {
    const Mat3 R_s = calc_matrix(read_quaternion(q_s.data() + body.q_start));
    const Vec3 w = multiply_inertia(body.mass.inverse_inertia, R_s, body.L_end);
    v_free.segment<3>(body.v_start) = w;
    if (!body.mass.centred) v_free.segment<3>(body.v_start + 3) = body.v_c - w.cross(R_s * body.mass.com);
  }
}

void FreeFlight::refer_accelerations(const Step& step, VecX& a) const {
  for (const Body& body : bodies_) {
    if (body.mass.centred) continue;
    const Vec6 F = step.free.calc_free_force(body.body);
    a.segment<3>(body.v_start + 3) = body.mass.inverse_mass * F.tail<3>() + step.free.gravity();
  }
}

void FreeFlight::add_turns(const Step& step, double theta, const VecX& weight, const VecX& v_end,
                           VecX& displacement) const {
  for (const Body& body : bodies_) {
    const Vec3 dw = v_end.segment<3>(body.v_start) - body.w_free;
    const Vec3 turn = body.turn + theta * step.h * (dw - body.impulse.head<3>());
    displacement.segment<3>(body.v_start) = turn;
    if (body.mass.centred) continue;
    // `weight` moved the origin by h (w x c) along tangents: it goes round c instead, c itself as before.
    const Mat3 R = calc_matrix(read_quaternion(step.from.q.data() + body.q_start));
    const Vec3 c = R * body.mass.com, c_end = calc_matrix(calc_exponential(turn)) * c;
    const Vec3 w = step.from.v.segment<3>(body.v_start), w_end = v_end.segment<3>(body.v_start);
    const double of_end = weight[body.v_start + 3];
    displacement.segment<3>(body.v_start + 3) +=
        step.h * (of_end * w_end.cross(c_end) + (1 - of_end) * w.cross(c)) - (c_end - c);
  }
}

}  // namespace stiction
