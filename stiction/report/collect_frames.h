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

/// Reads where bodies are at some samples of a run.
class TrackReader {
 public:
  TrackReader(const RunReader& run, std::vector<std::size_t> frames);

  /// From BODY.position.* and BODY.orientation.*; empty where the position was not recorded. Numbers that are not
  /// finite, or beyond 1e9 m, are replaced by the last good ones.
  PageTrack read(const std::string& body);
  /// The first sample at which a number had to be replaced, if any.
  const std::optional<std::size_t>& broken() const { return broken_; }

 private:
  std::vector<double> read_signal(const std::string& name, double otherwise) const;

  const RunReader& run_;
  std::vector<std::size_t> frames_;
  std::unordered_set<std::string> recorded_;
  std::optional<std::size_t> broken_;
};

}  // namespace stiction
