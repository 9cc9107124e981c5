#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Anderson's mixing of the steps of an iteration (Anderson 1965; Walker, Ni 2011, type II): with g(x) what a step
/// makes of x and f = g(x) - x, the next step starts from
///     x+ = g_k - sum_j gamma_j (g_j+1 - g_j),   gamma = argmin || f_k - sum_j gamma_j (f_j+1 - f_j) ||             (1)
/// over the last differences, `columns` of them. Where the iteration is a linear map, (1) is the method of generalised
/// minimal residuals on it: errors that fade by 0.99 a step are seen and removed. Fixed points are the same. This keeps
/// the products of the differences and finds gamma; the differences themselves stand with the caller, in columns.
/// DEPARTURES: least squares by normal equations, the differences scaled to length 1 and `noise`, what is left to
/// chance in their products, added to the diagonal; the differences are forgotten when ||f|| more than doubles.
class MixingWindow {
 public:
  static constexpr int size = 6;  ///< columns at most
  using Weights = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, size, 1>;

  explicit MixingWindow(int columns, double noise = 1e-14) : columns_(columns), noise_(noise) {}
  void clear() { *this = MixingWindow(columns_, noise_); }
  /// A step ended with ||f|| = norm: the column that takes its differences to the step before. There is none, and
  /// nothing to mix with, at the first step, and where ||f|| has grown: the mixing did harm.
  static constexpr int first = -1, harmed = -2;
  int open(double norm);
  /// The column that the step to come will open unless it does harm; `first` before the first step.
  int next() const { return begun_ ? oldest_ : first; }
  /// How many columns count, the new one included.
  int known() const { return known_; }
  /// products[j]: of the new difference of f with that of column j.
  void set_products(int column, const Weights& products);
  /// projections[j]: of f_k on the difference of f in column j.
  Weights calc_gamma(const Weights& projections) const;

 private:
  Eigen::Matrix<double, size, size> products_ = Eigen::Matrix<double, size, size>::Zero();
  int columns_ = size;
  double noise_ = 0, norm_before_ = 0;
  int known_ = 0, oldest_ = 0;
  bool begun_ = false;
};

}  // namespace stiction
