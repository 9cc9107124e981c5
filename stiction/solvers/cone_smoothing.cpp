#include "stiction/solvers/cone_smoothing.h"

namespace stiction {
namespace {

// (l + sqrt(l^2 + 4 e^2)) / 2 without cancellation.
double smooth_plus(double l, double e) {
  const double root = std::sqrt(l * l + 4 * e * e);
  if (l > 0) return 0.5 * (l + root);
  return e > 0 ? 2 * e * e / (root - l) : 0;
}

double smooth_plus_slope(double l, double e) {
  if (e == 0) return l > 0 ? 1 : 0;
  const double root = std::sqrt(l * l + 4 * e * e);
  return l > 0 ? 0.5 * (1 + l / root) : 2 * e * e / (root * (root - l));
}

// x - P_e(x - y)
template <int D>
Eigen::Matrix<double, D, 1> calc_map(const Eigen::Matrix<double, D, 1>& x, const Eigen::Matrix<double, D, 1>& u,
                                     double e) {
  Eigen::Matrix<double, D, 1> z = x - u;
  z[0] -= u.template tail<D - 1>().norm();
  const double t = z.template tail<D - 1>().norm();
  const double low = smooth_plus(z[0] - t, e), high = smooth_plus(z[0] + t, e);
  z[0] = 0.5 * (low + high);
  z.template tail<D - 1>() *= t > 0 ? 0.5 * (high - low) / t : 0.0;
  return x - z;
}

// P_e'(z)
template <int D>
Eigen::Matrix<double, D, D> calc_slope(const Eigen::Matrix<double, D, 1>& z, double e) {
  using Tangent = Eigen::Matrix<double, D - 1, 1>;
  const double t = z.template tail<D - 1>().norm();
  const double low = z[0] - t, high = z[0] + t;
  const double slope_low = smooth_plus_slope(low, e), slope_high = smooth_plus_slope(high, e);
  const double mean = 0.5 * (slope_low + slope_high), half = 0.5 * (slope_high - slope_low);
  const bool regular = high > low;
  const double across = regular ? (smooth_plus(high, e) - smooth_plus(low, e)) / (high - low) : mean;
  const Tangent w = regular ? Tangent(z.template tail<D - 1>() / t) : Tangent(Tangent::Zero());
  Eigen::Matrix<double, D, D> B;
  B(0, 0) = mean;
  B.template block<1, D - 1>(0, 1) = half * w.transpose();
  B.template block<D - 1, 1>(1, 0) = half * w;
  B.template block<D - 1, D - 1>(1, 1) = (mean - across) * w * w.transpose();
  for (int i = 1; i < D; ++i) B(i, i) += across;
  return B;
}

}  // namespace

template <int D>
ConeSmoothing<D>::ConeSmoothing(const Cone& cone)
    : cone_(cone), phi_(cone.count), B_(cone.count), BG_(cone.count), active_(cone.count), index_(cone.count, -1) {}

template <int D>
double ConeSmoothing<D>::calc_norm(const Vecs& x, const Vecs& u, double e) const {
  double sum = 0;
  for (int i = 0; i < cone_.count; ++i) sum += calc_map<D>(x[i], u[i], e).squaredNorm();
  return std::sqrt(sum);
}

template <int D>
void ConeSmoothing<D>::update_map(const Vecs& x, const Vecs& u, double e) {
  for (int i = 0; i < cone_.count; ++i) {
    phi_[i] = calc_map<D>(x[i], u[i], e);
    Vec z = x[i] - u[i];
    const double slip = u[i].template tail<D - 1>().norm();
    z[0] -= slip;
    B_[i] = calc_slope<D>(z, e);
    active_[i] = B_[i].squaredNorm() > 1e-24;
    // G = I + e_0 [0, u_t' / |u_t|]
    BG_[i] = B_[i];
    if (slip > 0) {
      BG_[i].template rightCols<D - 1>() += B_[i].col(0) * (u[i].template tail<D - 1>() / slip).transpose();
    }
  }
}

// The system may hold a few contacts more than are active, so that its analysis lasts.
template <int D>
void ConeSmoothing<D>::choose_pattern() {
  int needed = 0, held = 0;
  bool covered = true;
  for (int i = 0; i < cone_.count; ++i) {
    needed += active_[i];
    held += index_[i] >= 0;
    covered = covered && (!active_[i] || index_[i] >= 0);
  }
  if (covered && needed >= 0.7 * held) return;
  int count = 0;
  for (int i = 0; i < cone_.count; ++i) index_[i] = active_[i] ? count++ : -1;
  start_.assign(1, 0);
  columns_.clear();
  for (int i = 0; i < cone_.count; ++i) {
    if (index_[i] < 0) continue;
    for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) {
      if (index_[cone_.column[k]] >= 0) columns_.push_back(index_[cone_.column[k]]);
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
  factor_.analyze(count, start_, columns_);
}

template <int D>
void ConeSmoothing<D>::assemble(double alpha) {
  blocks_.clear();
  right_side_.clear();
  for (int i = 0; i < cone_.count; ++i) {
    if (index_[i] < 0) continue;
    Vec right = -phi_[i];
    for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) {
      const int j = cone_.column[k];
      const Mat block = BG_[i] * cone_.A[k];
      if (index_[j] < 0) {
        right += block * phi_[j];
        continue;
      }
      blocks_.push_back(block);
      if (i == j) blocks_.back() += Mat::Identity() - B_[i] + alpha * BG_[i];
    }
    right_side_.push_back(right);
  }
}

template <int D>
bool ConeSmoothing<D>::solve_step(double alpha, Vecs& dx) {
  choose_pattern();
  assemble(alpha);
  if (!factor_.factorize(blocks_)) return false;
  factor_.solve(right_side_);
  double sum = 0;
  for (int i = 0; i < cone_.count; ++i) {
    dx[i] = index_[i] < 0 ? Vec(-phi_[i]) : right_side_[index_[i]];
    sum += dx[i].squaredNorm();
  }
  return std::isfinite(sum);
}

template class ConeSmoothing<2>;
template class ConeSmoothing<3>;
template class ConeSmoothing<4>;

}  // namespace stiction
