#include "stiction/stepping/rigid/cluster_inertia.h"

#include <cmath>

#include "stiction/base/index.h"
#include "stiction/multibody/mass_entries.h"

namespace stiction {
namespace {

/// Of a positive definite matrix M = C C': L = C^-T, with which M^-1 = L L'.
template <int N>
Eigen::Matrix<double, N, N> calc_inverse_factor(const Eigen::Matrix<double, N, N>& M) {
  Eigen::Matrix<double, N, N> C = Eigen::Matrix<double, N, N>::Zero(), L = C;
  for (int j = 0; j < N; ++j) {
    C(j, j) = std::sqrt(M(j, j) - C.row(j).head(j).squaredNorm());
    for (int i = j + 1; i < N; ++i) C(i, j) = (M(i, j) - C.row(i).head(j).dot(C.row(j).head(j))) / C(j, j);
  }
  for (int j = 0; j < N; ++j) {
    L(j, j) = 1 / C(j, j);
    for (int i = j + 1; i < N; ++i) L(j, i) = -C.row(i).segment(j, i - j).dot(L.row(j).segment(j, i - j)) / C(i, i);
  }
  return L;
}

/// L and A = L L' = M^-1 of a body. Turning and moving do not act on each other where the velocity is that of the
/// centre of mass.
void invert_mass(const Eigen::Map<const Mat6>& M, Mat6& L, Eigen::Map<Mat6> A) {
  if (!M.bottomLeftCorner<3, 3>().isZero(0)) {
    L = calc_inverse_factor<6>(M);
    A = L.lazyProduct(L.transpose());
    return;
  }
  L.setZero();
  A.setZero();
  for (const int k : {0, 3}) {
    const Mat3 part = calc_inverse_factor<3>(M.block<3, 3>(k, k));
    L.block<3, 3>(k, k) = part;
    A.block<3, 3>(k, k) = part.lazyProduct(part.transpose());
  }
}

}  // namespace

ClusterInertia::ClusterInertia(const RigidModel& model, const ClusterLayout& layout)
    : model_(model), layout_(layout), dynamics_(model.system), constraints_(model), clusters_(model.parts.size()) {
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const int n = model.clusters.dimension(static_cast<int>(c));
    clusters_[c].M.setZero(n, n);
    if (!model.parts[c].is_ball) continue;
    const MassProperties& mass = model.system.bodies[at(model.parts[c].bodies.front())].mass;
    Vec6 diagonal;
    diagonal << Vec3::Constant(mass.inertia(0, 0)), Vec3::Constant(mass.mass);
    clusters_[c].M = diagonal.asDiagonal();
  }
}

void ClusterInertia::update(const Instant& instant) {
  ++revision_;
  bool any = false;
  for (const Island::Cluster& entry : layout_.island().clusters) {
    if (model_.parts[at(entry.index)].is_ball) continue;
    Cluster& cluster = clusters_[at(entry.index)];
    cluster.M.setZero();
    cluster.A_is_valid = cluster.L_is_valid = false;
    any = true;
  }
  if (!any) return;
  calc_mass_entries(instant.kinematics, dynamics_, [&](int i, int j, double m) {
    const int cluster = layout_.cluster_of_v(i);
    if (cluster < 0 || layout_.cluster_of_v(j) != cluster || model_.parts[at(cluster)].is_ball) return;
    const int x = i - layout_.v_start(cluster), y = j - layout_.v_start(cluster);
    clusters_[at(cluster)].M(x, y) = clusters_[at(cluster)].M(y, x) = m;
  });
  if (constraints_.count() == 0) return;
  update_articulated_inertia(model_.system, instant.kinematics, dynamics_);
  constraints_.update(instant, dynamics_);
}

const MatX& ClusterInertia::A(int index) {
  Cluster& cluster = clusters_[at(index)];
  MatX& A = cluster.A;
  if (cluster.A_is_valid) return A;
  cluster.A_is_valid = true;
  const MatX& M = cluster.M;
  if (M.rows() == 6) {
    A.resize(6, 6);
    invert_mass(Eigen::Map<const Mat6>(M.data()), cluster.L, Eigen::Map<Mat6>(A.data()));
    cluster.L_is_valid = !constraints_.hold(index);
  } else if (M.rows() == 3) {
    A = Mat3(Mat3(M).inverse());
  } else {
    A = M.llt().solve(MatX::Identity(M.rows(), M.rows()));
  }
  if (constraints_.hold(index)) constraints_.reduce(index, layout_.v_start(index), A);
  return A;
}

const Mat6& ClusterInertia::L(int index) {
  Cluster& cluster = clusters_[at(index)];
  Mat6& L = cluster.L;
  if (cluster.L_is_valid) return L;
  const MatX& A = this->A(index);
  if (cluster.L_is_valid) return L;
  cluster.L_is_valid = true;
  L.setZero();
  const int n = static_cast<int>(A.rows());
  for (int j = 0; j < n; ++j) {
    const double pivot = A(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > 1e-13 * A(j, j))) continue;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) L(i, j) = (A(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return L;
}

}  // namespace stiction
