#ifdef STICTION_SHARED_PROBLEMS
#include <gtest/gtest.h>

#include <filesystem>

#include "stiction/solvers/cone_auto.h"
#include "stiction/solvers/fclib.h"

namespace stiction {
namespace {

// Every file of a folder by the default method, without options; the residual is measured from the file's own data.
void solve_all(const std::string& folder) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(STICTION_SHARED_PROBLEMS) + "/" + folder)) {
    if (entry.path().extension() != ".hdf5") continue;
    const ConeProblem problem = read_local_problem(entry.path());
    const ConeResult result = solve_cone(problem);
    EXPECT_EQ(result.status, ConeStatus::solved) << entry.path();
    EXPECT_LE(calc_residual(problem, result.r), 1e-8) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(ConeShared, SolvesEveryProblemInSpace) {
  solve_all("cone3d");
}
TEST(ConeShared, SolvesEveryProblemInThePlane) {
  solve_all("cone2d");
}

}  // namespace
}  // namespace stiction
#endif
