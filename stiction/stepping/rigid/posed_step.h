#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// The problem that IslandWork::solver has just solved, taken apart: (1) and (2) of problem_watch.h. `blocks`: which of
/// the rows it has; null: all. Changes nothing that the step goes on with.
PosedStep take_apart(IslandWork& work, const std::vector<int>* blocks, const SolvedProblem& solved);

}  // namespace stiction
