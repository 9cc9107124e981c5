#include "stiction/multibody/compliant_contacts.h"

#include <algorithm>
#include <limits>

namespace stiction {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// A ball fixed in one shape against the half-space that the other is.
ContactSite find_ball_site(const HalfSpace& plane, const Transform& X_WP, const Vec3& centre, double radius,
                           bool plane_is_a) {
  const Vec3 up = X_WP.R * plane.normal;
  ContactSite site;
  site.gap = up.dot(centre - X_WP.p) - plane.offset - radius;
  const Vec3 lowest = centre - radius * up, below = lowest - site.gap * up;
  site.point_a = plane_is_a ? below : lowest;
  site.point_b = plane_is_a ? lowest : below;
  site.normal = plane_is_a ? up : Vec3(-up);
  site.share = plane_is_a ? 1 : 0;
  return site;
}

}  // namespace

CompliantContacts::CompliantContacts(const System& system)
    : system_(system), slots_(system.contact.slots), bodies_(slots_.empty() ? 0 : system.contact.shapes.size()) {
  if (slots_.empty()) return;
  for (const ContactRule& rule : system.contact.rules) laws_.push_back(rule.compliant ? &*rule.compliant : nullptr);
  for (const CompliantSlot& slot : slots_) has_followed_ = has_followed_ || slot.follow_start >= 0;
  const Kinematics start(system);
  const std::vector<int>& moving = start.plan.moving;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const ContactShape& shape = system.contact.shapes[i];
    plain_.push_back(shape.X_BS.R.isIdentity(0) && shape.X_BS.p.isZero(0));
    bodies_[i].X_WS = start.X_WB[at(shape.body)] * shape.X_BS;
    const bool moves = std::find(moving.begin(), moving.end(), shape.body) != moving.end();
    if (moves || !shape.surface_velocity.empty()) moving_shapes_.push_back(static_cast<int>(i));
  }
  observed_.reserve(slots_.size());
}

std::string CompliantContacts::name_of(int slot) const {
  const auto& shapes = system_.contact.shapes;
  return shapes[at(slots_[at(slot)].shape_a)].name + "/" + shapes[at(slots_[at(slot)].shape_b)].name;
}

void CompliantContacts::update_shapes(const Instant& instant, bool velocities) {
  for (const int i : moving_shapes_) {
    const ContactShape& shape = system_.contact.shapes[at(i)];
    ContactBody& body = bodies_[at(i)];
    const Transform& X_WB = instant.kinematics.X_WB[at(shape.body)];
    if (plain_[at(i)]) {
      body.X_WS = X_WB;
    } else {
      body.X_WS = X_WB * shape.X_BS;
    }
    if (!velocities) continue;
    const SpatialPair V = load_spatial(instant.kinematics.V_WB[at(shape.body)].data());
    body.w = V.w;
    body.v = plain_[at(i)] ? V.v : Vec3(V.v + V.w.cross(body.X_WS.p - X_WB.p));
    if (shape.surface_velocity.empty()) continue;
    Vec3 u;
    for (int k = 0; k < 3; ++k) u[k] = calc_sample(shape.surface_velocity[at(k)], instant.t).value;
    body.surface_velocity = X_WB.R * u;
  }
}

FollowedPoints CompliantContacts::read_points(const CompliantSlot& slot, const VecX& z) const {
  const double* p = z.data() + slot.follow_start;
  return {Vec3(p[0], p[1], p[2]), Vec3(p[3], p[4], p[5])};
}

