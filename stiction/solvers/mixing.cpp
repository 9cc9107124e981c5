#include "stiction/solvers/mixing.h"

#include <algorithm>
#include <limits>

namespace stiction {

int MixingWindow::open(double norm) {
  const bool begun = begun_, grows = !(norm <= 2 * norm_before_);
  begun_ = true;
  norm_before_ = norm;
  if (!begun) return first;
  if (grows) {
    known_ = oldest_ = 0;
    return harmed;
  }
  known_ = std::min(known_ + 1, columns_);
  const int column = oldest_;
  oldest_ = (oldest_ + 1) % columns_;
  return column;
}

void MixingWindow::set_products(int column, const Weights& products) {
  products_.row(column).head(known_) = products.transpose();
  products_.col(column).head(known_) = products;
}

MixingWindow::Weights MixingWindow::calc_gamma(const Weights& projections) const {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, size, size> A = products_.topLeftCorner(known_, known_);
  // Differences of slow errors are small ones: each counts by its own size.
  const Weights scale = (A.diagonal().array() + std::numeric_limits<double>::min()).sqrt().inverse();
  A = scale.asDiagonal() * A * scale.asDiagonal();
  A.diagonal().array() += noise_;
  const Weights scaled = scale.cwiseProduct(projections);
  const Weights gamma = scale.cwiseProduct(A.ldlt().solve(scaled));
  return gamma.allFinite() ? gamma : Weights(Weights::Zero(known_));
}

}  // namespace stiction
