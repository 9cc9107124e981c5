#pragma once

#include <cmath>

#include "stiction/contact/damping_factor.h"
#include "stiction/contact/normal_response.h"

namespace stiction {

/// Spring of any power with the damping of Hunt and Crossley (gonthier-thesis-2007, eqs 3.11-3.25, 3.43-3.45):
///     f = k x^p (1 + a dx/dt) >= 0,   a = d / (e max(v_i, v_small))                                          (1)
/// x the depth, d the damping factor of the restitution e (damping_factor.h), v_i the speed of touch-down, remembered.
/// p = 3/2 is Hertz. e is constant, or e = 1 - alpha v_i (3.12), then not below 0.01. An impact in which nothing else
/// acts ends with e v_i exactly. With `relaxation` > 0 the depth at which a fixed step has found the contact does not
/// count and fades:
///     x -> x - x_ro,   dx_ro/dt = -x_ro / tau_r                                                       (3.44), (3.45)
/// The energy which the fading feeds into the spring is reported.
/// DEPARTURES: (3.20) holds for central impacts only: where the bodies part faster than 1/a the force is 0, and the
/// energy of the spring counts as dissipated. In (3.43) a carries the sign that v_i has in (3.24).
struct NormalPower {
  /// All but the offset changes when bodies touch only.
  struct Memory {
    double offset = 0;        ///< x_ro [m], V_ro of a volume [m^3]
    double impact_speed = 0;  ///< v_i [m/s]
    double damping = 0;       ///< a [s/m]
    double stiffness = 0;     ///< k [N/m^p], k_v of a volume [N/m^3]

    template <class Self>
    static auto entries(Self& m) {
      return std::tie(m.offset, m.impact_speed, m.damping, m.stiffness);
    }
  };
  double exponent = 1.5;         ///< p [-]
  double stiffness = 0;          ///< k [N/m^p]; 0: Hertz' from the modulus and the curvatures at touch-down
  double effective_modulus = 0;  ///< E* [Pa], where k is not given
  double restitution = 1;        ///< e [-], 0 < e <= 1
  double restitution_slope = 0;  ///< alpha [s/m]; > 0: e = 1 - alpha v_i instead
  DampingRule rule = DampingRule::exact;
  double small_velocity = 1e-3;  ///< v_small [m/s]
  double relaxation = 0;         ///< tau_r [s]; 0: none

  /// e of an impact of that speed.
  double calc_restitution(double impact_speed) const;
  /// a of (1) [s/m].
  double calc_damping(double impact_speed) const;
  bool needs_curvature() const { return stiffness <= 0; }
  bool relaxes() const { return relaxation > 0; }
  Memory start(const Touch& touch) const;
  NormalOutput<Memory> respond(double depth, double approach, const Memory& memory) const;

 private:
  /// x^p, in the same bits everywhere for the usual p.
  double calc_power(double x) const {
    if (exponent == 1.5) return x * std::sqrt(x);
    if (exponent == 1) return x;
    if (exponent == 2) return x * x;
    return std::pow(x, exponent);
  }
};

inline NormalOutput<NormalPower::Memory> NormalPower::respond(double depth, double approach,
                                                              const Memory& memory) const {
  NormalOutput<Memory> r;
  if (relaxation > 0) r.rate.offset = -memory.offset / relaxation;
  const double x = depth - memory.offset;
  if (x <= 0) return r;
  const double elastic = memory.stiffness * calc_power(x);
  const double factor = 1 + memory.damping * approach;
  r.force = factor > 0 ? elastic * factor : 0;
  r.stored = elastic * x / (exponent + 1);
  r.dissipated = (r.force - elastic) * approach;
  // d(stored)/dt = elastic (approach - rate.offset)
  r.relaxed = -elastic * r.rate.offset;
  return r;
}

}  // namespace stiction
