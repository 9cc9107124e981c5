#include "stiction/contact/contact_core.h"

#include <cmath>

#include "stiction/contact/respond.h"
#include "stiction/contact/round_pair.h"
#include "stiction/contact/volume_contact.h"
#include "stiction/geometry/closest/contact_kinematics.h"
#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

void find_general_site(const ContactSides& sides, ClosestCache* cache, ContactSite& site) {
  const ClosestPoints closest = calc_closest(sides.A, sides.a.X_WS, sides.B, sides.b.X_WS, cache);
  site.point_a = closest.point_a, site.point_b = closest.point_b;
  site.normal = closest.normal;
  site.gap = closest.gap;
  site.certified = closest.certified;
  site.point = calc_action_point(sides.A, sides.B, closest.point_a, closest.point_b);
}

STICTION_INLINE void find_site(const ContactSides& sides, ClosestCache* cache, ContactSite& site) {
  if (!find_round_site(sides.A, sides.a, sides.B, sides.b, site)) find_general_site(sides, cache, site);
}

STICTION_INLINE void measure_motion(const ContactSite& site, const Vec3& point, const ContactBody& a,
                                    const ContactBody& b, ContactMotion& motion) {
  const Vec3& n = site.normal;
  const Vec3 velocity = calc_point_velocity(b, point) - calc_point_velocity(a, point);
  motion.point = point;
  motion.normal = n;
  motion.depth = -site.gap;
  motion.certified = site.certified;
  // A moving surface slides and does not push.
  motion.approach = -n.dot(velocity);
  motion.slip = calc_tangential(velocity + (b.surface_velocity - a.surface_velocity), n);
  motion.spin = n.dot(b.w - a.w);
}

/// For pairs without a closed form.
Vec3 calc_general_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                       const ContactSite& site) {
  const Vec3& n = site.normal;
  ClosestPoints closest;
  closest.gap = site.gap;
  closest.point_a = site.point_a;
  closest.point_b = site.point_b;
  closest.normal = n;
  const ContactRates rates = calc_contact_rates(A, a.X_WS, {a.w, a.v}, B, b.X_WS, {b.w, b.v}, closest);
  return n.cross(rates.normal_rate) + 0.5 * n.dot(a.w + b.w) * n;
}

STICTION_INLINE Vec3 measure_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                                  const ContactSite& site, double spin) {
  Vec3 turn;
  if (find_round_turn(A, a, B, b, site.normal, spin, turn)) return turn;
  return calc_general_turn(A, a, B, b, site);
}

STICTION_INLINE void respond_to(const CompliantLaw& law, const ContactMotion& motion, const ContactStateView& state,
                                const ContactRateView& rate, ContactResponse& response) {
  std::visit(
      [&](const auto& part) {
        using Memory = typename std::decay_t<decltype(part)>::Memory;
        const auto normal = part.respond(motion.depth, motion.approach, load_memory<Memory>(state.normal));
        store_memory(normal.rate, rate.normal);
        response.normal_force = normal.force;
        response.stored = normal.stored;
        response.normal_dissipated = normal.dissipated;
        response.relaxed = normal.relaxed;
      },
      law.normal);
  response.moment.setZero();
  const Slip slip{response.normal_force, motion.slip, motion.spin};
  add_friction(law, motion, slip, state.friction, rate.friction, response);
}

/// What a normal law says of itself; false where it says nothing.
struct NormalAnswers {
  bool needs_curvature = false, relaxes = false;
};
NormalAnswers ask(const NormalLaw& law) {
  NormalAnswers answers;
  std::visit(
      [&](const auto& part) {
        if constexpr (requires { part.needs_curvature(); }) answers.needs_curvature = part.needs_curvature();
        if constexpr (requires { part.relaxes(); }) answers.relaxes = part.relaxes();
      },
      law);
  return answers;
}

/// Of the friction ellipse, world axes.
Vec3 calc_along(const CompliantLaw& law, const ContactSides& sides) {
  if (!law.ellipse) return Vec3::Zero();
  return (law.ellipse->of_b ? sides.b : sides.a).X_WS.R * law.ellipse->direction;
}

