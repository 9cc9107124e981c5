#include "stiction/solvers/island.h"

#include <numeric>

#include "stiction/base/disjoint_sets.h"

namespace stiction {

std::vector<std::vector<int>> find_islands(const ConeMatrix& W) {
  const int count = W.block_count();
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  // The smaller number becomes the root, so that islands come out in order.
  for (int i = 0; i < count; ++i) {
    for (int k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      if (W.block(k).isZero(0)) continue;
      const int a = find_root(parent, i), b = find_root(parent, W.column(k));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> islands;
  std::vector<int> island_of(count, -1);
  for (int i = 0; i < count; ++i) {
    const int root = find_root(parent, i);
    if (root == i) {
      island_of[i] = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    islands[island_of[root]].push_back(i);
  }
  return islands;
}

ConeProblem make_island(const ConeProblem& problem, const std::vector<int>& contacts) {
  const int d = problem.dimension(), count = static_cast<int>(contacts.size());
  ConeProblem part;
  part.W = problem.W.calc_restriction(contacts);
  part.q.resize(d * count);
  part.mu.resize(count);
  if (problem.ellipsoid.size() > 0) part.ellipsoid.resize(count, d - 1);
  for (int i = 0; i < count; ++i) {
    part.q.segment(i * d, d) = problem.q.segment(contacts[i] * d, d);
    part.mu[i] = problem.mu[contacts[i]];
    if (problem.ellipsoid.size() > 0) part.ellipsoid.row(i) = problem.ellipsoid.row(contacts[i]);
  }
  return part;
}

void gather(const VecX& whole, const std::vector<int>& contacts, int d, VecX& part) {
  part.resize(d * static_cast<int>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i)
    part.segment(d * static_cast<int>(i), d) = whole.segment(d * contacts[i], d);
}

void scatter(const VecX& part, const std::vector<int>& contacts, int d, VecX& whole) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    whole.segment(d * contacts[i], d) = part.segment(d * static_cast<int>(i), d);
}

}  // namespace stiction
