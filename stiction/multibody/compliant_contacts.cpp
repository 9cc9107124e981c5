#include "stiction/multibody/compliant_contacts.h"

#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/contact/slot_site.h"

namespace stiction {

CompliantContacts::CompliantContacts(const System& system)
    : system_(system), slots_(system.contact.slots), bodies_(slots_.empty() ? 0 : system.contact.shapes.size()) {
  if (slots_.empty()) return;
  const Kinematics start(system);
  const std::vector<int>& moving = start.plan.moving;
  const std::vector<ContactShape>& shapes = system.contact.shapes;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const ContactShape& shape = shapes[i];
    bounds_.push_back(calc_shape_bound(shape.shape));
    plain_.push_back(shape.X_BS.R.isIdentity(0) && shape.X_BS.p.isZero(0));
    bodies_[i].X_WS = start.X_WB[at(shape.body)] * shape.X_BS;
    const bool moves = std::find(moving.begin(), moving.end(), shape.body) != moving.end();
    if (moves || !shape.surface_velocity.empty()) moving_shapes_.push_back(static_cast<int>(i));
    has_belts_ = has_belts_ || !shape.surface_velocity.empty();
  }
  for (const CompliantSlot& slot : slots_) {
    const ContactShape &a = shapes[at(slot.shape_a)], &b = shapes[at(slot.shape_b)];
    const CompliantLaw& law = find_law(slot);
    const bool followed = slot.follow_start >= 0;
    if (slot.volume) patches_.resize(slots_.size());
    uses_.push_back({&slot,
                     &law,
                     {a.shape, bodies_[at(slot.shape_a)], b.shape, bodies_[at(slot.shape_b)]},
                     a.body,
                     b.body,
                     slot.kind == CompliantSlot::Kind::closest && !followed && !slot.volume,
                     is_gated(law),
                     slot.volume && !is_from_outside(law),
                     law.volume.value_or(VolumeSettings{})});
    VolumeSettings& settings = uses_.back().volume;
    if (slot.turned) settings.plate_offset *= -1;
    settings.cut_a = a.cut.get(), settings.cut_b = b.cut.get();
    has_followed_ = has_followed_ || followed;
  }
  gaps_.resize(slots_.size());
  gap_due_.resize(slots_.size());
  observed_.resize(slots_.size() + 1);
}

/// That of its rule; functions from outside may keep scratch memory: a copy. The plane and the direction of an ellipse
/// are given from the body that the table names first; here they are those of the shapes.
const CompliantLaw& CompliantContacts::find_law(const CompliantSlot& slot) {
  const CompliantLaw& law = *system_.contact.rules[at(slot.rule)].compliant;
  if (!law.ellipse && !law.plane && !is_from_outside(law)) return law;
  CompliantLaw& own = own_laws_.emplace_back(law);
  if (law.plane && slot.turned) own.plane = 1 - *law.plane;
  if (!law.ellipse) return own;
  const int shape = slot.turned ? slot.shape_b : slot.shape_a;
  own.ellipse->of_b = slot.turned;
  own.ellipse->direction = system_.contact.shapes[at(shape)].X_BS.R.transpose() * law.ellipse->direction;
  return own;
}

void CompliantContacts::set_located(bool located) {
  located_ = located;
  for (Use& use : uses_) use.gated = is_gated(*use.law);
}

