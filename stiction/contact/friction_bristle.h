#pragma once

#include <cmath>

#include "stiction/contact/friction_response.h"

namespace stiction {

/// The seven-parameter bristle model of gonthier-thesis-2007, section 3.2.2, with v the slip velocity, z the mean
/// deflection of the bristles and f_n the load:
///     s = exp(-v.v / v_S^2)                                                                          (3.30)
///     dz/dt = s v + (1 - s) (mu_C dir(v, v_eps) - sigma_0 z) / sigma_1                                (3.35)
///     ds_dw/dt = (s - s_dw) / tau_dw where s >= s_dw, else (s - s_dw) / tau_br,  tau_br = sigma_1/sigma_0   (3.36)
///     w = sat(sigma_0 z + sigma_1 dz/dt, mu_C + (mu_S - mu_C) s_dw)                           (3.37)-(3.40)
///     saturated: dz/dt = (w - sigma_0 z) / sigma_1                                                    (3.41)
///     f_t = -f_n (w + sigma_2 v)                                                                      (3.42)
/// At rest under a load below mu_S it does not move: s = 1, dz/dt = v, a spring with a damper.
/// DEPARTURES: the factor u/u_eps of (3.33) is u/|u|. tau_dw = 0 stands for s_dw = s (section 3.3.2).
/// ENERGY: energy is the integral of f_n sigma_0 z . dz/dt. What is dissipated, f_n (w . v - sigma_0 z . dz/dt), is
/// never negative if sigma_1 v_S > mu_C / 2 (is_passive); below that, bristles that the sliding regime charges faster
/// than the bodies move would count as a source. A changing load changes what deflected bristles can give back without
/// work: the law does not conserve that part, f_n mu^2 / (2 sigma_0) at most for each change of load, which stays in
/// `energy` until the contact ends. Under a load that keeps swinging in step with the force the sum has no bound:
/// `energy` may become negative, and bodies gain what it loses.
/// PATCHES (section 4.4.3 on): with u = r_gyr w_n the speed of spin at the radius of gyration r_gyr and y = r_gyr
/// theta_n the deflection there, v at the centroid,
///     s = exp(-(v.v + u^2) / v_S^2)                                                               (4.212), (4.221)
///     C_v,s = s + (1 - s) C_v,   C_w,s = s + (1 - s) C_w                  (4.223), (4.235), C_v and C_w: contensou.h
///     dz/dt = s v + (1 - s) (mu_C C_v,s dir(v, v_eps) - sigma_0 z) / sigma_1                              (4.227)
///     dy/dt = s u + (1 - s) (mu_C C_w,s dir(u, v_eps) - sigma_0 y) / sigma_1                              (4.239)
///     w_v = sat(sigma_0 z + sigma_1 dz/dt, mu_max C_v,s),   w_u likewise with C_w,s               (4.228)-(4.242)
///     f_t = -f_n (w_v + sigma_2 v),   tau_s = -f_n r_gyr (w_u + sigma_2 u)                        (4.230), (4.243)
/// DEPARTURES: sgn(w_n) of (4.237) is the smooth dir of the speed u; tau_s and the energy of theta_n are multiplied by
/// spin_factor, 1 in the thesis. Where r_gyr changes, bristles keep theta_n: what they can give back changes without
/// work, as it does where the load changes.
struct FrictionBristle {
  struct Memory {
    Vec3 deflection = Vec3::Zero();  ///< z, world axes [m]
    double dwell = 0;                ///< s_dw [-]
    double twist = 0;                ///< theta_n of patches [rad]
    double energy = 0;               ///< put into deflection and twist and not yet given back [J]

    template <class Self>
    static auto entries(Self& m) {
      return std::tie(m.deflection, m.dwell, m.twist, m.energy);
    }
  };
  double static_coefficient = 0;  ///< mu_S [-]
  double kinetic = 0;             ///< mu_C [-]
  double stiffness = 0;           ///< sigma_0 [1/m]
  double damping = 0;             ///< sigma_1 [s/m]
  double viscous = 0;             ///< sigma_2 [s/m]
  double stribeck_velocity = 0;   ///< v_S [m/s]
  double dwell_time = 0;          ///< tau_dw [s]
  double tolerance = 0;           ///< v_eps [m/s]
  PatchFriction patch = {};

  double calc_bristle_time() const { return damping / stiffness; }
  bool is_passive() const { return 2 * damping * stribeck_velocity >= kinetic; }
  FrictionOutput<Memory> respond(const Slip& slip, const Memory& memory) const;
  FrictionOutput<Memory> respond_patch(const Slip& slip, const Memory& memory) const;
  /// C_v,s dir(v) and C_w,s dir(u), and their limits C_v,s and C_w,s. With polygons the first are the vector and the
  /// moment of the integral, which need not point along v.
  struct PatchSliding {
    Vec3 slide;
    double slide_size, spin, spin_size;
  };
  PatchSliding calc_patch_sliding(const Slip& slip, double s) const;
};

inline FrictionOutput<FrictionBristle::Memory> FrictionBristle::respond(const Slip& slip, const Memory& memory) const {
  if (slip.gyration > 0) return respond_patch(slip, memory);
  FrictionOutput<Memory> r;
  const Vec3 &v = slip.velocity, &z = memory.deflection;
  const double v2 = v.squaredNorm();
  // Divisions of parameters alone: they are done before v is known.
  const double per_damping = 1 / damping, per_stribeck = -1 / (stribeck_velocity * stribeck_velocity);
  // (3.30), (3.35)
  const double s = std::exp(per_stribeck * v2);
  const Vec3 elastic = stiffness * z;
  Vec3 rate = s * v;
  if (s < 1) rate += ((1 - s) * per_damping) * (kinetic * calc_smooth_direction(v, tolerance) - elastic);
  // (3.36), (3.37)
  double dwell = memory.dwell;
  if (dwell_time > 0) {
    r.rate.dwell = (s - dwell) / (s >= dwell ? dwell_time : calc_bristle_time());
  } else {
    dwell = s;
  }
  const double limit = kinetic + (static_coefficient - kinetic) * dwell;
  // (3.39)-(3.41)
  Vec3 w = elastic + damping * rate;
  const double w2 = w.squaredNorm();
  const bool saturated = w2 > limit * limit;
  if (saturated) {
    w *= limit / std::sqrt(w2);
    rate = per_damping * (w - elastic);
  }
  r.force = -slip.load * (w + viscous * v);
  r.rate.deflection = rate;
  r.rate.energy = slip.load * elastic.dot(rate);
  r.dissipated = slip.load * (w.dot(v) + viscous * v2) - r.rate.energy;
  r.sticks = s > 0.5 && !saturated;
  return r;
}

/// Rules of section 3.3.2, for what a user does not know:
///     sigma_0 = mu_S / delta_z (3.46),  sigma_1 = 2 sqrt(sigma_0 / g) (3.51),  tau_dw = 10 tau_br,  v_eps = v_S / 100
inline constexpr double usual_presliding = 1e-4;         ///< delta_z [m]
inline constexpr double usual_stribeck_velocity = 1e-3;  ///< v_S [m/s]
double calc_bristle_stiffness(double static_coefficient, double presliding);
double calc_critical_bristle_damping(double stiffness, double gravity);
inline constexpr double usual_dwell_ratio = 10, usual_tolerance_ratio = 0.01;

}  // namespace stiction
