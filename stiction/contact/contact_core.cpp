#include "stiction/contact/contact_core.h"

#include <cmath>

#include "stiction/contact/round_pair.h"
#include "stiction/geometry/contact_kinematics.h"
#include "stiction/geometry/surface.h"

namespace stiction {
namespace {

Vec3 calc_point_velocity(const ContactBody& body, const Vec3& point) {
  return body.v + body.w.cross(point - body.X_WS.p);
}

Vec3 calc_tangential(const Vec3& u, const Vec3& n) {
  return u - n.dot(u) * n;
}

// The parts of an evaluation, local: a compiler that makes position-independent code must not inline what is public.

ContactMotion measure_motion(const ContactSite& site, const ContactBody& a, const ContactBody& b) {
  ContactMotion motion;
  motion.point = site.point_a + site.share * (site.point_b - site.point_a);
  motion.normal = site.normal;
  motion.depth = -site.gap;
  const Vec3 velocity = calc_point_velocity(b, motion.point) - calc_point_velocity(a, motion.point);
  // A moving surface slides and does not push.
  motion.approach = -site.normal.dot(velocity);
  motion.slip = calc_tangential(velocity + b.surface_velocity - a.surface_velocity, site.normal);
  motion.spin = site.normal.dot(b.w - a.w);
  return motion;
}

Vec3 measure_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b, const ContactSite& site) {
  const Vec3& n = site.normal;
  const Vec3 about_normal = 0.5 * n.dot(a.w + b.w) * n;
  if (const auto rate = find_round_normal_rate(A, a, B, b, n)) return n.cross(*rate) + about_normal;
  ClosestPoints closest;
  closest.gap = site.gap;
  closest.point_a = site.point_a;
  closest.point_b = site.point_b;
  closest.normal = n;
  const ContactRates rates = calc_contact_rates(A, a.X_WS, {a.w, a.v}, B, b.X_WS, {b.w, b.v}, closest);
  return n.cross(rates.normal_rate) + about_normal;
}

ContactResponse respond_to(const CompliantLaw& law, const ContactMotion& motion, const ContactState& state) {
  ContactResponse response;
  const NormalResponse normal = std::visit(
      [&](const auto& part) { return part.respond(motion.depth, motion.approach, state.normal); }, law.normal);
  FrictionMemory memory = state.friction;
  memory.deflection = calc_tangential(memory.deflection, motion.normal);
  const Slip slip{normal.force, motion.slip, motion.spin};
  const FrictionResponse friction =
      std::visit([&](const auto& part) { return part.respond(slip, memory); }, law.friction);
  response.normal_force = normal.force;
  response.force = normal.force * motion.normal + friction.force;
  response.moment = friction.moment;
  response.stored = normal.stored + memory.energy;
  response.normal_dissipated = normal.dissipated;
  response.friction_dissipated = friction.dissipated;
  response.relaxed = normal.relaxed;
  response.sticks = friction.sticks;
  response.rate.deflection = friction.deflection_rate + motion.turn.cross(memory.deflection);
  response.rate.dwell = friction.dwell_rate;
  response.rate.twist = friction.twist_rate;
  response.rate.energy = friction.energy_rate;
  response.rate.offset = normal.offset_rate;
  return response;
}

bool has_deflection(const CompliantLaw& law) {
  return std::holds_alternative<FrictionBristle>(law.friction) || std::holds_alternative<FrictionSpring>(law.friction);
}

}  // namespace

ContactMotion calc_contact_motion(const ContactSite& site, const ContactBody& a, const ContactBody& b) {
  return measure_motion(site, a, b);
}
Vec3 calc_frame_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                     const ContactSite& site) {
  return measure_turn(A, a, B, b, site);
}
ContactResponse calc_contact_response(const CompliantLaw& law, const ContactMotion& motion, const ContactState& state) {
  return respond_to(law, motion, state);
}
bool keeps_deflection(const CompliantLaw& law) {
  return has_deflection(law);
}

