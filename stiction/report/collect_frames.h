#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "stiction/report/page_data.h"

namespace stiction {

/// Which samples become frames: all of them, or so many evenly spread ones and those at the given times.
std::vector<std::size_t> choose_frames(const std::vector<double>& times, std::size_t most,
                                       const std::vector<double>& wanted);

/// The worst of the recorded poses that cannot be drawn, of equals the first.
struct BrokenPose {
  Trust level = Trust::do_not_trust;
  std::size_t sample = 0;
  std::string words;  ///< "ball.position is not finite"
};

/// Reads where bodies are at some samples of a run, and looks at all of them.
class TrackReader {
 public:
  TrackReader(const RunReader& run, std::vector<std::size_t> frames);

  /// From BODY.position.* and BODY.orientation.*; empty where the position was not recorded. A pose that is not finite,
  /// beyond 1e9 m, or with a quaternion that is no rotation, is replaced by the last good one.
  PageTrack read(const std::string& body);
  const std::optional<BrokenPose>& broken() const { return broken_; }

 private:
  std::vector<double> read_signal(const std::string& name, double otherwise) const;
  void blame(Trust level, std::size_t sample, const std::string& words);

  const RunReader& run_;
  std::vector<std::size_t> frames_;
  std::unordered_set<std::string> recorded_;
  std::optional<BrokenPose> broken_;
};

}  // namespace stiction