STICTION_INLINE void evaluate_at(const ContactSite& site, const ContactSides& sides, const CompliantLaw& law,
                                 const ContactStateView& state, const ContactRateView& rate, ContactEvaluation& to) {
  const Vec3 point = law.plane ? Vec3(site.point_a + *law.plane * (site.point_b - site.point_a)) : site.point;
  measure_motion(site, point, sides.a, sides.b, to.motion);
  to.motion.turn = keeps_deflection(law) ? measure_turn(sides.A, sides.a, sides.B, sides.b, site, to.motion.spin)
                                         : Vec3(Vec3::Zero());
  to.motion.along = calc_along(law, sides);
  respond_to(law, to.motion, state, rate, to.response);
}

STICTION_INLINE void balance(const ContactResponse& response, const ContactMotion& motion, const ContactBody& a,
                             const ContactBody& b, ContactWrenches& to) {
  const Vec3 &force = response.force, &moment = response.moment;
  store_spatial(-((motion.point - a.X_WS.p).cross(force) + moment), -force, to.F_A.data());
  store_spatial((motion.point - b.X_WS.p).cross(force) + moment, force, to.F_B.data());
}

/// Where the gap is not known, or has changed its sign.
[[gnu::noinline]] bool update_found_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b,
                                            ContactState& state) {
  const ContactSite site = find_contact_site(pair.a, a, pair.b, b);
  if ((site.gap < 0) == state.touching) return false;
  if (state.touching) {
    end_contact(pair.law, state);
    return true;
  }
  const ContactMotion motion = calc_contact_motion(site, a, b);
  Touch touch{motion.depth, motion.approach, 0, 0};
  if (needs_curvature(pair.law)) {
    const RelativeCurvature curvature = calc_relative_curvature(pair.a, a, pair.b, b, site);
    touch.small_curvature = curvature.small, touch.large_curvature = curvature.large;
  }
  if (pair.law.volume) touch.depth = find_volume_patch(pair.a, a.X_WS, pair.b, b.X_WS, *pair.law.volume).volume;
  begin_contact(pair.law, touch, state);
  return true;
}

/// A patch with volume; nothing acts where bodies that touch have none.
[[gnu::noinline]] void evaluate_volume(const ContactSides& sides, const CompliantLaw& law, const ContactState& state,
                                       ContactOutput& to) {
  const VolumePatch patch = find_volume_patch(sides.A, sides.a.X_WS, sides.B, sides.b.X_WS, *law.volume);
  if (patch.volume > 0) return evaluate_patch(patch, sides, law, view(state), view(to.rate), to);
  const ContactSite site = find_contact_site(sides.A, sides.a, sides.B, sides.b);
  measure_motion(site, site.point, sides.a, sides.b, to.motion);
}

}  // namespace

ContactMotion calc_contact_motion(const ContactSite& site, const ContactBody& a, const ContactBody& b) {
  ContactMotion motion;
  measure_motion(site, site.point, a, b, motion);
  return motion;
}
Vec3 calc_frame_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                     const ContactSite& site) {
  return measure_turn(A, a, B, b, site, site.normal.dot(b.w - a.w));
}
bool keeps_deflection(const CompliantLaw& law) {
  return std::visit([](const auto& part) { return HasDeflection<typename std::decay_t<decltype(part)>::Memory>; },
                    law.friction);
}

Vec3 calc_action_point(const Shape& A, const Shape& B, const Vec3& point_a, const Vec3& point_b) {
  if (!is_bounded(A)) return point_b;
  return is_bounded(B) ? 0.5 * (point_a + point_b) : point_a;
}

ContactSite find_contact_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                              ClosestCache* cache) {
  ContactSite site;
  find_site({A, a, B, b}, cache, site);
  return site;
}

ContactWrenches calc_contact_wrenches(const ContactResponse& response, const ContactMotion& motion,
                                      const ContactBody& a, const ContactBody& b) {
  ContactWrenches wrenches;
  balance(response, motion, a, b, wrenches);
  return wrenches;
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
  return ask(law.normal).needs_curvature;
}
bool relaxes(const CompliantLaw& law) {
  return ask(law.normal).relaxes;
}
bool is_from_outside(const CompliantLaw& law) {
  const auto is = [](const auto& part) {
    return requires {
      typename std::decay_t<decltype(part)>::Function;
    };
  };
  return std::visit(is, law.normal) || std::visit(is, law.friction);
}

