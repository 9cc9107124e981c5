#pragma once

#include <memory>
#include <vector>

#include "stiction/multibody/constraint_set.h"
#include "stiction/stepping/rigid/island.h"

namespace stiction {

/// The bilateral constraints phi(q, t) = 0 of an island at the velocity level, cluster by cluster, rows G:
///     G v + phi_t = b - gain phi                                                                               (1)
/// and the inverse mass that they leave: impulses through it do not violate (1),
///     A = M^-1 - M^-1 G' (G M^-1 G')^-1 G M^-1                                                                 (2)
/// DEPARTURE from cooking-complementarity-2006, eq. (34): dependent rows are dropped (PivotedCholesky); the paper's
/// matrix would be singular then.
class ClusterConstraints {
 public:
  explicit ClusterConstraints(const RigidModel& model);
  void begin(const Island& island);
  int count() const { return count_; }  ///< rows
  bool hold(int cluster) const { return sets_[static_cast<std::size_t>(cluster)] != nullptr; }

  /// G and its factors at the positions of the instant; `dynamics` after update_articulated_inertia.
  void update(const Instant& instant, TreeDynamics& dynamics);
  /// From M^-1 to (2); `start`: of the cluster in v.
  void reduce(int cluster, int start, MatX& A);

  /// G, phi and whose rows they are, one cluster after the other; columns of G: v of the island.
  struct Rows {
    MatX G;
    VecX phi;
    std::vector<int> constraints;  ///< of the rows, into System::constraints
  };
  Rows collect() const;

  /// b of (1) becomes `part` of G v + phi_t, for the velocities in the instant, or 0.
  void set_offset(const Instant& instant, double part);
  void clear_offset();
  /// Brings v onto (1), changing it least in the kinetic metric. `instant` holds v and the configuration.
  void satisfy(const Instant& instant, double gain, VecX& v);

 private:
  struct Set {
    Set(const System& system, const std::vector<int>& constraints) : rows(system, constraints) {}
    ConstraintSet rows;
    VecX offset, lambda;
  };
  template <class Work>
  void for_each(const Work& work) {
    for (const Island::Cluster& cluster : island_->clusters)
      if (Set* set = sets_[static_cast<std::size_t>(cluster.index)].get()) work(*set);
  }

  const Island* island_ = nullptr;
  std::vector<std::unique_ptr<Set>> sets_;  ///< of clusters, or none
  int count_ = 0;
};

}  // namespace stiction
