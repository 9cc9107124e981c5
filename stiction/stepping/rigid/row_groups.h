#pragma once

#include "stiction/stepping/rigid/jacobian_rows.h"

namespace stiction {

/// Groups of blocks of rows that do not act on one another: those that share no cluster, directly or by others. Blocks
/// of a group rise, groups stand in the order of their first. Owns memory only.
class RowGroups {
 public:
  explicit RowGroups(std::size_t clusters) : root_(clusters), group_of_root_(clusters) {}
  const std::vector<std::vector<int>>& find(const JacobianRows& rows, const Island& island);

 private:
  std::vector<std::vector<int>> groups_;
  std::vector<int> root_, group_of_root_;  ///< of clusters
  std::int64_t revision_ = -1;             ///< of the rows whose groups these are
};

}  // namespace stiction
