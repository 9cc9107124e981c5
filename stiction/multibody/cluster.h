#pragma once

#include <vector>

#include "stiction/multibody/dynamics.h"

namespace stiction {

/// A system falls into clusters of coordinates that act on each other without contact: the joints of a tree, and trees
/// that constraints hold together. Joints whose motion is prescribed belong to none and separate what hangs on them:
/// what they carry feels their motion, but passes nothing on. The mass matrix is block diagonal in clusters.
struct ClusterMap {
  explicit ClusterMap(const System& system);

  std::vector<std::vector<int>> members;  ///< of each cluster: its entries of v, rising
  std::vector<int> of_v;                  ///< entry of v -> cluster; -1: prescribed
  std::vector<int> local;                 ///< entry of v -> its place in the cluster
  std::vector<int> of_body;               ///< the cluster that moves a body; -1: none does
  std::vector<int> of_constraint;         ///< constraint -> cluster; -1: it holds nothing that moves freely

  int size() const { return static_cast<int>(members.size()); }
  int dimension(int cluster) const { return static_cast<int>(members[static_cast<std::size_t>(cluster)].size()); }
};

}  // namespace stiction
