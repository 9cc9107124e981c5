#include "stiction/contact/contensou.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace stiction {
namespace {

constexpr double largest_exponent = 4;

/// Nodes and weights of Gauss and Legendre on [0, 1], 16 points: positive half of those on [-1, 1].
struct GaussNode {
  double x, weight;
};
constexpr std::array<GaussNode, 8> gauss_16{{{0.0950125098376374402, 0.1894506104550684963},
                                             {0.2816035507792589132, 0.1826034150449235889},
                                             {0.4580167776572273863, 0.1691565193950025382},
                                             {0.6178762444026437484, 0.1495959888165767320},
                                             {0.7554044083550030339, 0.1246289712555338720},
                                             {0.8656312023878317439, 0.0951585116824927848},
                                             {0.9445750230732325761, 0.0622535239386478929},
                                             {0.9894009349916499326, 0.0271524594117540949}}};

/// Means over a ring: slide <(v + a sin phi)/D> and spin <(a + v sin phi)/D>, D^2 = v^2 + a^2 + 2 v a sin phi. Both are
/// derivatives of <D> = (2/pi) (v + a) E(k), k^2 = 4va/(v + a)^2:
///     v slide + a spin = <D>,   v slide - a spin = (2/pi) (v - a) K(k)                                           (2)
struct RingMeans {
  double slide, spin;
};
RingMeans calc_ring_means(double v, double a) {
  const double small = std::min(v, a), large = std::max(v, a), x = small / large, x2 = x * x;
  double of_large = 1, of_small = 0;
  if (x < 0.03) {
    // From <D> = large F(-1/2, -1/2; 1; x^2) = large (1 + x^2/4 + x^4/64 + x^6/256 + ...); next terms below 1e-12.
    of_large = 1 - x2 * (1.0 / 4 + x2 * (3.0 / 64 + x2 * 5.0 / 256));
    of_small = x * (1.0 / 2 + x2 * (1.0 / 16 + x2 * (3.0 / 128 + x2 * 25.0 / 2048)));
  } else {
    // K and E by the arithmetic-geometric mean.
    const double sum = v + a;
    double mean = 1, root = (large - small) / sum, power = 0.5, squares = 0.5 * (1 - root * root);
    for (int i = 0; i < 12 && mean - root > 1e-15 * mean && root > 0; ++i) {
      const double half_gap = 0.5 * (mean - root), next = 0.5 * (mean + root);
      root = std::sqrt(mean * root);
      mean = next;
      power *= 2;
      squares += power * half_gap * half_gap;
    }
    // Where v = a: (v - a) K = 0 and E = 1.
    const double K = 0.5 * std::numbers::pi / mean, E = root > 0 ? K * (1 - squares) : 1;
    const double difference = root > 0 ? (large - small) * K : 0;
    of_large = (sum * E + difference) / (std::numbers::pi * large);
    of_small = (sum * E - difference) / (std::numbers::pi * small);
  }
  return v >= a ? RingMeans{of_large, of_small} : RingMeans{of_small, of_large};
}

}  // namespace

ContensouFactors calc_disc_factors(double v, double u, double pressure_exponent) {
  const double m = pressure_exponent, rim = u * std::sqrt(m + 2);  // w R
  double slide = 0, spin = 0;
  // Panels of rho/R on both sides of the centre of rotation; x -> x^2 (3 - 2x) draws the nodes to their ends.
  const double centre = rim > v ? v / rim : 1;
  const auto add_panel = [&](double from, double to) {
    for (const GaussNode& node : gauss_16) {
      for (const double side : {-1.0, 1.0}) {
        const double x = 0.5 * (1 + side * node.x), rho = from + (to - from) * x * x * (3 - 2 * x);
        const double weight = 0.5 * node.weight * (to - from) * 6 * x * (1 - x);
        const double load = 2 * (m + 1) * rho * (m == 0 ? 1 : std::pow(1 - rho * rho, m));
        const RingMeans ring = calc_ring_means(v, rim * rho);
        slide += weight * load * ring.slide;
        spin += weight * load * rho * ring.spin;
      }
    }
  };
  if (centre > 0) add_panel(0, centre);
  if (centre < 1) add_panel(centre, 1);
  // rho/R to rho/r_gyr.
  return {slide, spin * std::sqrt(m + 2)};
}

double calc_pressure_exponent(double area, double gyration) {
  if (!(gyration > 0)) return 0;
  return std::clamp(area / (std::numbers::pi * gyration * gyration) - 2, 0.0, largest_exponent);
}

}  // namespace stiction
