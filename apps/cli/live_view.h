#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "stiction/run/simulate.h"

#include "apps/cli/live_server.h"
#include "apps/cli/view_run.h"

namespace stiction::cli {

/// Shows a run in a browser as it goes. The page begins with what the run folder holds at the first sample; then come
/// samples, at most a hundred a second of the clock; at the end the whole run as it was recorded.
class LiveView {
 public:
  explicit LiveView(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The first one starts the server and prints its address.
  void add(const LiveSample& sample);
  /// The run has ended and is stored. Returns when browsers have got it; says so if there were none.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void start();

  std::filesystem::path folder_;
  std::unique_ptr<LiveServer> server_;
  std::optional<BrowserStart> browser_;
  Clock::time_point last_sent_{};
  std::vector<StepEvent> events_;  ///< of samples that were not sent
};

}  // namespace stiction::cli
