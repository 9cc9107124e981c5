#pragma once

#include "stiction/solvers/cone_canonical.h"

namespace stiction {

/// Anderson's mixing of the last sweeps (Anderson 1965; Walker, Ni 2011, type II): with g(x) what a sweep makes of x
/// and f = g(x) - x, the next sweep starts from
///     x+ = g_k - sum_j gamma_j (g_j+1 - g_j),   gamma = argmin || f_k - sum_j gamma_j (f_j+1 - f_j) ||             (1)
/// over the last `window` differences. Where no contact changes between open, sticking and slipping, sweeps are a
/// linear map and (1) is the method of generalised minimal residuals on it: errors that fade by 0.99 a sweep are seen
/// and removed. Solutions are the same as those of the sweeps.
/// DEPARTURES: least squares by normal equations, the differences scaled to length 1 and 1e-14 added to the diagonal;
/// the differences are forgotten when ||f|| more than doubles.
template <int D>
class ConeMixing {
 public:
  using Vecs = typename ConeCanonical<D>::Vecs;
  explicit ConeMixing(int contacts);
  /// From x and g(x) to where the next sweep starts; `x` and `next` may be the same.
  void mix(const Vecs& x, const Vecs& swept, Vecs& next);

 private:
  static constexpr int window = 5;
  MatX f_differences_, g_differences_;
  Eigen::Matrix<double, window, window> products_;  ///< of the f_differences_ among themselves
  VecX f_, g_, f_before_, g_before_;
  double norm_before_ = 0;
  int known_ = 0, oldest_ = 0;
  bool begun_ = false;
};

}  // namespace stiction
