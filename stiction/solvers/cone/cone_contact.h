#pragma once

#include "stiction/solvers/cone/cone_canonical.h"

namespace stiction {

/// One contact alone, in canonical form: find x in L with y = u + |u_t| e_0 in L, x'y = 0, u = A x + b. Three cases:
///   take-off  b_0 >= 0:  x = 0
///   stick     u = 0 and x = -A^-1 b in L
///   slip      u_0 = 0, u_t = -sigma x_t, |x_t| = x_0, sigma > 0:
///       x_t(sigma) = -(S + sigma)^-1 c,  S = A_tt - A_t0 A_0t / A_00,  c = b_t - A_t0 b_0 / A_00
///       f(sigma) = |x_t| - x_0 = 0,  x_0 = -(b_0 + A_0t x_t) / A_00                                           (1)
/// When neither of the others holds, f(0) > 0 and f(infinity) = b_0 / A_00 < 0: a root exists for every A with a
/// positive definite symmetric part, and bracketed Newton with bisection finds one; it cannot fail. (Quartic in the
/// plane of Bonnefon and Daviet 2011 for D = 3; the root is found without forming it.) A singular S is met by the least
/// sigma > 0.
template <int D>
class ConeContact {
 public:
  using Vec = Eigen::Matrix<double, D, 1>;
  using Mat = Eigen::Matrix<double, D, D>;

  ConeContact() = default;
  explicit ConeContact(const Mat& A);

  /// `x` is the last answer and becomes the new one; a block that cannot bear anything (A_00 <= 0) leaves it alone.
  void solve(const Vec& b, Vec& x);

 private:
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  using TangentMat = Eigen::Matrix<double, D - 1, D - 1>;

  Tangent calc_tangent(double sigma, const Tangent& c) const;
  double calc_normal(const Vec& b, const Tangent& x_t) const { return -(b[0] + row_.dot(x_t)) * inverse_; }
  double find_slip(const Vec& b, const Tangent& c, Tangent& x_t);

  double inverse_ = 0;    ///< 1 / A_00, 0 if the contact cannot bear
  Tangent row_, column_;  ///< A_0t, A_t0
  TangentMat S_;
  double least_ = 0;  ///< smallest sigma: 0 for a regular S
  double sigma_ = 0;  ///< of the last slip, the first guess of the next
};

}  // namespace stiction
