#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stiction {

/// Gauss-Legendre rule of n points on [-1, 1] with null rules for its error. With the values f_i at its points,
///     e_k = sum_i null_k,i f_i,   k = n-8 ... n-1                                                             (1)
/// are the coefficients of f in polynomials of degree k that are orthonormal on the points: for a smooth f they fall
/// geometrically, at a kink they do not (D. P. Laurie, Stochastic Processes and their Applications 28, 1985; Berntsen
/// and Espelid, BIT 31, 1991). cos t and sin t stand for the points t of [0, pi].
template <int n>
struct GaussRule {
  static_assert(n >= 8, "it has eight null rules");
  std::array<double, n> x, w, cosine, sine;
  std::array<std::array<double, n>, 8> null;

  GaussRule() {
    // Roots of P_n by Newton's method from Tricomi's guess.
    for (int i = 0; i < n; ++i) {
      double t = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
      for (int pass = 0; pass < 50; ++pass) {
        double p0 = 1, p1 = t;
        for (int k = 2; k <= n; ++k) {
          const double p2 = ((2 * k - 1) * t * p1 - (k - 1) * p0) / k;
          p0 = p1, p1 = p2;
        }
        slope = n * (t * p1 - p0) / (t * t - 1);
        const double step = p1 / slope;
        t -= step;
        if (std::abs(step) < 1e-16) break;
      }
      x[n - 1 - i] = t, w[n - 1 - i] = 2 / ((1 - t * t) * slope * slope);
    }
    for (int i = 0; i < n; ++i) {
      cosine[i] = -std::sin(0.5 * std::numbers::pi * x[i]);
      sine[i] = std::cos(0.5 * std::numbers::pi * x[i]);
    }
    // Gram-Schmidt, twice for rounding, on 1, x, x^2, ... (each from the last one times x).
    std::array<std::array<double, n>, n> q;
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) q[k][i] = k == 0 ? 1 : x[i] * q[k - 1][i];
      for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j < k; ++j) {
          double dot = 0;
          for (int i = 0; i < n; ++i) dot += q[j][i] * q[k][i];
          for (int i = 0; i < n; ++i) q[k][i] -= dot * q[j][i];
        }
      double norm = 0;
      for (int i = 0; i < n; ++i) norm += q[k][i] * q[k][i];
      for (int i = 0; i < n; ++i) q[k][i] /= std::sqrt(norm);
    }
    for (int k = 0; k < 8; ++k) null[k] = q[n - 8 + k];
  }
};
/// Made at the first call, whenever that is.
template <int n>
const GaussRule<n>& gauss_rule() {
  static const GaussRule<n> rule;
  return rule;
}

/// A sum with the estimated error of its first entry.
template <class Sums>
struct Quadrature {
  Sums sums = Sums::Zero();
  double error = 0;
};

/// Error of the n-point rule for the values f_i. The coefficients (1), two degrees together so that even and odd
/// functions are seen alike, fall by rates from pair to pair, of which r is the slowest; the rule is exact up to degree
/// 2n - 1, n/2 pairs beyond the last one, where they have come down to r^(n/2) of it. Only r^2 is trusted: a
/// singularity close by, but weak, may still hide below the smooth part; and nothing where any pair falls slowly, as at
/// a kink.
template <int n>
double calc_gauss_error(const std::array<double, n>& f) {
  double largest = 0, pair[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(f[i]));
  if (largest == 0) return 0;
  for (int k = 0; k < 8; ++k) {
    double e = 0;
    for (int i = 0; i < n; ++i) e += gauss_rule<n>().null[k][i] * f[i];
    pair[k / 2] += e * e;
  }
  // Null rules of the length of the weights, 2/sqrt(n), as is usual.
  const double floor = 1e-15 * largest, length = 2 / std::sqrt(static_cast<double>(n));
  double rate = 0;
  for (double& size : pair) size = std::sqrt(size);
  for (int k = 0; k < 3; ++k) rate = std::max(rate, (pair[k + 1] + floor) / (pair[k] + floor));
  // At the level of rounding no rate is left to see.
  if (pair[3] <= 10 * floor) return length * pair[3];
  return length * pair[3] * (rate < 0.3 ? rate * rate : 1);
}

/// The interval [a, b] and how f behaves near it: like a square root at `left` <= a or at `right` >= b, or smoothly.
struct SmoothInterval {
  double a, b;
  bool left_root = true, right_root = true;
  double left = a, right = b;
};