ContactStateLayout calc_state_layout(const CompliantLaw& law) {
  return {MemorySizes<FrictionLaw>::of[law.friction.index()], MemorySizes<NormalLaw>::of[law.normal.index()],
          law.volume.has_value(),
          std::visit([]<class Law>(const Law&) { return find_energy_entry<typename Law::Memory>(); }, law.friction)};
}

void begin_normal(const CompliantLaw& law, const Touch& touch, ContactState& state) {
  std::visit([&](const auto& part) { store_memory(part.start(touch), state.normal.data()); }, law.normal);
}

double begin_contact(const CompliantLaw& law, const Touch& touch, ContactState& state) {
  const double left = end_contact(law, state);
  state.touching = true;
  begin_normal(law, touch, state);
  return left;
}

double end_contact(const CompliantLaw& law, ContactState& state) {
  const int energy = calc_state_layout(law).energy;
  const double left = energy >= 0 ? state.friction[static_cast<std::size_t>(energy)] : 0;
  state = {};
  return left;
}

void set_rested(const CompliantLaw& law, ContactState& state) {
  std::visit(
      [&](const auto& part) {
        using Law = std::decay_t<decltype(part)>;
        if constexpr (HasOffset<typename Law::Memory>) {
          typename Law::Memory memory = state.get<Law>();
          memory.offset = 0;
          state.set<Law>(memory);
        }
      },
      law.normal);
  std::visit(
      [&](const auto& part) {
        using Law = std::decay_t<decltype(part)>;
        if constexpr (HasDwell<typename Law::Memory>) {
          typename Law::Memory memory = state.get<Law>();
          memory.dwell = law.initial_dwell;
          state.set<Law>(memory);
        }
      },
      law.friction);
}

FrictionSeen observe_friction(const CompliantLaw& law, const ContactStateView& state) {
  FrictionSeen seen;
  std::visit(
      [&](const auto& part) {
        using Memory = typename std::decay_t<decltype(part)>::Memory;
        const Memory memory = load_memory<Memory>(state.friction);
        if constexpr (HasDwell<Memory>) seen.dwell = memory.dwell;
        if constexpr (HasDeflection<Memory>) seen.deflection = memory.deflection.norm();
      },
      law.friction);
  return seen;
}

[[gnu::flatten]] void evaluate_contact_at(const ContactSite& site, const ContactSides& sides, const CompliantLaw& law,
                                          const ContactStateView& state, const ContactRateView& rate,
                                          ContactEvaluation& to) {
  evaluate_at(site, sides, law, state, rate, to);
}

[[gnu::flatten]] void evaluate_touching(const ContactSides& sides, const CompliantLaw& law,
                                        const ContactStateView& state, const ContactRateView& rate,
                                        ContactEvaluation& to) {
  ContactSite site;
  find_site(sides, nullptr, site);
  evaluate_at(site, sides, law, state, rate, to);
}

[[gnu::flatten]] ContactOutput evaluate_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b,
                                                const ContactState& state) {
  ContactOutput output;
  if (state.touching) {
    const ContactSides sides{pair.a, a, pair.b, b};
    pair.law.volume ? evaluate_volume(sides, pair.law, state, output)
                    : evaluate_touching(sides, pair.law, view(state), view(output.rate), output);
    balance(output.response, output.motion, a, b, output.wrenches);
  } else {
    const ContactSite site = find_contact_site(pair.a, a, pair.b, b);
    measure_motion(site, site.point, a, b, output.motion);
  }
  output.gap = -output.motion.depth;
  return output;
}

[[gnu::flatten]] bool update_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b,
                                     ContactState& state) {
  double gap = 0;
  if (find_round_gap(pair.a, a, pair.b, b, gap) && (gap < 0) == state.touching) return false;
  return update_found_contact(pair, a, b, state);
}

}  // namespace stiction
