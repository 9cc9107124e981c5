#include <benchmark/benchmark.h>

#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

#include "test/unit/solvers/lcp_families.h"

namespace stiction {
namespace {

std::vector<LcpProblem> make_contact_problems(int balls, int contacts) {
  Random random(5);
  std::vector<LcpProblem> problems;
  for (int i = 0; i < 50; ++i) problems.push_back(test::make_contact_problem(random, balls, contacts, 8));
  return problems;
}

// Lemke on contact LCPs of 10 rows a contact; range(0) = contacts. 7 contacts, 70 x 70: four balls.
void lcp_lemke_contact(benchmark::State& state) {
  const int contacts = static_cast<int>(state.range(0));
  const std::vector<LcpProblem> problems = make_contact_problems(std::max(2, contacts * 4 / 7), contacts);
  LcpWorkspace workspace;
  std::size_t next = 0;
  double pivots = 0;
  for (auto _ : state) {
    const LcpResult result = solve_lcp_lemke(problems[next], {}, workspace.lemke);
    if (result.status != LcpStatus::solved) state.SkipWithError("not solved");
    pivots += result.iterations;
    next = (next + 1) % problems.size();
  }
  state.counters["pivots"] = benchmark::Counter(pivots, benchmark::Counter::kAvgIterations);
}
BENCHMARK(lcp_lemke_contact)->Arg(4)->Arg(7)->Arg(20)->Unit(benchmark::kMicrosecond);

// The same from the solution of the step before, as in a settled simulation.
void lcp_lemke_contact_warm(benchmark::State& state) {
  const std::vector<LcpProblem> problems = make_contact_problems(4, 7);
  LcpWorkspace workspace;
  std::vector<VecX> solutions;
  for (const LcpProblem& problem : problems) solutions.push_back(solve_lcp_lemke(problem, {}, workspace.lemke).z);
  std::size_t next = 0;
  for (auto _ : state) {
    LcpOptions options;
    options.start = &solutions[next];
    benchmark::DoNotOptimize(solve_lcp_lemke(problems[next], options, workspace.lemke));
    next = (next + 1) % problems.size();
  }
}
BENCHMARK(lcp_lemke_contact_warm)->Unit(benchmark::kMicrosecond);

// Principal pivoting on frictionless contact, M = J J' with more rows than freedoms; range(0) = rows.
void lcp_principal_pivoting_hyperstatic(benchmark::State& state) {
  Random random(6);
  const auto rows = state.range(0);
  MatX J = MatX::NullaryExpr(rows, rows / 2, [&] { return random.uniform(-1, 1); });
  J.col(0) = J.col(0).cwiseAbs();
  const VecX v = VecX::NullaryExpr(rows / 2, [&] { return random.uniform(-1, 1); });
  const LcpProblem problem{J * J.transpose(), J * v};
  LcpWorkspace workspace;
  for (auto _ : state) {
    const LcpResult result = solve_lcp_principal_pivoting(problem, {}, workspace.principal_pivoting);
    if (result.status != LcpStatus::solved) state.SkipWithError("not solved");
  }
}
BENCHMARK(lcp_principal_pivoting_hyperstatic)->Arg(40)->Arg(200)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stiction