void CompliantContacts::set_threads(int threads) {
  const bool any = std::any_of(uses_.begin(), uses_.end(), [](const Use& use) { return use.shareable; });
  pool_ = threads > 1 && any ? std::make_unique<WorkerPool>(threads) : nullptr;
  early_.assign(pool_ ? slots_.size() : 0, {});
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
      // One by one: moved together, pairs of numbers would straddle the two (see write_matrix).
      body.X_WS.R = X_WB.R;
      body.X_WS.p = X_WB.p;
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

double CompliantContacts::calc_gap_below(const Use& use) const {
  const auto& [A, a, B, b] = use.sides;
  return calc_bounding_gap({A, bounds_[at(use.slot->shape_a)], a.X_WS}, {B, bounds_[at(use.slot->shape_b)], b.X_WS});
}

double CompliantContacts::calc_gap(int slot) {
  if (gap_due_[at(slot)]) gaps_[at(slot)] = find_slot_site(slots_[at(slot)], uses_[at(slot)].sides).gap;
  gap_due_[at(slot)] = false;
  return gaps_[at(slot)];
}

VolumePatch CompliantContacts::find_patch(const Use& use) {
  const auto& [A, a, B, b] = use.sides;
  return find_volume_patch(A, a.X_WS, B, b.X_WS, use.volume);
}

double CompliantContacts::calc_start_energy(int slot) const {
  const Use& use = uses_[at(slot)];
  const auto* power = std::get_if<NormalPower>(&use.law->normal);
  return power != nullptr ? calc_elastic_energy(find_patch(use), use.sides, power->stiffness) : 0;
}

ContactSite CompliantContacts::find_site(const Use& use, const VecX& z, bool touching) const {
  const CompliantSlot& slot = *use.slot;
  const auto& [A, a, B, b] = use.sides;
  if (slot.follow_start >= 0) return calc_followed_site(A, a, B, b, read_points(slot, z));
  if (slot.kind == CompliantSlot::Kind::closest && !touching) {
    ContactSite apart;
    apart.gap = calc_gap_below(use);
    if (apart.gap > 0) return apart;
  }
  return find_slot_site(slot, use.sides);
}

bool CompliantContacts::is_gated(const CompliantLaw& law) const {
  return located_ || relaxes(law);
}

void CompliantContacts::note_doubtful(int slot) {
  if (std::find(doubtful_.begin(), doubtful_.end(), slot) == doubtful_.end()) doubtful_.push_back(slot);
}

void CompliantContacts::note_if_doubtful(int slot, const ContactSite& site) {
  if (site.certified || site.gap < 0) return;
  const auto& [A, a, B, b] = uses_[at(slot)].sides;
  if (!(calc_gap_between_planes(A, a.X_WS, B, b.X_WS, site.normal) > 0)) note_doubtful(slot);
}

Touch CompliantContacts::calc_touch(const Use& use, const ContactSite& site, const ContactMotion& motion) const {
  Touch touch{motion.depth, motion.approach, 0, 0};
  if (!needs_curvature(*use.law)) return touch;
  if (use.slot->kind != CompliantSlot::Kind::closest && use.slot->radius > 0) {
    // The end of a capsule is a ball, also where a capsule that lies touches at its seam.
    touch.small_curvature = touch.large_curvature = 1 / use.slot->radius;
    return touch;
  }
  const auto& [A, a, B, b] = use.sides;
  const RelativeCurvature curvature = calc_relative_curvature(A, a, B, b, site);
  touch.small_curvature = curvature.small, touch.large_curvature = curvature.large;
  return touch;
}

/// Of a slot with depth that does not touch yet: inside a fixed step.
void CompliantContacts::evaluate_overlap(const Use& use, const ContactSite& site, const VecX& z,
                                         const ContactRateView& rate, ContactEvaluation& to) const {
  ContactState state = read_slot_state(*use.slot, z.data(), false);
  Touch touch = calc_touch(use, site, calc_contact_motion(site, use.sides.a, use.sides.b));
  touch.depth = 0;
  begin_normal(*use.law, touch, state);
  evaluate_contact_at(site, use.sides, *use.law, view(state), rate, to);
}

bool CompliantContacts::evaluate_point(std::size_t i, const Instant& instant, bool touching, VecX& dz,
                                       ContactEvaluation& to) {
  const Use& use = uses_[i];
  const CompliantSlot& slot = *use.slot;
  const ContactSite site = find_site(use, instant.z, touching);
  gaps_[i] = site.gap;
  note_if_doubtful(static_cast<int>(i), site);
  if (slot.follow_start >= 0) {
    const auto& [A, a, B, b] = use.sides;
    const FollowedPoints points = calc_followed_rates(A, a, B, b, site);
    dz.segment<3>(slot.follow_start) = points.p_A;
    dz.segment<3>(slot.follow_start + 3) = points.p_B;
  }
  const ContactRateView rate = slot.layout.place(dz.data() + slot.z_start);
  if (touching) {
    const ContactStateView state = slot.layout.place(instant.z.data() + slot.z_start);
    evaluate_contact_at(site, use.sides, *use.law, state, rate, to);
  } else if (site.gap < 0 && !use.gated) {
    evaluate_overlap(use, site, instant.z, rate, to);
  } else {
    return false;
  }
  return true;
}

bool CompliantContacts::evaluate_volume(std::size_t i, const Instant& instant, bool touching, VecX& dz,
                                        ContactEvaluation& to) {
  const Use& use = uses_[i];
  VolumePatch& patch = patches_[i];
  patch.volume = 0, patch.integrated = false, patch.converged = true;
  const double apart = calc_gap_below(use);
  gaps_[i] = apart, gap_due_[i] = false;
  if (apart > 0) return false;
  patch = find_patch(use);
  if (!(patch.volume > 0)) {
    gap_due_[i] = true;
    return false;
  }
  gaps_[i] = -patch.mean_depth();
  if (!touching && use.gated) return false;
  const CompliantSlot& slot = *use.slot;
  const ContactRateView rate = slot.layout.place(dz.data() + slot.z_start);
  if (touching) {
    evaluate_patch(patch, use.sides, *use.law, slot.layout.place(instant.z.data() + slot.z_start), rate, to);
  } else {
    // Inside a fixed step: with the damping of the speed at hand.
    ContactState state = read_slot_state(slot, instant.z.data(), false);
    begin_normal(*use.law, {0, calc_patch_motion(patch, use.sides.a, use.sides.b).approach, 0, 0}, state);
    evaluate_patch(patch, use.sides, *use.law, view(state), rate, to);
  }
  return true;
}

void CompliantContacts::evaluate_early(const Instant& instant, const std::vector<int>& modes, VecX& dz) {
  shared_.clear();
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    early_[i].done = false;
    if (uses_[i].shareable && patches_[i].integrated) shared_.push_back(i);
  }
  if (shared_.size() < 2) return;
  pool_->run(static_cast<int>(shared_.size()), [&](int k) {
    const std::size_t i = shared_[at(k)];
    Early& early = early_[i];
    early.bears = evaluate_volume(i, instant, modes[at(slots_[i].touch_mode)] != 0, dz, early.contact);
    early.done = true;
  });
}

