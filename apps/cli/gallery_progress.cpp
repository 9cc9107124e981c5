#include "apps/cli/gallery_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "stiction/base/text.h"

#include "apps/cli/console.h"

namespace stiction::cli {

using Mode = ProgressDisplay::Mode;

GalleryProgress::GalleryProgress(Mode mode, std::vector<Task> tasks) : mode_(mode), tasks_(std::move(tasks)) {
  for (const Task& task : tasks_) total_ += task.weight;
}

void GalleryProgress::update(double share) {
  if (current_ >= tasks_.size()) return;
  const Task task = tasks_[current_];
  const bool done = share >= 1;
  if (done) ++current_, finished_ += task.weight;
  const double work = done ? finished_ : finished_ + std::clamp(share, 0.0, 1.0) * task.weight;
  const Clock::time_point now = Clock::now();
  // Lines for what is done only; a bar moves ten times a second.
  if (mode_ == Mode::none || (mode_ != Mode::bar && !done)) return;
  if (mode_ == Mode::bar && now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  show(work, done ? current_ : current_ + 1, task.name);
}

void GalleryProgress::show(double done, std::size_t number, const std::string& name) {
  const double wall = std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = done > 0 ? wall * (total_ - done) / done : std::numeric_limits<double>::infinity();
  const double fraction = total_ > 0 ? done / total_ : 1;
  const std::string words =
      fmt::format("{} of {}: {}, about {} left", number, tasks_.size(), name, format_duration(left));
  if (mode_ == Mode::bar) {
    line_.show(format_bar(fraction) + "  " + words);
  } else {
    print_error(fmt::format("{:3.0f} %: {}\n", 100 * fraction, words));
  }
}

}  // namespace stiction::cli
