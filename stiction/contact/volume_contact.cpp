#include "stiction/contact/volume_contact.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/contact/respond.h"
#include "stiction/geometry/volume/plate_pressure.h"

namespace stiction {
namespace {

/// -k_v a K w_t for the part of the volume that counts, bounded by (2).
Vec3 calc_rolling_moment(const VolumePatch& patch, const NormalPower::Memory& memory, double force, const Vec3& w) {
  const double part = (patch.volume - memory.offset) / patch.volume;
  if (!(part > 0) || force <= 0) return Vec3::Zero();
  const double rate = memory.stiffness * memory.damping * part;
  const Vec3 turning = patch.rolling * w;
  // (2)
  const double shift = rate * std::sqrt(patch.volume * std::max(w.dot(turning), 0.0)), bound = 2 * force;
  return (shift > bound ? -rate * bound / shift : -rate) * turning;
}

bool wants_plate(const FrictionLaw& friction) {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.patch.rule; }) return law.patch.rule == ContensouRule::polygon;
        return false;
      },
      friction);
}

/// The pressure over a patch of flat faces; false: of others, and of parts that are cut.
bool find_plate(const VolumePatch& patch, const ContactSides& sides, const VolumeSettings& settings,
                PlatePressure& plate) {
  const auto& [A, a, B, b] = sides;
  if (settings.cut_a != nullptr || settings.cut_b != nullptr ||
      !find_plate_pressure(A, a.X_WS, B, b.X_WS, patch.centroid, patch.normal, plate))
    return false;
  plate.volume = patch.volume, plate.gyration = patch.gyration;
  return true;
}

/// Depth of a point under the plane.
double calc_depth_under(const HalfSpace& plane, const Transform& X_WP, const Vec3& point) {
  return plane.offset - (X_WP.R * plane.normal).dot(point - X_WP.p);
}

}  // namespace

ContactMotion calc_patch_motion(const VolumePatch& patch, const ContactBody& a, const ContactBody& b) {
  ContactSite site;
  site.point = patch.point;
  site.normal = patch.normal;
  site.gap = -patch.mean_depth();
  site.certified = patch.converged;
  return calc_contact_motion(site, a, b);
}

void evaluate_patch(const VolumePatch& patch, const ContactSides& sides, const CompliantLaw& law,
                    const ContactStateView& state, const ContactRateView& rate, ContactEvaluation& to) {
  const auto* power = std::get_if<NormalPower>(&law.normal);
  STICTION_DCHECK(law.volume && power != nullptr && power->exponent == 1);
  const auto& [A, a, B, b] = sides;
  ContactMotion& motion = to.motion;
  ContactResponse& response = to.response;
  motion = calc_patch_motion(patch, a, b);
  if (keeps_deflection(law)) motion.turn = calc_patch_turn(sides, patch, *law.volume);
  const Vec3 w = b.w - a.w;
  // (4.62), (4.67)
  const NormalPower::Memory memory = load_memory<NormalPower::Memory>(state.normal);
  const auto normal = power->respond(patch.volume, motion.approach, memory);
  store_memory(normal.rate, rate.normal);
  response.normal_force = normal.force;
  response.moment = calc_rolling_moment(patch, memory, normal.force, w);
  response.stored = *state.elastic;
  response.normal_dissipated = normal.dissipated - response.moment.dot(w);
  // (4.230), (4.243)
  Slip slip{normal.force, motion.slip, motion.spin, patch.gyration, patch.area};
  PlatePressure plate;
  if (wants_plate(law.friction) && find_plate(patch, sides, *law.volume, plate)) slip.plate = &plate;
  add_friction(law, motion, slip, state.friction, rate.friction, response);
  *rate.elastic = normal.force * motion.approach - normal.dissipated;
  response.relaxed = 0;
  if (*state.elastic <= 0 && *rate.elastic < 0) {
    // (3)
    response.normal_dissipated -= normal.dissipated;
    response.relaxed = -normal.force * motion.approach;
    *rate.elastic = 0;
  }
}

double calc_elastic_energy(const VolumePatch& patch, const ContactSides& sides, double stiffness) {
  if (!(patch.volume > 0)) return 0;
  const auto& [A, a, B, b] = sides;
  if (const auto* plane = std::get_if<HalfSpace>(&A))
    return stiffness * patch.volume * calc_depth_under(*plane, a.X_WS, patch.centroid);
  if (const auto* plane = std::get_if<HalfSpace>(&B))
    return stiffness * patch.volume * calc_depth_under(*plane, b.X_WS, patch.centroid);
  return 2.0 / 3.0 * stiffness * patch.volume * patch.mean_depth();
}

}  // namespace stiction
