#include "stiction/solvers/cone_mixing.h"

#include <algorithm>
#include <limits>

namespace stiction {

template <int D>
ConeMixing<D>::ConeMixing(int contacts)
    : f_differences_(D * contacts, window),
      g_differences_(D * contacts, window),
      f_(D * contacts),
      g_(D * contacts),
      f_before_(D * contacts),
      g_before_(D * contacts) {
  products_.setZero();
}

template <int D>
void ConeMixing<D>::mix(const Vecs& x, const Vecs& swept, Vecs& next) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    g_.template segment<D>(D * static_cast<Eigen::Index>(i)) = swept[i];
    f_.template segment<D>(D * static_cast<Eigen::Index>(i)) = swept[i] - x[i];
  }
  const double norm = f_.norm();
  if (begun_ && !(norm <= 2 * norm_before_)) {
    known_ = oldest_ = 0;
  } else if (begun_) {
    f_differences_.col(oldest_) = f_ - f_before_;
    g_differences_.col(oldest_) = g_ - g_before_;
    known_ = std::min(known_ + 1, window);
    for (int j = 0; j < known_; ++j) {
      products_(j, oldest_) = products_(oldest_, j) = f_differences_.col(j).dot(f_differences_.col(oldest_));
    }
    oldest_ = (oldest_ + 1) % window;
  }
  begun_ = true;
  norm_before_ = norm;
  f_before_ = f_, g_before_ = g_;
  if (known_ > 0) {
    using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, window, 1>;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, window, window> A =
        products_.topLeftCorner(known_, known_);
    // Differences of slow errors are small ones: each counts by its own size.
    const Small scale = (A.diagonal().array() + std::numeric_limits<double>::min()).sqrt().inverse();
    A = scale.asDiagonal() * A * scale.asDiagonal();
    A.diagonal().array() += 1e-14;
    Small gamma = scale.cwiseProduct(f_differences_.leftCols(known_).transpose() * f_);
    gamma = scale.cwiseProduct(A.ldlt().solve(gamma)).eval();
    if (gamma.allFinite()) g_.noalias() -= g_differences_.leftCols(known_) * gamma;
  }
  for (std::size_t i = 0; i < x.size(); ++i) next[i] = g_.template segment<D>(D * static_cast<Eigen::Index>(i));
}

template class ConeMixing<2>;
template class ConeMixing<3>;
template class ConeMixing<4>;

}  // namespace stiction
