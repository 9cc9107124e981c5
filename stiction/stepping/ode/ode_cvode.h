#pragma once

#include <memory>

#include "stiction/stepping/ode/ode_adaptive.h"

namespace stiction {

enum class CvodeMethod { bdf, adams };

/// CVODE is asked for this part of the tolerances. It measures the mean where the other methods take the largest entry,
/// and a multistep method adds up more of its local errors: so all adaptive methods, at the same tolerances, end up
/// with errors of the same size, and find events within 1e-9 s at the default ones.
inline constexpr double cvode_strictness = 0.01;

/// Steps after which the history is dropped, for a system of n entries: 3e5 / n, at least 100, at most 1,000. A start
/// costs some 50 evaluations: 3 % of the work of 1,000 steps (measured on pendulum_on_floor). A run is never more than
/// so many steps from where it can be resumed. The dense Jacobian makes steps of large systems slow (n = 600: 5 ms, of
/// which 500 steps are 3 s); beyond n = 3,000, some 200 bodies, they can take more than 10 s.
int calc_longest_history(int n);

/// SUNDIALS CVODE (Hindmarsh et al., ACM TOMS 31(3), 2005): variable-order multistep methods, BDF of order 1 to 5 with
/// Newton's method and a dense difference Jacobian for stiff problems, Adams of order 1 to 12 with fixed-point
/// iteration for smooth ones. Its steps, its error control and its interpolation; departures around it:
/// - Events are found on its interpolation by EventFinder, not by its own root finder, which looks at the ends of steps
///   only and misses a guard that dips and returns.
/// - Manifold: BDF with constraints projects inside each step (CVodeSetProjFn). Otherwise the history is left
///   alone, only what the caller sees is projected, and the method starts afresh when the projection would move y by
///   more than 100 tolerances.
/// - It is asked for a hundredth of the given tolerances, where rounding and projection allow: see the .cpp.
/// - The history cannot be saved. It is dropped after calc_longest_history steps, counted and not timed, so that a
///   run goes through the same states wherever and however often it is interrupted; a checkpoint can be taken there
///   and after every event and break.
/// A right-hand side that is not finite makes CVODE try a smaller step. Nothing is printed.
/// Cost: 1 to 3 evaluations a step, n more for each Jacobian; a start at order 1 after every event and break.
class Cvode final : public AdaptiveIntegrator {
 public:
  Cvode(OdeProblem& problem, const OdeSettings& settings, CvodeMethod method);
  ~Cvode() override;

 private:
  struct Solver;

  void restart() override;
  OdeStatus try_step(double t_stop) override;
  OdeStatus cut_step(double t_event) override;
  void interpolate(double t, VecX& y) override;
  bool saves_history() const override { return false; }
  bool drops_history() const override { return restart_due_; }
  void write_history(std::vector<double>&) const override {}
  void read_history(const double*&) override {}

  OdeStatus call(double t_stop, double& t_reached);
  long count_failures() const;

  VecX y_, y_copy_, dy_;
  double t_not_finite_ = 0;   ///< where f was last seen to be not finite
  VecX not_finite_;           ///< what it was there; empty = never
  bool restart_due_ = false;  ///< the history has drifted off the manifold, or is long enough
  int steps_ = 0;             ///< since the last start
  int longest_history_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace stiction