ContactSite find_contact_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                              ClosestCache* cache) {
  if (const auto round = find_round_site(A, a, B, b)) return *round;
  const ClosestPoints closest = calc_closest(A, a.X_WS, B, b.X_WS, cache);
  const double share = !is_bounded(A) ? 1 : !is_bounded(B) ? 0 : 0.5;
  return {closest.point_a, closest.point_b, closest.normal, closest.gap, share};
}

ContactWrenches calc_contact_wrenches(const ContactResponse& response, const ContactMotion& motion,
                                      const ContactBody& a, const ContactBody& b) {
  const Vec3 moment = response.moment * motion.normal;
  return {-make_spatial((motion.point - a.X_WS.p).cross(response.force) + moment, response.force),
          make_spatial((motion.point - b.X_WS.p).cross(response.force) + moment, response.force)};
}

RelativeCurvature calc_relative_curvature(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                                          const ContactSite& site) {
  const auto curvature = [](const Shape& shape, const Transform& X_WS, const Vec3& point, const Vec3& normal) -> Mat3 {
    const SurfacePoint s = calc_surface_point(shape, X_WS.inverse() * point, X_WS.R.transpose() * normal);
    return X_WS.R * s.curvature * X_WS.R.transpose();
  };
  const Mat3 sum = curvature(A, a.X_WS, site.point_a, site.normal) + curvature(B, b.X_WS, site.point_b, -site.normal);
  // Eigenvalues of the sum in the tangent plane.
  const Vec3 t = site.normal.unitOrthogonal(), s = site.normal.cross(t);
  const double tt = t.dot(sum * t), ss = s.dot(sum * s), ts = t.dot(sum * s);
  const double mean = 0.5 * (tt + ss), radius = std::hypot(0.5 * (tt - ss), ts);
  return {mean - radius, mean + radius};
}

bool needs_curvature(const CompliantLaw& law) {
  const auto* power = std::get_if<NormalPower>(&law.normal);
  return power != nullptr && power->stiffness <= 0;
}

double begin_contact(const CompliantLaw& law, const Touch& touch, ContactState& state) {
  const double left = end_contact(state);
  state.touching = true;
  state.normal = std::visit([&](const auto& part) { return part.start(touch); }, law.normal);
  return left;
}

double end_contact(ContactState& state) {
  const double left = state.friction.energy;
  state = {};
  return left;
}

// Flat: its parts pass vectors through memory otherwise, which takes a fifth of the time.
[[gnu::flatten]] ContactEvaluation evaluate_contact_at(const ContactSite& site, const ContactSides& sides,
                                                       const CompliantLaw& law, const ContactState& state) {
  ContactEvaluation evaluation;
  evaluation.motion = measure_motion(site, sides.a, sides.b);
  if (has_deflection(law)) evaluation.motion.turn = measure_turn(sides.A, sides.a, sides.B, sides.b, site);
  evaluation.response = respond_to(law, evaluation.motion, state);
  return evaluation;
}

ContactOutput evaluate_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b,
                               const ContactState& state) {
  ContactOutput output;
  const ContactSite site = find_contact_site(pair.a, a, pair.b, b);
  output.gap = site.gap;
  if (!state.touching) {
    output.motion = calc_contact_motion(site, a, b);
    return output;
  }
  const ContactEvaluation evaluation = evaluate_contact_at(site, {pair.a, a, pair.b, b}, pair.law, state);
  output.motion = evaluation.motion;
  output.response = evaluation.response;
  output.wrenches = calc_contact_wrenches(output.response, output.motion, a, b);
  return output;
}

bool update_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b, ContactState& state) {
  const ContactSite site = find_contact_site(pair.a, a, pair.b, b);
  if ((site.gap < 0) == state.touching) return false;
  if (state.touching) {
    end_contact(state);
    return true;
  }
  const ContactMotion motion = calc_contact_motion(site, a, b);
  Touch touch{motion.depth, motion.approach, 0, 0};
  if (needs_curvature(pair.law)) {
    const RelativeCurvature curvature = calc_relative_curvature(pair.a, a, pair.b, b, site);
    touch.small_curvature = curvature.small, touch.large_curvature = curvature.large;
  }
  begin_contact(pair.law, touch, state);
  return true;
}

}  // namespace stiction
