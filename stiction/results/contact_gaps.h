#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stiction/multibody/system.h"

namespace stiction {

/// Pairs whose signed distance can be recorded: the smallest over their shapes, by the exact solver
/// (geometry/closest/closest.h), > 0 apart [m]. A pair is a table [contact."A/B"] under which shapes may touch, with
/// all shapes under it; under the default it is two bodies, named in the order of the scene. Every sample starts anew:
/// it does not depend on those before it. Cost: see calc_closest, for each pair of shapes; some shapes allocate.
class ContactGaps {
 public:
  explicit ContactGaps(const System& system);
  int size() const { return static_cast<int>(pairs_.size()); }
  /// "A/B"
  const std::string& name_of(int pair) const { return pairs_[static_cast<std::size_t>(pair)].name; }
  double calc_gap(int pair, const std::vector<Transform>& X_WB) const;

 private:
  struct Pair {
    std::string name;
    std::vector<std::pair<int, int>> shapes;
  };
  const System& system_;
  std::vector<Pair> pairs_;
};

}  // namespace stiction
