#ifdef STICTION_SHARED_PROBLEMS

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "stiction/solvers/lcp_solvers.h"
#include "stiction/solvers/mlcp_enumeration.h"
#include "stiction/solvers/mlcp_solvers.h"
#include "stiction/solvers/problem_json.h"

namespace stiction {
namespace {

std::vector<std::filesystem::path> list_problems(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_SHARED_PROBLEMS "/" + folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Every problem there has a solution: the residual, by its definition, shows each.
TEST(SharedProblems, EveryLcpAndMixedLcpIsSolved) {
  for (const char* folder : {"lcp", "mlcp"}) {
    for (const auto& path : list_problems(folder)) {
      const JsonProblem problem = read_problem_json(path);
      const auto* lcp = std::get_if<LcpProblem>(&problem);
      const MlcpProblem mixed = lcp != nullptr ? make_mlcp(*lcp) : std::get<MlcpProblem>(problem);
      const LcpResult found = lcp != nullptr ? solve_lcp(*lcp) : solve_mlcp(mixed);
      EXPECT_EQ(found.status, LcpStatus::solved) << path;
      const VecX moved = found.z - (mixed.M * found.z + mixed.q);
      EXPECT_LE((found.z - moved.cwiseMax(mixed.lower).cwiseMin(mixed.upper)).lpNorm<Eigen::Infinity>(), 1e-10) << path;
    }
  }
}

}  // namespace
}  // namespace stiction

#endif
