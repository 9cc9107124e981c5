#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>

namespace stiction::python {

/// Has Ctrl-C been pressed? Asked without the interpreter lock, after every step. The answer takes the lock, so it is
/// sought at most every 50 ms of the clock: one step of a large scene may take longer than a thousand of a small one.
/// Only whether a call ends early depends on it.
class SignalCheck {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_ || now < next_) return raised();
    next_ = now + interval;
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) raised_ = std::make_exception_ptr(nanobind::python_error());
    return raised();
  }
  bool raised() const { return raised_ != nullptr; }
  /// The exception of the signal's handler, by who holds the lock.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

  static constexpr std::chrono::milliseconds interval{50};

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + interval;
  std::exception_ptr raised_;
};

}  // namespace stiction::python
