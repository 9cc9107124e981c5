#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/closest/closest.h"
#include "stiction/multibody/system.h"

namespace stiction {

/// Pairs whose signed distance and closest points can be recorded, apart or not: those of the two shapes with the
/// smallest distance, by the exact solver (geometry/closest/closest.h), > 0 apart [m]. A pair is a table [contact."A/B"] under which shapes may touch, with
/// all shapes under it; under the default it is two bodies, named in the order of the scene. Every sample starts anew:
/// it does not depend on those before it. Cost: see calc_closest, for each pair of shapes; some shapes allocate.
class ContactGaps {
 public:
  explicit ContactGaps(const System& system);
  int size() const { return static_cast<int>(pairs_.size()); }
  /// "A/B"
  const std::string& name_of(int pair) const { return pairs_[static_cast<std::size_t>(pair)].name; }
  /// point_a, point_b and normal in world axes, from the side that the name has first to the other.
  ClosestPoints calc_closest_points(int pair, const std::vector<Transform>& X_WB) const;

 private:
  struct ShapePair {
    int a = 0, b = 0;
    bool is_reversed = false;  ///< does the name have b's side first?
  };
  struct Pair {
    std::string name;
    std::vector<ShapePair> shapes;
  };
  const System& system_;
  std::vector<Pair> pairs_;
};

}  // namespace stiction