void CompliantContacts::add_response(const Use& use, const ContactEvaluation& contact, const Instant& instant,
                                     ForceSum& sum) const {
  const ContactMotion& motion = contact.motion;
  const ContactResponse& response = contact.response;
  const SpatialPair F{response.moment, response.force};
  // The world bears what it is given.
  if (use.body_a != 0) {
    const Vec3 r_a = motion.point - instant.kinematics.X_WB[at(use.body_a)].p;
    double* F_a = sum.F[at(use.body_a)].data();
    (load_spatial(F_a) - shift_force(F, r_a)).store(F_a);
  }
  if (use.body_b != 0) {
    const Vec3 r_b = motion.point - instant.kinematics.X_WB[at(use.body_b)].p;
    double* F_b = sum.F[at(use.body_b)].data();
    (load_spatial(F_b) + shift_force(F, r_b)).store(F_b);
  }
  sum.stored_energy += response.stored;
  sum.dissipated_power += response.normal_dissipated + response.friction_dissipated;
  sum.friction_power += response.friction_dissipated;
  sum.impact_power += response.normal_dissipated;
  sum.stabilisation_power += response.relaxed;
  if (!has_belts_) return;
  // The drives of moving surfaces.
  const Vec3 belt = use.sides.b.surface_velocity - use.sides.a.surface_velocity;
  sum.input_power -= (response.force - response.normal_force * motion.normal).dot(belt);
}

