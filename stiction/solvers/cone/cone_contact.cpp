#include "stiction/solvers/cone/cone_contact.h"

#include <algorithm>
#include <limits>

namespace stiction {

template <int D>
ConeContact<D>::ConeContact(const Mat& A)
    : row_(A.template block<1, D - 1>(0, 1).transpose()), column_(A.template block<D - 1, 1>(1, 0)) {
  if (!(A(0, 0) > 0)) return;
  inverse_ = 1 / A(0, 0);
  S_ = A.template block<D - 1, D - 1>(1, 1) - column_ * row_.transpose() * inverse_;
  // Below this the determinant of S is rounding.
  const double size = A.template block<D - 1, D - 1>(1, 1).norm();
  if (!(S_.determinant() > 1e-14 * std::pow(size, D - 1))) least_ = 1e-12 * size + std::numeric_limits<double>::min();
}

template <int D>
typename ConeContact<D>::Tangent ConeContact<D>::calc_tangent(double sigma, const Tangent& c) const {
  TangentMat shifted = S_;
  shifted.diagonal().array() += sigma;
  if constexpr (D == 2) {
    return -c / shifted(0, 0);
  } else {
    return -(shifted.inverse() * c);
  }
}

template <int D>
double ConeContact<D>::find_slip(const Vec& b, const Tangent& c, Tangent& x_t) {
  // f(low) > 0 >= f(high); high grows until it is so.
  double low = least_, high = std::numeric_limits<double>::infinity();
  // Without a last answer: sigma = |c| / x_0 with x_0 = -b_0 / A_00, exact for S = 0.
  double sigma = sigma_ > low ? sigma_ : std::max(c.norm() / (-b[0] * inverse_), 2 * low);
  for (int iteration = 0; iteration < 200; ++iteration) {
    x_t = calc_tangent(sigma, c);
    const double length = x_t.norm(), normal = calc_normal(b, x_t), f = length - normal;
    (f > 0 ? low : high) = sigma;
    if (std::abs(f) <= 4e-16 * (length + std::abs(normal))) break;
    // dx_t = -(S + sigma)^-1 x_t
    const Tangent slope = calc_tangent(sigma, x_t);
    const double rate = (length > 0 ? x_t.dot(slope) / length : 0.0) + row_.dot(slope) * inverse_;
    double next = sigma - f / rate;
    // Outside the bracket, or not a number: double upward, else bisect.
    if (!(next > low && next < high)) next = std::isinf(high) ? 4 * sigma : 0.5 * (low + high);
    if (next == sigma || next <= low || next >= high) break;
    sigma = next;
  }
  return sigma;
}

template <int D>
void ConeContact<D>::solve(const Vec& b, Vec& x) {
  if (inverse_ == 0) return;
  // Take-off.
  if (b[0] >= 0) {
    x.setZero();
    return;
  }
  // Stick.
  const Tangent c = b.template tail<D - 1>() - column_ * (b[0] * inverse_);
  Tangent x_t = calc_tangent(least_, c);
  double normal = calc_normal(b, x_t);
  // Slip.
  if (!(x_t.norm() <= normal)) {
    sigma_ = find_slip(b, c, x_t);
    normal = x_t.norm();
  }
  x[0] = normal;
  x.template tail<D - 1>() = x_t;
}

template class ConeContact<2>;
template class ConeContact<3>;
template class ConeContact<4>;

}  // namespace stiction