bool CompliantContacts::find_site(const CompliantSlot& slot, const VecX& z, bool touching, ContactSite& site) const {
  const ContactBody &a = bodies_[at(slot.shape_a)], &b = bodies_[at(slot.shape_b)];
  const Shape &A = shape_of(slot.shape_a), &B = shape_of(slot.shape_b);
  if (slot.follow_start >= 0) {
    site = calc_followed_site(A, a, B, b, read_points(slot, z));
    return true;
  }
  if (slot.kind != CompliantSlot::Kind::closest) {
    const bool plane_is_a = slot.kind == CompliantSlot::Kind::ball_of_b;
    const ContactBody &plane = plane_is_a ? a : b, &other = plane_is_a ? b : a;
    site = find_ball_site(*std::get_if<HalfSpace>(plane_is_a ? &A : &B), plane.X_WS, other.X_WS * slot.centre,
                          slot.radius, plane_is_a);
    return true;
  }
  // The distance of the balls about them is below the gap.
  const double reach = slot.reach_a + slot.reach_b;
  if (!touching && reach < std::numeric_limits<double>::infinity()) {
    const double distance = (b.X_WS.p - a.X_WS.p).norm();
    if (distance > reach) {
      site.gap = distance - reach;
      return false;
    }
  }
  site = find_contact_site(A, a, B, b);
  return true;
}

bool CompliantContacts::is_gated(const CompliantLaw& law) const {
  if (located_) return true;
  const auto* power = std::get_if<NormalPower>(&law.normal);
  return power != nullptr && power->relaxation > 0;
}

Touch CompliantContacts::calc_touch(const CompliantSlot& slot, const ContactSite& site,
                                    const ContactMotion& motion) const {
  Touch touch{motion.depth, motion.approach, 0, 0};
  if (!needs_curvature(law_of(slot))) return touch;
  if (slot.kind != CompliantSlot::Kind::closest && slot.radius > 0) {
    // The end of a capsule is a ball, also where a capsule that lies touches at its seam.
    touch.small_curvature = touch.large_curvature = 1 / slot.radius;
    return touch;
  }
  const RelativeCurvature curvature = calc_relative_curvature(shape_of(slot.shape_a), bodies_[at(slot.shape_a)],
                                                              shape_of(slot.shape_b), bodies_[at(slot.shape_b)], site);
  touch.small_curvature = curvature.small, touch.large_curvature = curvature.large;
  return touch;
}

ContactEvaluation CompliantContacts::evaluate(const CompliantSlot& slot, const ContactSite& site,
                                              const Instant& instant, bool touching) const {
  const ContactBody &a = bodies_[at(slot.shape_a)], &b = bodies_[at(slot.shape_b)];
  const CompliantLaw& law = law_of(slot);
  ContactState state = read_contact_state(instant.z.data() + slot.z_start, touching);
  if (!touching) {
    Touch touch = calc_touch(slot, site, calc_contact_motion(site, a, b));
    touch.depth = 0;
    state.normal = std::visit([&](const auto& part) { return part.start(touch); }, law.normal);
  }
  return evaluate_contact_at(site, {shape_of(slot.shape_a), a, shape_of(slot.shape_b), b}, law, state);
}

