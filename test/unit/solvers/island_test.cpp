#include "stiction/solvers/island.h"

#include <gtest/gtest.h>

#include "stiction/solvers/cone/cone_auto.h"

#include "cone_problems.h"

namespace stiction {
namespace {

TEST(Island, FollowsTheEntriesOfW) {
  // 0-2 and 1-4 are joined, the second from one side only; 3 is alone; an explicit zero joins nothing.
  const ConeMatrix W(2, 5, {{0, 5, 1.0}, {5, 0, 1.0}, {3, 8, 2.0}, {6, 0, 0.0}});
  const std::vector<std::vector<int>> expected = {{0, 2}, {1, 4}, {3}};
  EXPECT_EQ(find_islands(W), expected);
}

TEST(Island, PartsKeepTheirNumbers) {
  const ConeProblem whole = make_local(test::make_tower(3, 1, 0.5, 1));
  const ConeProblem part = make_island(whole, {4, 5, 6, 7});
  EXPECT_EQ(part.W.calc_dense(), MatX(whole.W.calc_dense().block(12, 12, 12, 12)));
  EXPECT_EQ(part.q, VecX(whole.q.segment(12, 12)));
  EXPECT_EQ(part.mu, VecX(whole.mu.segment(4, 4)));
}

TEST(Island, EveryWorkIsDoneOnceOnAnyNumberOfThreads) {
  for (int threads : {1, 2, 7}) {
    std::vector<int> done(100, 0);
    for_each_island(100, threads, [&](int island) { ++done[island]; });
    EXPECT_EQ(done, std::vector<int>(100, 1));
  }
}

TEST(Island, ResultsDoNotDependOnThreads) {
  // Six separate towers of different seeds in one problem.
  std::vector<ConeEntry> entries;
  ConeProblem whole;
  std::vector<ConeProblem> parts;
  for (int tower = 0; tower < 6; ++tower) parts.push_back(make_local(test::make_tower(4, 2, 0.6, tower)));
  const int rows = parts[0].W.rows();
  whole.q.resize(6 * rows);
  whole.mu.resize(6 * rows / 3);
  for (int tower = 0; tower < 6; ++tower) {
    for (const ConeEntry& e : parts[tower].W.calc_entries()) {
      entries.push_back({tower * rows + e.row, tower * rows + e.column, e.value});
    }
    whole.q.segment(tower * rows, rows) = parts[tower].q;
    whole.mu.segment(tower * rows / 3, rows / 3) = parts[tower].mu;
  }
  whole.W = ConeMatrix(3, 6 * rows / 3, entries);
  const ConeResult one = solve_cone(whole);
  EXPECT_EQ(one.status, ConeStatus::solved);
  for (int threads : {2, 3, 8}) {
    ConeOptions options;
    options.threads = threads;
    EXPECT_EQ(solve_cone(whole, options).r, one.r);
  }
}

}  // namespace
}  // namespace stiction
