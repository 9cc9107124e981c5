#pragma once

#include <array>
#include <vector>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Triangles for display, and for nothing else: no computation in the program uses them.
struct Tessellation {
  std::vector<Vec3> vertices;                 ///< in the shape's frame [m]
  std::vector<Vec3> normals;                  ///< outward, one a vertex; edges have a vertex for each face
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise from outside
};

/// `detail`: segments of a full circle (at least 8). Unbounded shapes are shown as far as `reach` [m] from their
/// origin: a half-space as its plane, a hollow cylinder as a pipe of that half length, both seen from the free side.
Tessellation calc_tessellation(const Shape& shape, int detail = 48, double reach = 1);

}  // namespace stiction