void CompliantContacts::add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum, VecX& dz) {
  update_shapes(instant, true);
  n_observed_ = 0;
  if (pool_) evaluate_early(instant, modes, dz);
  const double* z = instant.z.data();
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Use& use = uses_[i];
    const CompliantSlot& slot = *use.slot;
    const bool touching = modes[at(slot.touch_mode)] != 0;
    double* rates = dz.data() + slot.z_start;
    Observed& seen = observed_[n_observed_];
    bool bears = true;
    if (touching && use.plain) {
      evaluate_touching(use.sides, *use.law, slot.layout.place(z + slot.z_start), slot.layout.place(rates),
                        seen.contact);
      gaps_[i] = -seen.contact.motion.depth;
    } else if (slot.volume) {
      const bool early = pool_ && early_[i].done;
      if (early) seen.contact = early_[i].contact;
      bears = early ? early_[i].bears : evaluate_volume(i, instant, touching, dz, seen.contact);
    } else {
      bears = evaluate_point(i, instant, touching, dz, seen.contact);
    }
    if (!bears) {
      if (slot.volume && !patches_[i].converged) note_doubtful(static_cast<int>(i));
      std::fill_n(rates, slot.layout.size(), 0.0);
      if (slot.layout.energy >= 0) sum.stored_energy += z[slot.z_start + slot.layout.energy];
      if (slot.layout.volume) sum.stored_energy += z[slot.z_start + slot.layout.elastic()];
      continue;
    }
    add_response(use, seen.contact, instant, sum);
    if (!touching) continue;
    seen.slot = static_cast<int>(i);
    ++n_observed_;
  }
}

void CompliantContacts::calc_guards(const Instant& instant, VecX& guards) {
  update_shapes(instant, false);
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const ContactSite site = find_site(uses_[i], instant.z, false);
    note_if_doubtful(static_cast<int>(i), site);
    guards[slots_[i].touch_mode] = -site.gap;
  }
}

double CompliantContacts::calc_approach(int index, const Instant& instant) {
  update_shapes(instant, true);
  const Use& use = uses_[at(index)];
  return calc_contact_motion(find_site(use, instant.z, true), use.sides.a, use.sides.b).approach;
}

void CompliantContacts::switch_touching(int index, bool touching, const Instant& instant, VecX& z,
                                        std::optional<double> impact_speed) {
  update_shapes(instant, true);
  const Use& use = uses_[at(index)];
  const CompliantSlot& slot = *use.slot;
  ContactState state = read_slot_state(slot, z.data(), !touching);
  const double elastic = state.elastic;
  double left = 0;
  if (touching) {
    const ContactSite site = find_site(use, z, true);
    const ContactMotion motion = calc_contact_motion(site, use.sides.a, use.sides.b);
    Touch touch = calc_touch(use, site, motion);
    touch.approach = impact_speed.value_or(touch.approach);
    if (slot.volume) touch.depth = find_patch(use).volume;
    left = begin_contact(*use.law, touch, state);
    if (slot.volume) {
      // What the elastic force has taken inside the step that found the contact; else where it starts.
      const double start = relaxes(*use.law) && touch.depth > 0 ? 0 : calc_start_energy(index);
      state.elastic = use.gated ? start : elastic;
      if (use.gated) z[ledger_projection] += start;
    } else if (use.gated) {
      ContactEvaluation first;
      ContactStateRate unused;
      evaluate_contact_at(site, use.sides, *use.law, view(state), view(unused), first);
      z[ledger_projection] += first.response.stored;
    }
  } else {
    left = end_contact(*use.law, state);
    book_left_energy(elastic, ledger_impact, z);
  }
  book_left_energy(left, ledger_friction, z);
  write_slot_state(slot, state, z.data());
}

/// What a contact that ends has taken and not given back is dissipated; what it owes was fed in.
void CompliantContacts::book_left_energy(double left, int entry, VecX& z) {
  if (left >= 0) {
    z[ledger_dissipated] += left;
    z[entry] += left;
  } else {
    z[ledger_projection] -= left;
    fed_energy_ -= left;
  }
}

void CompliantContacts::correct(const Instant& instant, VecX& z) {
  if (!has_followed_) return;
  update_shapes(instant, false);
  for (const Use& use : uses_) {
    const CompliantSlot& slot = *use.slot;
    if (slot.follow_start < 0) continue;
    const auto& [A, a, B, b] = use.sides;
    const FollowedPoints points = find_followed_points(A, a, B, b);
    z.segment<3>(slot.follow_start) = points.p_A;
    z.segment<3>(slot.follow_start + 3) = points.p_B;
  }
}

}  // namespace stiction
