#include "stiction/problems/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/problems/fclib.h"
#include "stiction/problems/problem_json.h"
#include "stiction/solvers/cone/cone_matrix_free.h"
#include "stiction/solvers/cone/cone_solvers.h"
#include "stiction/solvers/lcp/lcp_solvers.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"

namespace stiction {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

constexpr std::string_view matrix_free = "matrix_free";

bool is_hdf5(const std::filesystem::path& path) {
  if (path.extension() == ".hdf5" || path.extension() == ".h5") return true;
  // HDF5 File Format Specification, III.A: signature of the superblock.
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::array<char, signature.size()> bytes{};
  std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
  return std::string_view(bytes.data(), bytes.size()) == signature;
}

template <typename Table>
std::vector<std::string> list_names(const Table& table) {
  std::vector<std::string> names;
  for (const auto& solver : table) names.emplace_back(solver.name);
  return names;
}

ProblemResult take(LcpResult result) {
  return {std::move(result.z), std::string(name_of(result.status)), result.residual, result.iterations};
}

ProblemResult take(ConeResult result) {
  return {std::move(result.r), std::string(name_of(result.status)), result.residual, result.iterations};
}

}  // namespace

Problem read_problem(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw IoError(fmt::format("cannot read {}: it is a folder", path.string()));
  std::error_code fault;
  const auto status = std::filesystem::status(path, fault);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw IoError("cannot read " + path.string() + ": not a regular file");
  }
  const auto widen = [](auto&& narrow) {
    return std::visit([](auto&& problem) { return Problem(std::forward<decltype(problem)>(problem)); },
                      std::forward<decltype(narrow)>(narrow));
  };
  return is_hdf5(path) ? widen(read_fclib(path.string()).problem) : widen(read_problem_json(path));
}

std::string_view name_kind(const Problem& problem) {
  constexpr std::array<std::string_view, std::variant_size_v<Problem>> names{"lcp", "mlcp", "cone", "global_cone"};
  return names[problem.index()];
}

std::string describe_size(const Problem& problem) {
  return std::visit(
      Overloaded{
          [](const LcpProblem& p) { return fmt::format("{} rows", p.q.size()); },
          [](const MlcpProblem& p) { return fmt::format("{} rows", p.q.size()); },
          [](const ConeProblem& p) { return fmt::format("{} contacts of {} rows", p.contacts(), p.dimension()); },
          [](const GlobalConeProblem& p) {
            return fmt::format("{} contacts of {} rows, {} degrees of freedom", p.contacts(), p.dimension, p.f.size());
          }},
      problem);
}

std::vector<std::string> name_methods(const Problem& problem) {
  return std::visit(Overloaded{[](const LcpProblem&) { return list_names(lcp_solvers()); },
                               [](const MlcpProblem&) { return list_names(mlcp_solvers()); },
                               [](const ConeProblem&) { return list_names(cone_solvers()); },
                               [](const GlobalConeProblem&) {
                                 std::vector<std::string> names = list_names(cone_solvers());
                                 names.emplace_back(matrix_free);
                                 return names;
                               }},
                    problem);
}

void check_method(const Problem& problem, std::string_view method) {
  const std::vector<std::string> names = name_methods(problem);
  if (std::find(names.begin(), names.end(), method) != names.end()) return;
  const std::string nearest = find_nearest_word(method, names);
  throw InputError(fmt::format("there is no method {} for a problem of kind {}; there are {}", quote(method),
                               name_kind(problem), join_words(names)),
                   nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
}

ProblemResult solve_problem(const Problem& problem, std::string_view method, const ProblemOptions& options) {
  check_method(problem, method);
  LcpOptions linear;
  linear.tolerance = options.tolerance;
  ConeOptions cone;
  cone.tolerance = options.tolerance;
  cone.threads = options.threads;
  LcpWorkspace workspace;
  ConeWorkspace cone_workspace;
  return std::visit(
      Overloaded{[&](const LcpProblem& p) { return take(find_lcp_solver(method)->solve(p, linear, workspace)); },
                 [&](const MlcpProblem& p) { return take(find_mlcp_solver(method)->solve(p, linear, workspace)); },
                 [&](const ConeProblem& p) { return take(find_cone_solver(method)->solve(p, cone, cone_workspace)); },
                 [&](const GlobalConeProblem& p) {
                   if (method == matrix_free) return take(solve_cone_matrix_free(p, cone));
                   return take(find_cone_solver(method)->solve(make_local(p), cone, cone_workspace));
                 }},
      problem);
}

}  // namespace stiction
