#pragma once

#include "stiction/stepping/ode/butcher.h"
#include "stiction/stepping/ode/ode_adaptive.h"

namespace stiction {

/// Dormand-Prince 5(4): fifth-order steps, error from the embedded fourth-order method, dense output of order 4
/// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.5 and II.6; coefficients of the
/// authors' DOPRI5).
///     err = || h sum_i e_i k_i ||,    h_new = h clip(0.9 err_old^b / err^a, 1/5, 10)                       (1)
/// Departures: the exponents of the PI control are a = 22/128, b = 5/128 instead of 0.17 and 0.04, so that square roots
/// give the powers and step sizes have the same bits on every machine; the norm is the maximum (calc_norm). The last
/// stage is the first of the next step (FSAL) unless the projection moves y by more than a thousandth of the tolerance.
/// A trial that is not finite is repeated with a quarter of the step. A step in which an event is found is taken again
/// up to the event, so that the state there has the order of a step, and the time is corrected by Newton's method until
/// guard and time agree to the tolerance. Cost: 6 evaluations a step. For stiff problems the step is bound by
/// stability: use cvode_bdf.
class DormandPrince final : public AdaptiveIntegrator {
 public:
  DormandPrince(OdeProblem& problem, const OdeSettings& settings);

 private:
  void restart() override;
  OdeStatus try_step(double t_stop) override;
  OdeStatus cut_step(double t_event) override;
  void interpolate(double t, VecX& y) override;
  void write_history(std::vector<double>& memory) const override;
  void read_history(const double*& memory) override;

  double calc_first_step(double t_stop);
  void calc_stages(double h);
  void update_dense(double h);
  double calc_slope(int guard, double t);
  OdeStatus accept(double t_end, double h);

  Stages k_;      ///< k_[0] at the start of the step, k_[6] at its end
  VecX y0_, y1_;  ///< start and unprojected end of the step
  VecX scratch_;
  std::array<VecX, 5> dense_;
  double t_dense_ = 0, h_dense_ = 0;
  double h_next_ = 0;  ///< 0: not known yet
  double error_old_ = 1e-4;
  bool have_first_stage_ = false;  ///< k_[6] is f at (t_end_, y_end_)
};

/// x^(n/128) for x >= 0 by square roots, which round alike everywhere.
double calc_dyadic_power(double x, int n_128ths);

}  // namespace stiction
