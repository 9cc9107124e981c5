#pragma once

#include <string>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// A shape as JSON: {"type": "sphere", "radius": 0.5}; the keys are those of the structs in geometry/shape/shape.h, in
/// metres. It reads back as the same shape. A `parametric` shape, which only a program can make, is written as the
/// polytope of points on it: what is drawn of it.
std::string encode_shape(const Shape& shape);
/// IoError if the text is none of ours.
Shape decode_shape(const std::string& text);

}  // namespace stiction