void CompliantContacts::add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum, VecX& dz) {
  update_shapes(instant, true);
  observed_.clear();
  for (int i = 0; i < size(); ++i) {
    const CompliantSlot& slot = slots_[at(i)];
    const bool touching = modes[at(slot.touch_mode)] != 0;
    double* rates = dz.data() + slot.z_start;
    ContactSite site;
    const bool near = find_site(slot, instant.z, touching, site);
    const ContactBody &a = bodies_[at(slot.shape_a)], &b = bodies_[at(slot.shape_b)];
    if (slot.follow_start >= 0) {
      const FollowedPoints points =
          calc_followed_rates(shape_of(slot.shape_a), a, shape_of(slot.shape_b), b, site).points;
      dz.segment<3>(slot.follow_start) = points.p_A;
      dz.segment<3>(slot.follow_start + 3) = points.p_B;
    }
    const bool acts = touching || (near && site.gap < 0 && !is_gated(law_of(slot)));
    if (!acts) {
      std::fill(rates, rates + contact_state_size, 0.0);
      sum.stored_energy += read_contact_state(instant.z.data() + slot.z_start, false).friction.energy;
      continue;
    }
    const ContactEvaluation e = evaluate(slot, site, instant, touching);
    if (touching) observed_.push_back({i, e});
    write_contact_rate(e.response.rate, rates);
    const int body_a = system_.contact.shapes[at(slot.shape_a)].body;
    const int body_b = system_.contact.shapes[at(slot.shape_b)].body;
    const Vec3 moment = e.response.moment * e.motion.normal;
    const Vec3& force = e.response.force;
    const Vec3 r_a = e.motion.point - instant.kinematics.X_WB[at(body_a)].p;
    const Vec3 r_b = e.motion.point - instant.kinematics.X_WB[at(body_b)].p;
    // The world bears what it is given.
    if (body_a != 0) sum.F[at(body_a)] -= make_spatial(r_a.cross(force) + moment, force);
    if (body_b != 0) sum.F[at(body_b)] += make_spatial(r_b.cross(force) + moment, force);
    sum.stored_energy += e.response.stored;
    sum.dissipated_power += e.response.normal_dissipated + e.response.friction_dissipated;
    sum.friction_power += e.response.friction_dissipated;
    sum.impact_power += e.response.normal_dissipated;
    sum.stabilisation_power += e.response.relaxed;
    // The drives of moving surfaces.
    const Vec3 belt = b.surface_velocity - a.surface_velocity;
    sum.input_power -= (force - e.response.normal_force * e.motion.normal).dot(belt);
  }
}

void CompliantContacts::calc_guards(const Instant& instant, VecX& guards) {
  update_shapes(instant, false);
  for (const CompliantSlot& slot : slots_) {
    ContactSite site;
    find_site(slot, instant.z, false, site);
    guards[slot.touch_mode] = -site.gap;
  }
}

double CompliantContacts::calc_approach(int index, const Instant& instant) {
  update_shapes(instant, true);
  const CompliantSlot& slot = slots_[at(index)];
  ContactSite site;
  find_site(slot, instant.z, true, site);
  return calc_contact_motion(site, bodies_[at(slot.shape_a)], bodies_[at(slot.shape_b)]).approach;
}

void CompliantContacts::switch_touching(int index, bool touching, const Instant& instant, VecX& z,
                                        std::optional<double> impact_speed) {
  update_shapes(instant, true);
  const CompliantSlot& slot = slots_[at(index)];
  ContactState state = read_contact_state(z.data() + slot.z_start, !touching);
  double left = 0;
  if (touching) {
    ContactSite site;
    find_site(slot, z, true, site);
    const ContactMotion motion = calc_contact_motion(site, bodies_[at(slot.shape_a)], bodies_[at(slot.shape_b)]);
    Touch touch = calc_touch(slot, site, motion);
    touch.approach = impact_speed.value_or(touch.approach);
    left = begin_contact(law_of(slot), touch, state);
    if (is_gated(law_of(slot))) {
      z[ledger_projection] += calc_contact_response(law_of(slot), motion, state).stored;
    }
  } else {
    left = end_contact(state);
  }
  if (left >= 0) {
    z[ledger_dissipated] += left;
    z[ledger_friction] += left;
  } else {
    z[ledger_projection] -= left;
    fed_energy_ -= left;
  }
  write_contact_state(state, z.data() + slot.z_start);
}

void CompliantContacts::correct(const Instant& instant, VecX& z) {
  if (!has_followed_) return;
  update_shapes(instant, false);
  for (const CompliantSlot& slot : slots_) {
    if (slot.follow_start < 0) continue;
    const FollowedPoints points = find_followed_points(shape_of(slot.shape_a), bodies_[at(slot.shape_a)],
                                                       shape_of(slot.shape_b), bodies_[at(slot.shape_b)]);
    z.segment<3>(slot.follow_start) = points.p_A;
    z.segment<3>(slot.follow_start + 3) = points.p_B;
  }
}

}  // namespace stiction
