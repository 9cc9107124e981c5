#include "apps/cli/progress_display.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "stiction/base/text.h"

#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

// What can be said of a run's speed: measured since the display's first look at it, so that a resumed run counts right.
struct Speed {
  double fraction = 0;
  double steps_per_second = 0;
  double real_time_factor = 0;
  double seconds_left = std::numeric_limits<double>::infinity();
};

Speed calc_speed(const Progress& first, const Progress& now, double wall_seconds) {
  Speed speed;
  speed.fraction = now.duration > 0 ? std::clamp(now.t / now.duration, 0.0, 1.0) : 1.0;
  if (wall_seconds <= 0) return speed;
  speed.steps_per_second = static_cast<double>(now.steps - first.steps) / wall_seconds;
  speed.real_time_factor = (now.t - first.t) / wall_seconds;
  if (speed.real_time_factor > 0) speed.seconds_left = (now.duration - now.t) / speed.real_time_factor;
  return speed;
}

// Three digits and a suffix: 950, 12.3k, 2.26M.
std::string format_rate(double rate) {
  if (rate < 1e3) return fmt::format("{:.3g}", rate);
  return rate < 1e6 ? fmt::format("{:.3g}k", rate / 1e3) : fmt::format("{:.3g}M", rate / 1e6);
}

std::string format_words(const Progress& now, const Speed& speed) {
  return fmt::format("{} of {} s, {} steps/s, {}x real time, {} left", format_digits(now.t, 4),
                     format_digits(now.duration, 4), format_rate(speed.steps_per_second),
                     format_rate(speed.real_time_factor), format_duration(speed.seconds_left));
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string format_json(const Progress& now, const Speed& speed, double wall_seconds) {
  nlohmann::ordered_json line;
  line["time"] = now.t;
  line["duration"] = now.duration;
  line["steps"] = now.steps;
  line["wall_seconds"] = wall_seconds;
  line["steps_per_second"] = speed.steps_per_second;
  line["real_time_factor"] = speed.real_time_factor;
  line["seconds_left"] = speed.seconds_left;
  return line.dump();
}

double interval_of(ProgressDisplay::Mode mode) {
  switch (mode) {
    case ProgressDisplay::Mode::bar:
      return 0.1;
    case ProgressDisplay::Mode::json:
      return 0.2;
    case ProgressDisplay::Mode::plain:
      return 2;
    case ProgressDisplay::Mode::none:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::string format_bar(double fraction) {
  constexpr int width = 12;
  const int full = static_cast<int>(fraction * width);
  const std::string head = full < width ? ">" : "";
  return fmt::format("[{}{}{}] {:3.0f} %", std::string(static_cast<std::size_t>(full), '='), head,
                     std::string(static_cast<std::size_t>(width - full) - head.size(), ' '), 100 * fraction);
}

StatusLine::~StatusLine() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
}

void StatusLine::show(const std::string& text) {
  fmt::print(stderr, "\r\x1b[K{}", text.substr(0, terminal_width() - 1));
  std::fflush(stderr);
  visible_ = true;
}

ProgressDisplay::Mode ProgressDisplay::choose_mode(const std::string& word, bool quiet) {
  if (quiet || word == "none") return Mode::none;
  if (word == "json") return Mode::json;
  return word == "auto" && isatty(STDERR_FILENO) == 1 ? Mode::bar : Mode::plain;
}

ProgressDisplay::ProgressDisplay(Mode mode) : mode_(mode) {}

ProgressDisplay::~ProgressDisplay() {
  if (mode_ == Mode::json && begun_) show(std::chrono::duration<double>(Clock::now() - start_).count());
}

void ProgressDisplay::update(const Progress& progress) {
  const Clock::time_point time = Clock::now();
  if (!begun_) {
    begun_ = true;
    first_ = progress;
    start_ = time;
  }
  now_ = progress;
  if (std::chrono::duration<double>(time - last_shown_).count() < interval_of(mode_)) return;
  last_shown_ = time;
  show(std::chrono::duration<double>(time - start_).count());
}

void ProgressDisplay::tell(const std::string& kind, const std::string& text) {
  const bool json = mode_ == Mode::json;
  print_error((json ? nlohmann::ordered_json{{kind, text}}.dump() : kind + ": " + text) + "\n");
}

void ProgressDisplay::show(double wall_seconds) {
  const Speed speed = calc_speed(first_, now_, wall_seconds);
  if (mode_ == Mode::json) {
    fmt::print(stderr, "{}\n", format_json(now_, speed, wall_seconds));
  } else if (mode_ == Mode::plain) {
    fmt::print(stderr, "{:3.0f} %: {}\n", 100 * speed.fraction, format_words(now_, speed));
  } else if (mode_ == Mode::bar) {
    line_.show(format_bar(speed.fraction) + "  " + format_words(now_, speed));
  }
  std::fflush(stderr);
}

}  // namespace stiction::cli
