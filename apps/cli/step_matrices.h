#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "stiction/stepping/stepper.h"

namespace stiction::cli {

/// A problem that a step posed, as `--dump-problems` writes it, and what stands behind it.
struct ExplainedProblem {
  SolvedProblem solved;
  PosedStep posed;
};

struct ExplainedStep {
  /// In the order in which they were solved, as the files of --dump-problems: one an island, one a trial of a time of
  /// impact, one a round of the active set or of an iteration; behind them the islands in which nothing touches.
  std::vector<ExplainedProblem> problems;
  int posed = 0;  ///< of these, with unknowns
  std::vector<StepEvent> events;
};

/// Takes the step that begins at `state`, which becomes its end.
ExplainedStep explain_step(Stepper& stepper, double h, State& state);

/// As text: a line for each problem and each impact, and problem `chosen` in full, matrices row by row; from 1, 0: the
/// last that was posed.
std::string format_step(const ExplainedStep& step, int chosen, const std::string& method);
/// All of them: matrices as arrays of rows.
nlohmann::ordered_json format_step_as_json(const ExplainedStep& step, const std::string& method);

}  // namespace stiction::cli
