#pragma once

#include "stiction/geometry/shape/shape.h"
#include "stiction/math/transform.h"

namespace stiction {

/// The largest distance of two boxes or polytopes along the normals of the faces of polytopes [m]: above 0 a lower
/// bound of their gap, else no such face separates them. Other shapes: 0.
double calc_face_gap(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB);

}  // namespace stiction
