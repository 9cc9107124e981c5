#include "apps/cli/interrupt_watch.h"

namespace stiction::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_signal(int) {
  interrupted = 1;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

bool InterruptWatch::was_interrupted() {
  return interrupted != 0;
}

void InterruptWatch::check() {
  if (was_interrupted()) throw Interrupted{};
}

}  // namespace stiction::cli
