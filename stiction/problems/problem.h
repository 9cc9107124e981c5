#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/solvers/cone/cone_global.h"
#include "stiction/solvers/lcp/lcp.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// Any problem that a file can hold: what the command line solves without knowing its kind.
using Problem = std::variant<LcpProblem, MlcpProblem, ConeProblem, GlobalConeProblem>;

/// FCLIB (fclib.h) where the file is HDF5, by its first bytes or its name (.hdf5, .h5); else JSON (problem_json.h).
/// Throws InputError naming the wrong entry, or IoError if the file cannot be read.
Problem read_problem(const std::filesystem::path& path);

/// "lcp", "mlcp", "cone", "global_cone"
std::string_view name_kind(const Problem& problem);
/// The size in words: "14 rows", "12 contacts of 3 rows".
std::string describe_size(const Problem& problem);
/// The methods for this kind of problem; the first, automatic, is the default.
std::vector<std::string> name_methods(const Problem& problem);
/// Throws InputError that lists the methods of this kind of problem if there is none of that name.
void check_method(const Problem& problem, std::string_view method);

struct ProblemOptions {
  double tolerance = 1e-8;  ///< on the measured residual of the kind of problem
  int threads = 1;          ///< for the islands of cone problems; the result does not depend on it
};

struct [[nodiscard]] ProblemResult {
  VecX solution;       ///< z, or r
  std::string status;  ///< solved, stalled, iteration_limit; lcp and mlcp: ray; no_solution where that is proven
  double residual = 0;
  int iterations = 0;
  bool solved() const { return status == "solved"; }
};

/// Throws as check_method does.
ProblemResult solve_problem(const Problem& problem, std::string_view method, const ProblemOptions& options = {});

}  // namespace stiction
