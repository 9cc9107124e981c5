#include "stiction/stepping/ode/ode_runge_kutta.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/infinity.h"

namespace stiction {

RungeKutta::RungeKutta(OdeProblem& problem, const OdeSettings& settings, const Tableau& tableau)
    : FixedStepIntegrator(problem, settings), tableau_(tableau), y_stage_(problem.size()) {
  for (VecX& k : k_) k.resize(problem.size());
}

RungeKutta::Sides RungeKutta::find_sides(double t, double h) const {
  const double rounding = 1e-9 * h;
  Sides sides{t, t + h};
  double next = problem_.next_break(t);
  if (next <= t + rounding) {
    sides.first = next;
    next = problem_.next_break(next);
  }
  if (std::abs(next - sides.last) <= rounding) sides.last = std::nextafter(next, -infinity);
  return sides;
}

int RungeKutta::calc_step(double t, double h, const VecX& y, VecX& y_new) {
  const Sides sides = find_sides(t, h);
  problem_.calc_derivative(sides.first, y, k_[0]);
  for (std::size_t i = 1; i < static_cast<std::size_t>(tableau_.stages); ++i) {
    add_stages(tableau_.a[i], h, y, k_, y_stage_);
    problem_.calc_derivative(std::min(t + tableau_.c[i] * h, sides.last), y_stage_, k_[i]);
  }
  add_stages(tableau_.b, h, y, k_, y_new);
  return tableau_.stages;
}

int SemiImplicitEuler::calc_step(double t, double h, const VecX& y, VecX& y_new) {
  y_new = y;
  problem_.apply_semi_implicit(t, h, y_new);
  return 1;
}

}  // namespace stiction
