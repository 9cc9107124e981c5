#pragma once

#include <csignal>

namespace stiction::cli {

/// While it lives, SIGINT (Ctrl-C) and SIGTERM only leave a note, so that a run can stop after its step and store where
/// it is. The second signal of a kind ends the program as usual.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool was_interrupted();

 private:
  struct sigaction before_int_ = {}, before_term_ = {};
};

}  // namespace stiction::cli
