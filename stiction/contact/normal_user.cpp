#include "stiction/contact/normal_user.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

/// Gauss and Legendre on (0, 1), 8 points; the others by symmetry.
constexpr std::array<double, 4> gauss_place = {0.5917173212478249, 0.7627662049581645, 0.8983332387068134,
                                               0.9801449282487681};
constexpr std::array<double, 4> gauss_weight = {0.18134189168918100, 0.15685332293894363, 0.11119051722668724,
                                                0.05061426814518813};

}  // namespace

[[gnu::noinline]] NormalOutput<NormalUser::Memory> NormalUser::respond(double depth, double approach,
                                                                       const Memory& memory) const {
  NormalOutput<Memory> r;
  if (depth <= 0) return r;
  const double elastic = force(depth, 0, memory.impact_speed);
  r.force = std::max(force(depth, approach, memory.impact_speed), 0.0);
  // int_0^x F ds = int_0^1 F(x y^2) 2 x y dy
  for (std::size_t i = 0; i < gauss_place.size(); ++i) {
    for (const double y : {gauss_place[i], 1 - gauss_place[i]})
      r.stored += gauss_weight[i] * force(depth * y * y, 0, memory.impact_speed) * 2 * depth * y;
  }
  r.dissipated = (r.force - elastic) * approach;
  return r;
}

UserLawFault check_user_law(const NormalUser& law) {
  using Kind = UserLawFault::Kind;
  // Places that are no round numbers lie between: a law may change its sign there.
  for (int i = 0; i <= 40; ++i) {
    const double x = 1e-6 * std::pow(10, 0.1 * i);
    const double elastic = law.force(x, 0, 1);
    if (!std::isfinite(elastic)) return {Kind::not_finite, x, 0, elastic};
    if (elastic < 0) return {Kind::pulls, x, 0, elastic};
    for (int k = 0; k <= 40; ++k) {
      for (const double sign : {1.0, -1.0}) {
        const double v = sign * 1e-3 * std::pow(10, 0.1 * k), raw = law.force(x, v, 1), f = std::max(raw, 0.0);
        if (!std::isfinite(raw)) return {Kind::not_finite, x, v, raw};
        if ((f - elastic) * v < -1e-12 * elastic * std::abs(v)) return {Kind::feeds_energy, x, v, f};
      }
    }
  }
  return {};
}

}  // namespace stiction
