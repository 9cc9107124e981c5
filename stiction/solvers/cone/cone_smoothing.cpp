#include "stiction/solvers/cone/cone_smoothing.h"

#include <algorithm>

#include "stiction/solvers/cone/cone_smooth_projection.h"

namespace stiction {

// x - P_e(x - y)
template <int D>
Eigen::Matrix<double, D, 1> calc_smoothed_map(const Eigen::Matrix<double, D, 1>& x,
                                              const Eigen::Matrix<double, D, 1>& u, double e) {
  Eigen::Matrix<double, D, 1> z = x - u;
  z[0] -= u.template tail<D - 1>().norm();
  return x - calc_smooth_projection<D>(z, e);
}

template <int D>
double calc_smoothed_norm(const typename ConeCanonical<D>::Vecs& x, const typename ConeCanonical<D>::Vecs& u,
                          double e) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += calc_smoothed_map<D>(x[i], u[i], e).squaredNorm();
  return std::sqrt(sum);
}

template <int D>
double calc_strict_norm(const typename ConeCanonical<D>::Vecs& x, const typename ConeCanonical<D>::Vecs& u, double e) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = x[i].norm() + u[i].norm(), least = std::max(e * e / (size + e), 1e-14 * size);
    most = std::max(most, calc_smoothed_map<D>(x[i], u[i], e).norm() / least);
  }
  return most;
}

template <int D>
ConeSlope<D> calc_smoothed_slope(const Eigen::Matrix<double, D, 1>& x, const Eigen::Matrix<double, D, 1>& u, double e) {
  Eigen::Matrix<double, D, 1> z = x - u;
  const double slip = u.template tail<D - 1>().norm();
  z[0] -= slip;
  ConeSlope<D> slope;
  slope.B = calc_smooth_projection_slope<D>(z, e);
  // G = I + e_0 [0, u_t' / |u_t|]
  slope.BG = slope.B;
  if (slip > 0) slope.BG.template rightCols<D - 1>() += slope.B.col(0) * (u.template tail<D - 1>() / slip).transpose();
  return slope;
}

template <int D>
ConeSmoothing<D>::ConeSmoothing(const Cone& cone)
    : cone_(cone), phi_(cone.count), B_(cone.count), BG_(cone.count), active_(cone.count), index_(cone.count, -1) {
  for (int i = 0; i < cone.count; ++i) {
    const Vec diagonal = cone.A[cone.diagonal[i]].diagonal();
    proximal_.push_back((diagonal.array() > 0).select(diagonal, 1.0));
  }
}

template <int D>
void ConeSmoothing<D>::multiply(const Vecs& dx, Vecs& du) const {
  for (int i = 0; i < cone_.count; ++i) {
    Vec sum = Vec::Zero();
    for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) sum += cone_.A[k] * dx[cone_.column[k]];
    du[i] = sum;
  }
}

template <int D>
void ConeSmoothing<D>::update_map(const Vecs& x, const Vecs& u, double e) {
  for (int i = 0; i < cone_.count; ++i) {
    phi_[i] = calc_smoothed_map<D>(x[i], u[i], e);
    const ConeSlope<D> slope = calc_smoothed_slope<D>(x[i], u[i], e);
    B_[i] = slope.B;
    BG_[i] = slope.BG;
    active_[i] = slope.is_active();
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
      if (i == j) blocks_.back() += Mat::Identity() - B_[i] + alpha * BG_[i] * proximal_[i].asDiagonal();
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

// In space, for cone_body_smoothing.h too.
template Vec3 calc_smoothed_map<3>(const Vec3&, const Vec3&, double);
template ConeSlope<3> calc_smoothed_slope<3>(const Vec3&, const Vec3&, double);
template double calc_smoothed_norm<2>(const ConeCanonical<2>::Vecs&, const ConeCanonical<2>::Vecs&, double);
template double calc_smoothed_norm<3>(const ConeCanonical<3>::Vecs&, const ConeCanonical<3>::Vecs&, double);
template double calc_smoothed_norm<4>(const ConeCanonical<4>::Vecs&, const ConeCanonical<4>::Vecs&, double);
template double calc_strict_norm<2>(const ConeCanonical<2>::Vecs&, const ConeCanonical<2>::Vecs&, double);
template double calc_strict_norm<3>(const ConeCanonical<3>::Vecs&, const ConeCanonical<3>::Vecs&, double);
template double calc_strict_norm<4>(const ConeCanonical<4>::Vecs&, const ConeCanonical<4>::Vecs&, double);

}  // namespace stiction
