#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Anderson acceleration of a fixed-point iteration (Anderson 1965; Walker, Ni 2011, type II): with g(x) what a step
/// makes of x and f = g(x) - x, the next step starts from
///     x+ = g_k - sum_j gamma_j (g_j+1 - g_j),   gamma = argmin || f_k - sum_j gamma_j (f_j+1 - f_j) ||             (1)
/// over a window of the last differences. Where the iteration is a linear map, (1) is the method of generalised minimal
/// residuals on it: errors that fade by 0.99 a step are seen and removed. Fixed points are the same.
/// DEPARTURES: least squares by normal equations, the differences scaled to length 1 and `noise`, what is left to
/// chance in their products, added to the diagonal; the differences are forgotten when ||f|| grows more than `growth`.

/// The products of the differences, from which gamma comes; the differences themselves are the caller's, in columns.
class AndersonWindow {
 public:
  static constexpr int size = 6;  ///< columns at most
  using Weights = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, size, 1>;

  explicit AndersonWindow(int columns, double noise = 1e-14, double growth = 2)
      : columns_(columns), noise_(noise), growth_(growth) {}
  void clear() { *this = AndersonWindow(columns_, noise_, growth_); }
  /// A step ended with ||f|| = norm: the column that takes its differences to the step before. There is none, and
  /// nothing to combine with, at the first step, and where ||f|| has grown: the acceleration did harm.
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
  double noise_ = 0, growth_ = 2, norm_before_ = 0;
  int known_ = 0, oldest_ = 0;
  bool begun_ = false;
};

/// (1) for vectors.
class AndersonAcceleration {
 public:
  explicit AndersonAcceleration(int columns, double growth = 2) : columns_(columns), window_(columns, 1e-14, growth) {}
  /// Another iteration, with vectors of n numbers. Memory is kept.
  void begin(Eigen::Index n);
  /// From x and g(x) to where the next step starts. `x` and `next` may be the same.
  void accelerate(const VecX& x, const VecX& g, VecX& next);

 private:
  int columns_ = 0;
  AndersonWindow window_;
  MatX f_differences_, g_differences_;  ///< the first n rows are in use
  VecX f_, f_before_, g_before_;
};

}  // namespace stiction