/// A map x(t) of the interval that makes f smooth in t: both ends x = middle - half cos t, one end x = left + t^2 (or
/// right - t^2), none x = t.
class SmoothMap {
 public:
  explicit SmoothMap(const SmoothInterval& s) : both_(s.left_root && s.right_root), sign_(s.left_root ? 1 : -1) {
    constexpr double pi = std::numbers::pi;
    if (both_) {
      offset_ = 0.5 * (s.left + s.right), half_ = 0.5 * (s.right - s.left);
      // x - left = 2 half sin^2(t/2)
      start = s.a == s.left ? 0 : 2 * std::asin(std::sqrt(0.5 * (s.a - s.left) / half_));
      end = s.b == s.right ? pi : pi - 2 * std::asin(std::sqrt(0.5 * (s.right - s.b) / half_));
    } else if (s.left_root) {
      one_ = true, offset_ = s.left, start = std::sqrt(s.a - s.left), end = std::sqrt(s.b - s.left);
    } else if (s.right_root) {
      one_ = true, offset_ = s.right, start = -std::sqrt(s.right - s.a), end = -std::sqrt(s.right - s.b);
    } else {
      start = s.a, end = s.b;
    }
    whole_ = both_ && start == 0 && end == pi;
  }
  /// x and dx/dt at point i of a panel.
  template <int n>
  void evaluate(int i, double t0, double t1, double& x, double& slope) const {
    const GaussRule<n>& rule = gauss_rule<n>();
    const double t = 0.5 * (t0 + t1) + 0.5 * (t1 - t0) * rule.x[i];
    if (both_) {
      const bool known = whole_ && t0 == start && t1 == end;
      x = offset_ - half_ * (known ? rule.cosine[i] : std::cos(t)),
      slope = half_ * (known ? rule.sine[i] : std::sin(t));
    } else if (one_) {
      x = offset_ + sign_ * t * t, slope = 2 * std::abs(t);
    } else {
      x = t, slope = 1;
    }
  }
  double start = 0, end = 0;

 private:
  bool both_ = false, one_ = false, whole_ = false;
  double sign_ = 1, offset_ = 0, half_ = 0;
};

template <class Sums, int n, class Function>
Quadrature<Sums> integrate_panel(Function&& f, const SmoothMap& map, double t0, double t1) {
  Quadrature<Sums> result;
  std::array<double, n> first;
  for (int i = 0; i < n; ++i) {
    double x, slope;
    map.evaluate<n>(i, t0, t1, x, slope);
    const double stretch = 0.5 * (t1 - t0) * slope;
    const Sums value = f(x);
    result.sums += (gauss_rule<n>().w[i] * stretch) * value;
    first[i] = stretch * value[0];
  }
  result.error = calc_gauss_error<n>(first);
  return result;
}

/// int_a^b f dx by panels of n points in the variable t of the map, the worst of them halved until the estimated error
/// is at most tolerance(sum) or the panels are used up, or most halvings are in vain: a kink's error, and a jump's,
/// falls to half or less, that of noise stays. Never allocates.
template <class Sums, int n, int max_panels, class Function, class Tolerance>
Quadrature<Sums> integrate_smooth(Function&& f, const SmoothInterval& interval, Tolerance&& tolerance) {
  struct Panel {
    double t0, t1;
    Quadrature<Sums> q;
  };
  const SmoothMap map(interval);
  Quadrature<Sums> total = integrate_panel<Sums, n>(f, map, map.start, map.end);
  if (total.error <= tolerance(total.sums[0])) return total;
  std::array<Panel, max_panels> panels;
  int count = 1, in_vain = 0;
  panels[0] = {map.start, map.end, total};
  while (total.error > tolerance(total.sums[0]) && count < max_panels && in_vain < 6) {
    int worst = 0;
    for (int i = 1; i < count; ++i)
      if (panels[i].q.error > panels[worst].q.error) worst = i;
    const double t0 = panels[worst].t0, t1 = panels[worst].t1, tm = 0.5 * (t0 + t1), before = panels[worst].q.error;
    panels[worst] = {t0, tm, integrate_panel<Sums, n>(f, map, t0, tm)};
    panels[count++] = {tm, t1, integrate_panel<Sums, n>(f, map, tm, t1)};
    if (panels[worst].q.error + panels[count - 1].q.error > 0.8 * before) ++in_vain;
    total = {Sums::Zero(), 0};
    for (int i = 0; i < count; ++i) total.sums += panels[i].q.sums, total.error += panels[i].q.error;
  }
  return total;
}

}  // namespace stiction
