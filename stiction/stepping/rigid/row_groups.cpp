#include "stiction/stepping/rigid/row_groups.h"

#include <algorithm>

#include "stiction/base/disjoint_sets.h"
#include "stiction/base/index.h"

namespace stiction {

const std::vector<std::vector<int>>& RowGroups::find(const JacobianRows& rows, const Island& island) {
  if (revision_ == rows.revision()) return groups_;
  revision_ = rows.revision();
  for (const Island::Cluster& cluster : island.clusters) {
    root_[at(cluster.index)] = cluster.index;
    group_of_root_[at(cluster.index)] = -1;
  }
  for (const RowBlock& block : rows.blocks()) {
    const auto [a, b] = block.cluster;
    if (a >= 0 && b >= 0) root_[at(find_root(root_, a))] = find_root(root_, b);
  }
  std::size_t count = 0;
  const auto begin_group = [&] {
    if (count == groups_.size()) groups_.emplace_back();
    groups_[count].clear();
    return static_cast<int>(count++);
  };
  for (int i = 0; i < rows.size(); ++i) {
    const int cluster = std::max(rows.blocks()[at(i)].cluster[0], rows.blocks()[at(i)].cluster[1]);
    if (cluster < 0) {
      groups_[at(begin_group())].push_back(i);
      continue;
    }
    int& group = group_of_root_[at(find_root(root_, cluster))];
    if (group < 0) group = begin_group();
    groups_[at(group)].push_back(i);
  }
  groups_.resize(count);
  return groups_;
}

}  // namespace stiction
