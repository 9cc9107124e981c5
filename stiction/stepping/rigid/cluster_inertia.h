#pragma once

#include <vector>

#include "stiction/stepping/rigid/cluster_constraints.h"

namespace stiction {

/// Masses of the clusters of an island at a configuration: M, the inverse A that the constraints leave ((2) of
/// cluster_constraints.h; M^-1 without any), and of clusters of up to 6 coordinates L with A = L L'. A and L are
/// computed when they are first asked for. Masses of balls (RigidModel::Cluster::is_ball) are set once: turning their
/// inertia to and fro would leave rounding of the configuration at which it was done.
class ClusterInertia {
 public:
  ClusterInertia(const RigidModel& model, const ClusterLayout& layout);
  void begin(const Island& island) { constraints_.begin(island); }
  /// At the positions of the instant.
  void update(const Instant& instant);
  std::int64_t revision() const { return revision_; }  ///< changes with update()

  const MatX& M(int cluster) const { return clusters_[static_cast<std::size_t>(cluster)].M; }
  const MatX& A(int cluster);
  /// Columns of directions in which a constraint lets nothing move are 0.
  const Mat6& L(int cluster);
  ClusterConstraints& constraints() { return constraints_; }
  const ClusterConstraints& constraints() const { return constraints_; }

 private:
  const RigidModel& model_;
  const ClusterLayout& layout_;
  TreeDynamics dynamics_;
  ClusterConstraints constraints_;
  struct Cluster {
    MatX M, A;
    Mat6 L;
    bool A_is_valid = false, L_is_valid = false;
  };
  std::vector<Cluster> clusters_;
  std::int64_t revision_ = 0;
};

}  // namespace stiction
