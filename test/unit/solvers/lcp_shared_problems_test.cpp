#include <gtest/gtest.h>

#include "stiction/problems/problem_json.h"
#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp_enumeration.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

#include "shared_problems.h"

namespace stiction {
namespace {

// Every problem there has a solution: the residual, by its definition, shows each.
TEST(SharedProblems, EveryLcpAndMixedLcpIsSolved) {
  for (const char* folder : {"lcp", "mlcp"}) {
    const auto files = test::list_shared_problems(folder, ".json");
    if (files.empty()) GTEST_SKIP() << test::no_shared_problems;
    for (const auto& path : files) {
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
