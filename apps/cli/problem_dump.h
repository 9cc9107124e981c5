#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "stiction/stepping/problem_watch.h"

namespace stiction::cli {

/// Writes contact problems of chosen steps into a folder, as `stiction solve` and FCLIB's tools read them: cone
/// problems as FCLIB files with their solution, polyhedral ones as JSON.
class ProblemDump {
 public:
  /// `when`: "all", "every=N" (steps 0, N, 2N, ...), "unconverged", "worst=N" (the N largest residuals), or
  /// "t=T1,T2,..." (the steps that begin at these times, or hold them inside). InputError otherwise.
  ProblemDump(const std::string& when, std::filesystem::path folder);
  void add(const SolvedProblem& problem, double step_length);
  /// Writes what was held back. Returns how many files there are.
  int finish();

 private:
  enum class When { all, every, unconverged, worst, times };
  bool is_wanted(const SolvedProblem& problem, double step_length) const;
  void write(const SolvedProblem& problem);

  std::filesystem::path folder_;
  When when_ = When::all;
  std::int64_t count_ = 1;
  std::vector<double> times_;
  std::vector<SolvedProblem> worst_;
  std::int64_t last_step_ = -1;
  int of_step_ = 0, files_ = 0;
};

}  // namespace stiction::cli
