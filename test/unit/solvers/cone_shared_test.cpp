#include <gtest/gtest.h>

#include "stiction/problems/fclib.h"
#include "stiction/solvers/cone/cone_auto.h"

#include "shared_problems.h"

namespace stiction {
namespace {

// Every file of a folder by the default method, without options; the residual is measured from the file's own data.
void solve_all(const std::string& folder) {
  const auto files = test::list_shared_problems(folder, ".hdf5");
  if (files.empty()) GTEST_SKIP() << test::no_shared_problems;
  for (const auto& path : files) {
    const ConeProblem problem = read_local_problem(path);
    const ConeResult result = solve_cone(problem);
    EXPECT_EQ(result.status, ConeStatus::solved) << path;
    EXPECT_LE(calc_residual(problem, result.r), 1e-8) << path;
  }
}

TEST(ConeShared, SolvesEveryProblemInSpace) {
  solve_all("cone3d");
}
TEST(ConeShared, SolvesEveryProblemInThePlane) {
  solve_all("cone2d");
}

}  // namespace
}  // namespace stiction
