#pragma once

#include <optional>
#include <vector>

#include "stiction/stepping/ode/ode.h"

namespace stiction {

/// Margins below this are rounding, not events: a guard contradicts its mode only beyond it [unit of the guard].
inline constexpr double guard_noise = 1e-12;

/// How far a guard is on the side its mode says: positive = agrees, below -guard_noise = contradicts.
inline double calc_margin(bool mode, double guard) {
  return mode ? guard : -guard;
}

/// y(t) inside the last step.
class DenseOutput {
 public:
  virtual void interpolate(double t, VecX& y) = 0;

 protected:
  ~DenseOutput() = default;
};

/// Finds the first event inside a step from its dense output. Each guard is sampled at the end of the step and at
/// n_samples - 1 interior points; between samples, minima of the margin are searched where the samples show that there
/// is one. So a smooth guard that dips below zero and returns within one step is found, down to dips of a millionth of
/// the step. LIMIT: what does not show in samples step/8 apart (a guard driven by something faster than the solution)
/// is missed: max_step bounds it. The sign at the very start of the step is not looked at: there a guard that has just
/// switched is zero to rounding. Events that follow one another faster and faster (a mode that drives its own guard
/// back at once) are each located, with at least the tolerance between them: such a run comes to a crawl.
class EventFinder {
 public:
  EventFinder(OdeProblem& problem, double time_tolerance);

  bool has_guards() const { return guards_.size() > 0; }
  /// The earliest time in (t0, t1] at which a guard contradicts its mode; it lies at most the tolerance late.
  std::optional<double> find_first(DenseOutput& dense, double t0, double t1);
  /// The guards whose sign change find_first found (all within the tolerance of the first).
  const std::vector<int>& crossing() const { return crossing_; }
  void set_crossing(std::vector<int> guards) { crossing_ = std::move(guards); }
  /// Of one guard at (t, y).
  double calc_guard_margin(int guard, double t, const VecX& y);
  double tolerance(double t) const;

 private:
  static constexpr int n_samples = 8;
  double sample_time(int j) const { return j == n_samples ? t1_ : t0_ + (t1_ - t0_) * j / n_samples; }
  double calc_dense_margin(int guard, double t);
  double find_crossing(int guard);
  double find_dip(int guard, int j);
  double find_negative(int guard, double a, double b);
  double refine(int guard, double a, double b);

  OdeProblem& problem_;
  double time_tolerance_;
  DenseOutput* dense_ = nullptr;
  double t0_ = 0, t1_ = 0;
  VecX guards_, y_, first_;
  MatX samples_;  ///< margins (guards x samples)
  std::vector<int> crossing_;
};

}  // namespace stiction
