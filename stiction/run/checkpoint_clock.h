#pragma once

#include <time.h>

namespace stiction {

/// Says when a stored run is due for a checkpoint: every so many seconds of the clock, so that a run which is killed at
/// any moment loses little of its work, however slow its steps and however rare its samples are. A checkpoint reads the
/// run and changes nothing in it, so that its moments may differ from run to run: stepper.h, can_checkpoint.
///
/// Work lost at most: the interval (5 s unless the caller says otherwise), the step that is being taken, and the time
/// that writing takes; with CVODE, whose history cannot be saved, up to calc_longest_history steps (ode_cvode.h) more.
/// Cost: the coarse clock (resolution some ms) takes about 5 ns.
class CheckpointClock {
 public:
  explicit CheckpointClock(double interval) : interval_(interval), due_(now() + interval) {}
  bool is_due() const { return now() >= due_; }
  void restart() { due_ = now() + interval_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double interval_;
  double due_;
};

}  // namespace stiction
