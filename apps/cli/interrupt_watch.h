#pragma once

#include <csignal>

namespace stiction::cli {

/// Thrown where a wait ends because the user has stopped the program; the program answers with its exit code.
struct Interrupted {};

/// While it lives, SIGINT (Ctrl-C) and SIGTERM only leave a note, so that a run can stop after its step and store where
/// it is. The second signal of a kind ends the program as usual.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool was_interrupted();
  /// Throws Interrupted if so.
  static void check();

 private:
  struct sigaction before_int_ = {}, before_term_ = {};
};

}  // namespace stiction::cli
