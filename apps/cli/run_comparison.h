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
  std::vector<StepEvent> events;  ///< pairs as the scene names them
  /// Between two shapes, all points together [N].
  struct PairForce {
    std::string pair;
    bool has_peak = false;  ///< largest_normal is that of all steps; else that of the samples
    double largest_normal = 0;
    double last_normal = 0;
    double largest_friction = 0, last_friction = 0;  ///< size of the sum of the tangential forces
  };
  std::vector<PairForce> forces;
  /// Over all pairs, at the recording times [s, N].
  std::vector<double> force_times, total_normal, total_friction;

  bool has_signal(const std::string& signal) const;
  /// Empty if there is no such signal.
  std::string unit_of(const std::string& signal) const;
};

ComparedRun open_compared(const std::filesystem::path& folder);

/// What differs first, then events, final states and forces side by side; differences against the first run.
std::string format_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals);
/// Signals that all runs have and that match `globs` (default: positions that change in any run, 6 at most; none if
/// nothing moves). InputError for globs that no common signal matches.
std::vector<std::string> choose_compared(const std::vector<ComparedRun>& runs, const std::vector<std::string>& globs);
/// One panel a signal, one for normal and one for friction forces, a curve for each run; if there is none of these, the
/// energy.
std::string draw_comparison(const std::vector<ComparedRun>& runs, const std::vector<std::string>& signals);

}  // namespace stiction::cli
