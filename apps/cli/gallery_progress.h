#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "apps/cli/progress_display.h"

namespace stiction::cli {

/// How far a gallery is, on standard error, as the progress of a run is shown: a bar, or a line for each example.
/// What is left is estimated from what was done, each example by its weight.
class GalleryProgress {
 public:
  struct Task {
    std::string name;
    double weight = 1;  ///< expected work, in any unit
  };
  GalleryProgress(ProgressDisplay::Mode mode, std::vector<Task> tasks);

  /// The first task, and with each call the next, has done this share of its work; 1: it is done.
  void update(double share);

 private:
  void show(double done, std::size_t number, const std::string& name);

  using Clock = std::chrono::steady_clock;
  ProgressDisplay::Mode mode_;
  std::vector<Task> tasks_;
  std::size_t current_ = 0;
  double total_ = 0, finished_ = 0;  ///< weight
  Clock::time_point start_ = Clock::now(), last_shown_ = start_;
  StatusLine line_;
};

}  // namespace stiction::cli
