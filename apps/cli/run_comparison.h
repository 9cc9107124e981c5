#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stiction/results/run_store.h"

namespace stiction::cli {

/// A run to be compared with others.
struct ComparedRun {
  std::string name, method;
  std::unique_ptr<RunReader> reader;
  double step = 0;                ///< time.step: forces are impulses divided by it [s]
  std::vector<StepEvent> events;  ///< with the sides of a pair in alphabetical order
  struct PairForce {
    std::string pair;
    double largest = 0, last = 0;  ///< of the normal force, all points of the pair together [N]
  };
  std::vector<PairForce> forces;
  std::vector<double> force_times, total_force;  ///< normal force of all contacts at the recording times [s, N]
};

ComparedRun open_compared(const std::filesystem::path& folder);

/// Events, final states and forces side by side; differences against the first run.
std::string format_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals);
/// Signals that all runs have and that match `globs` (default: positions that change in the first run, 6 at most).
std::vector<std::string> choose_compared(const std::vector<ComparedRun>& runs, const std::vector<std::string>& globs);
/// One panel a signal and one for the normal force, a curve for each run.
std::string draw_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals);

}  // namespace stiction::cli
