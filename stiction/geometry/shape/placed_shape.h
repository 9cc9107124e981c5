#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// A part of a solid: an exact shape in its place.
struct PlacedShape {
  std::string name;  ///< the part's name; empty for a body's only shape
  Shape shape;
  Transform X_BS;
};

/// A solid of one or many cells (the "cellular models" of gonthier-thesis-2007, section 5.3): the union of its parts,
/// in the body's frame B. Where parts overlap the earlier one counts (volume/cut_shape.h).
using Solid = std::vector<PlacedShape>;

}  // namespace stiction
