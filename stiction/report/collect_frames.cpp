#include "stiction/report/collect_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr double farthest = 1e9;  // [m]

bool is_constant(const PageTrack& track) {
  const auto same = [&](std::size_t i) {
    const Quaternion &a = track.orientations[i], &b = track.orientations[0];
    return track.positions[i] == track.positions[0] && a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
  };
  for (std::size_t i = 1; i < track.positions.size(); ++i) {
    if (!same(i)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> choose_frames(const std::vector<double>& times, std::size_t most,
                                       const std::vector<double>& wanted) {
  std::vector<std::size_t> frames;
  if (times.size() <= most) {
    for (std::size_t i = 0; i < times.size(); ++i) frames.push_back(i);
    return frames;
  }
  for (std::size_t k = 0; k < most; ++k) frames.push_back(k * (times.size() - 1) / (most - 1));
  // The sample at or after each wanted time.
  for (const double t : wanted) {
    const auto found = std::lower_bound(times.begin(), times.end(), t);
    if (found != times.end()) frames.push_back(static_cast<std::size_t>(found - times.begin()));
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

TrackReader::TrackReader(const RunReader& run, std::vector<std::size_t> frames)
    : run_(run), frames_(std::move(frames)) {
  for (const SignalInfo& signal : run.signals()) recorded_.insert(signal.name);
}

std::vector<double> TrackReader::read_signal(const std::string& name, double otherwise) const {
  // Times end with the last frame; samples after that have none.
  const std::size_t count = frames_.empty() ? 0 : frames_.back() + 1;
  if (!recorded_.contains(name)) return std::vector<double>(count, otherwise);
  std::vector<double> samples = run_.read(name);
  samples.resize(count, otherwise);
  return samples;
}

void TrackReader::blame(Trust level, std::size_t sample, const std::string& words) {
  if (broken_ && (broken_->level > level || (broken_->level == level && broken_->sample <= sample))) return;
  broken_ = {level, sample, words};
}

PageTrack TrackReader::read(const std::string& body) {
  const std::array<const char*, 7> names = {".position.x",    ".position.y",    ".position.z",   ".orientation.w",
                                            ".orientation.x", ".orientation.y", ".orientation.z"};
  PageTrack track;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!recorded_.contains(body + names[k])) return track;
  }
  std::array<std::vector<double>, 7> values;
  for (std::size_t k = 0; k < 7; ++k) values[k] = read_signal(body + names[k], k == 3 ? 1 : 0);

  Vec3 position = Vec3::Zero();
  Quaternion orientation;
  auto frame = frames_.begin();
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    const Vec3 p(values[0][i], values[1][i], values[2][i]);
    const Quaternion q{values[3][i], values[4][i], values[5][i], values[6][i]};
    const double norm = calc_norm(q);
    if (!p.allFinite()) {
      blame(Trust::do_not_trust, i, body + ".position is not finite");
    } else if (!std::isfinite(norm) || norm <= 0.1) {
      blame(Trust::do_not_trust, i, body + ".orientation is no rotation");
    } else if (p.cwiseAbs().maxCoeff() >= farthest) {
      blame(Trust::look_closer, i, body + ".position is beyond 1e9 m");
    } else {
      position = p;
      orientation = calc_normalized(q);
    }
    if (*frame != i) continue;
    ++frame;
    track.positions.push_back(position);
    track.orientations.push_back(orientation);
  }
  if (!track.empty() && is_constant(track)) {
    track.positions.resize(1);
    track.orientations.resize(1);
  }
  return track;
}

}  // namespace stiction
