#pragma once

#include <chrono>
#include <string>

#include "stiction/run/simulate.h"

namespace stiction::cli {

/// "[=====>      ]  42 %"
std::string format_bar(double fraction);

/// One line on standard error that is written over and over, cut to the width of the terminal: a wrapped one could not
/// be redrawn. It is removed when this goes away.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void show(const std::string& text);

 private:
  bool visible_ = false;
};

/// How far a run is, on standard error: a bar on a terminal (redrawn at most ten times a second), plain lines (one in
/// two seconds) elsewhere, or one JSON object a line (at most five a second, and a last one at the end).
class ProgressDisplay {
 public:
  enum class Mode { none, bar, plain, json };

  /// `word`: auto, plain, json or none. auto is a bar on a terminal, plain lines elsewhere.
  static Mode choose_mode(const std::string& word, bool quiet);

  explicit ProgressDisplay(Mode mode);
  /// The last line of JSON, however the run ended.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  void update(const Progress& progress);
  /// A line of its own, in every mode, of the kind "warning" or "note": among lines of JSON it is {"warning": text}.
  void tell(const std::string& kind, const std::string& text);

 private:
  void show(double wall_seconds);

  using Clock = std::chrono::steady_clock;
  Mode mode_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_ = start_;
  Progress first_, now_;
  bool begun_ = false;
  StatusLine line_;
};

}  // namespace stiction::cli
