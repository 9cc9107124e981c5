#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>

namespace stiction {

/// Parts of a step whose time is told apart. What a part calls of another part counts for that one, but all that is
/// done to locate an impact or to correct positions (trial steps, searches, solutions) counts as that.
enum class StepPart {
  finding,     ///< contacts within reach: broadphase and contact points
  assembling,  ///< masses, Jacobians, free velocities, conditions
  solving,     ///< the Delassus matrix and impulses of steps, and the impact law
  locating,    ///< trial steps to the time of an impact
  correcting,  ///< positions after the step
  other,       ///< what is left of a step: positions, ledger, records, sleeping
};
inline constexpr std::size_t step_part_count = 6;
inline const char* name_of(StepPart part) {
  constexpr const char* names[] = {"finding", "assembling", "solving", "locating", "correcting", "other"};
  static_assert(std::size(names) == step_part_count);
  return names[static_cast<std::size_t>(part)];
}

/// Where the time of steps goes, by the clock [s]; threads add up. Begins to measure with start(); before, a scope
/// costs one comparison.
class StepProfile {
 public:
  void start() { is_on_ = true; }
  const std::array<double, step_part_count>& seconds() const { return seconds_; }
  void add(const StepProfile& other) {
    for (std::size_t i = 0; i < step_part_count; ++i) seconds_[i] += other.seconds_[i];
  }

  /// From here to the end of the block.
  class Scope {
   public:
    Scope(StepProfile& profile, StepPart part)
        : profile_(profile), was_open_(profile.is_open_), before_(profile.part_) {
      if (profile.is_on_) profile.begin(part);
    }
    ~Scope() {
      if (profile_.is_on_) profile_.end(was_open_, before_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StepProfile& profile_;
    const bool was_open_;
    const StepPart before_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  /// The time since the last call belongs to the part that is open.
  void count() {
    const Clock::time_point now = Clock::now();
    if (is_open_) seconds_[static_cast<std::size_t>(part_)] += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }
  void begin(StepPart part) {
    count();
    const bool keeps = is_open_ && (part_ == StepPart::locating || part_ == StepPart::correcting);
    if (!keeps) part_ = part;
    is_open_ = true;
  }
  void end(bool was_open, StepPart before) {
    count();
    part_ = before;
    is_open_ = was_open;
  }

  std::array<double, step_part_count> seconds_ = {};
  Clock::time_point since_;
  StepPart part_ = StepPart::other;
  bool is_on_ = false, is_open_ = false;
};

}  // namespace stiction
