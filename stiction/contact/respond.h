#pragma once

#include "stiction/base/always_inline.h"
#include "stiction/contact/contact_core.h"

namespace stiction {

// A part of an evaluation that points and patches share. The parts become one piece of code, in half of the time.

STICTION_INLINE Vec3 calc_tangential(const Vec3& u, const Vec3& n) {
  return u - n.dot(u) * n;
}

/// (1) of friction_ellipse.h.
template <class Law>
[[gnu::noinline]] FrictionOutput<typename Law::Memory> respond_by_ellipse(const Law& friction,
                                                                          const FrictionEllipse& ellipse,
                                                                          const ContactMotion& motion, const Slip& slip,
                                                                          const typename Law::Memory& memory) {
  const Mat3 E = calc_ellipse_matrix(ellipse, motion.along, motion.normal);
  FrictionOutput<typename Law::Memory> output = friction.respond(stretch_slip(ellipse, E, motion.normal, slip), memory);
  stretch_response(ellipse, E, motion.normal, output);
  return output;
}

/// Force, moment and power of the normal and the friction force with what friction has stored; and the rates of what
/// friction remembers. `response` holds the normal force.
STICTION_INLINE void add_friction(const CompliantLaw& law, const ContactMotion& motion, const Slip& slip,
                                  const double* memory_at, double* rate_at, ContactResponse& response) {
  std::visit(
      [&](const auto& part) {
        using Memory = typename std::decay_t<decltype(part)>::Memory;
        Memory memory = load_memory<Memory>(memory_at);
        if constexpr (HasDeflection<Memory>) {
          const bool spins = law.ellipse && law.ellipse->spin_radius > 0;
          if (!spins) memory.deflection = calc_tangential(memory.deflection, motion.normal);
        }
        FrictionOutput<Memory> friction =
            law.ellipse ? respond_by_ellipse(part, *law.ellipse, motion, slip, memory) : part.respond(slip, memory);
        if constexpr (HasDeflection<Memory>) friction.rate.deflection += motion.turn.cross(memory.deflection);
        store_memory(friction.rate, rate_at);
        response.force = response.normal_force * motion.normal + friction.force;
        response.moment += friction.moment * motion.normal;
        if constexpr (HasEnergy<Memory>) response.stored += memory.energy;
        response.friction_dissipated = friction.dissipated;
        response.sticks = friction.sticks;
      },
      law.friction);
}

}  // namespace stiction
