#include "stiction/solvers/anderson_acceleration.h"

#include <algorithm>
#include <limits>

namespace stiction {

int AndersonWindow::open(double norm) {
  const bool begun = begun_, grows = !(norm <= growth_ * norm_before_);
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

void AndersonWindow::set_products(int column, const Weights& products) {
  products_.row(column).head(known_) = products.transpose();
  products_.col(column).head(known_) = products;
}

AndersonWindow::Weights AndersonWindow::calc_gamma(const Weights& projections) const {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, size, size> A = products_.topLeftCorner(known_, known_);
  // Differences of slow errors are small ones: each counts by its own size.
  const Weights scale = (A.diagonal().array() + std::numeric_limits<double>::min()).sqrt().inverse();
  A = scale.asDiagonal() * A * scale.asDiagonal();
  A.diagonal().array() += noise_;
  const Weights scaled = scale.cwiseProduct(projections);
  const Weights gamma = scale.cwiseProduct(A.ldlt().solve(scaled));
  return gamma.allFinite() ? gamma : Weights(Weights::Zero(known_));
}

void AndersonAcceleration::begin(Eigen::Index n) {
  window_.clear();
  if (f_differences_.rows() < n) {
    f_differences_.resize(n, columns_);
    g_differences_.resize(n, columns_);
  }
}

void AndersonAcceleration::accelerate(const VecX& x, const VecX& g, VecX& next) {
  const Eigen::Index n = x.size();
  f_ = g - x;
  const int column = window_.open(f_.norm());
  const int known = window_.known();
  const auto differences = f_differences_.topLeftCorner(n, known);
  if (column >= 0) {
    f_differences_.col(column).head(n) = f_ - f_before_;
    g_differences_.col(column).head(n) = g - g_before_;
    window_.set_products(column, differences.transpose() * f_differences_.col(column).head(n));
  }
  f_before_ = f_, g_before_ = g;
  next = g;
  if (column >= 0)
    next.noalias() -= g_differences_.topLeftCorner(n, known) * window_.calc_gamma(differences.transpose() * f_);
}

}  // namespace stiction
