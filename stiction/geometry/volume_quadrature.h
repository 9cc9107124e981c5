#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stiction {

/// Gauss-Kronrod rule of 7 and 15 points on [-1, 1] (Piessens et al., QUADPACK, 1983).
struct GaussKronrod15 {
  static constexpr std::array<double, 8> x = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                              0.586087235467691130294144691258380, 0.405845151377397166906606412076961,
                                              0.207784955007898467600689403773245, 0};
  static constexpr std::array<double, 8> w = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                              0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                              0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                              0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static constexpr std::array<double, 4> w_gauss = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780, 0.381830050505118944950369775488975,
      0.417959183673469387755102040816327};
};

/// A sum with the estimated error of its first entry.
template <class Sums>
struct Quadrature {
  Sums sums = Sums::Zero();
  double error = 0;
  int evaluations = 0;
};

/// cos t and sin t at the fifteen points of [0, pi]: the panel that nearly always suffices.
struct WholePanel {
  std::array<double, 15> cosine, sine;
  WholePanel() {
    for (int i = 0; i < 15; ++i) {
      const double x = i < 8 ? -GaussKronrod15::x[i] : GaussKronrod15::x[14 - i];
      cosine[i] = -std::sin(0.5 * std::numbers::pi * x), sine[i] = std::cos(0.5 * std::numbers::pi * x);
    }
  }
};
inline const WholePanel whole_panel;

/// int_{t0}^{t1} f(x(t)) x'(t) dt with x = middle - half cos t, which turns the square-root ends of [middle - half,
/// middle + half] into smooth ones; the whole panel where t1 = pi and t0 = 0.
/// The error is QUADPACK's: the difference of both rules, sharpened where it is small against the variation of f.
template <class Sums, class Function>
Quadrature<Sums> integrate_panel(Function&& f, double middle, double half, double t0, double t1) {
  const double tm = 0.5 * (t0 + t1), th = 0.5 * (t1 - t0);
  Quadrature<Sums> result;
  result.evaluations = 15;
  const bool whole = t0 == 0 && t1 == std::numbers::pi;
  double gauss = 0;
  std::array<double, 15> first, weight;
  for (int i = 0; i < 15; ++i) {
    const int k = i < 8 ? i : 14 - i;
    const double t = tm + (i < 8 ? -1 : 1) * th * GaussKronrod15::x[k];
    const double cosine = whole ? whole_panel.cosine[i] : std::cos(t);
    const double sine = whole ? whole_panel.sine[i] : std::sin(t);
    const Sums value = f(middle - half * cosine) * (half * sine * th);
    result.sums += GaussKronrod15::w[k] * value;
    if (k % 2 == 1) gauss += GaussKronrod15::w_gauss[k / 2] * value[0];
    first[i] = value[0], weight[i] = GaussKronrod15::w[k];
  }
  const double mean = 0.5 * result.sums[0], difference = std::abs(result.sums[0] - gauss);
  double variation = 0;
  for (int i = 0; i < 15; ++i) variation += weight[i] * std::abs(first[i] - mean);
  if (variation > 0) {
    const double ratio = 200 * difference / variation;
    result.error = variation * std::min(1.0, ratio * std::sqrt(ratio));
  }
  return result;
}

/// int_a^b f dx: panels of the smoothing substitution above, the worst of them halved until the estimated error is at
/// most tolerance(sum) or the panels are used up. Never allocates.
template <class Sums, int max_panels, class Function, class Tolerance>
Quadrature<Sums> integrate_smooth(Function&& f, double a, double b, Tolerance&& tolerance) {
  struct Panel {
    double t0, t1;
    Quadrature<Sums> q;
  };
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  std::array<Panel, max_panels> panels;
  int count = 1;
  panels[0] = {0, std::numbers::pi, integrate_panel<Sums>(f, middle, half, 0, std::numbers::pi)};
  Quadrature<Sums> total = panels[0].q;
  while (total.error > tolerance(total.sums[0]) && count < max_panels) {
    int worst = 0;
    for (int i = 1; i < count; ++i)
      if (panels[i].q.error > panels[worst].q.error) worst = i;
    const double t0 = panels[worst].t0, t1 = panels[worst].t1, tm = 0.5 * (t0 + t1);
    panels[worst] = {t0, tm, integrate_panel<Sums>(f, middle, half, t0, tm)};
    panels[count++] = {tm, t1, integrate_panel<Sums>(f, middle, half, tm, t1)};
    total = {Sums::Zero(), 0, total.evaluations + 30};
    for (int i = 0; i < count; ++i) total.sums += panels[i].q.sums, total.error += panels[i].q.error;
  }
  return total;
}

}  // namespace stiction
