#pragma once

#include <string>
#include <variant>
#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// A face of a polytope: n'x <= offset, and its corners counter-clockwise seen from outside.
struct PolytopeFace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;          ///< [m]
  std::vector<int> vertices;  ///< at least 3
};
/// An edge between two vertices and the two faces that meet there.
struct PolytopeEdge {
  int start = 0, end = 0;
  int left = 0, right = 0;  ///< faces; `left` has the edge in the direction start -> end
};

/// The convex hull of points. Coplanar triangles are merged: a cube has 6 faces, 12 edges, 8 vertices. Vertices, faces
/// and edges stand in an order that depends on the points alone.
struct Polytope {
  std::vector<Vec3> vertices;  ///< [m]; only the extreme points
  std::vector<PolytopeFace> faces;
  std::vector<PolytopeEdge> edges;
  std::vector<std::vector<int>> neighbours;  ///< vertices joined to each vertex by an edge: for hill climbing
};

/// The hull by Qhull, or what is wrong with the points: fewer than 4, not finite, flat (thickness below 1e-9 of the
/// extent).
std::variant<Polytope, std::string> make_polytope(const std::vector<Vec3>& points);

}  // namespace stiction
