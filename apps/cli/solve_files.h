#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/problems/problem.h"

namespace stiction::cli {

struct SolveOptions {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> methods;  ///< empty: the default, or for a profile all of them
  ProblemOptions solver;
  bool json = false;
  bool profile = false;
  std::filesystem::path out;  ///< picture of the profile; empty: none
};

/// A problem solved and how long that took.
struct TimedResult {
  ProblemResult result;
  double seconds = 0;  ///< by the wall clock, reading not counted
};
TimedResult solve_timed(const Problem& problem, const std::string& method, const ProblemOptions& options);

/// Solves one file, or several into a table, by one method. A file that cannot be read or understood is reported and,
/// where there are several, left out. Returns the exit code: that of the worst file.
int solve_files(const SolveOptions& options);

/// Solves every file by every method of its kind and prints performance profiles, one for each kind of problem.
/// A method that fails is a result here: exit_ok, but exit_limit if no method solved anything. A file that cannot be
/// read or understood is reported and left out; its exit code is returned then.
int profile_files(const SolveOptions& options);

/// The exit code and the words of a file that gave no result.
struct Refusal {
  int code = 0;
  std::string message;
};
/// Of the InputError or IoError being handled.
Refusal describe_refusal(const std::filesystem::path& file);

/// Of two exit codes the graver: a limit, then bad input, then files that cannot be read.
int find_graver(int a, int b);

}  // namespace stiction::cli
