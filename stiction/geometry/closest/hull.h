#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// Boxes and polytopes by the same questions, each in the shape's frame: what the closed forms of closest_hull.h need.
/// Nothing allocates.
template <class S>
concept Hull = std::is_same_v<S, Box> || std::is_same_v<S, Polytope>;

struct HullPlane {
  Vec3 normal;  ///< unit, outward
  double offset = 0;
};

// Corner i of a box: the bits of i are its sides. Face 2 k + s: normal +-e_k. Edges: from the corner without bit k to
// the one with it; the faces of the two other axes meet there.
inline int count_vertices(const Box&) {
  return 8;
}
inline Vec3 vertex_of(const Box& s, int i) {
  return 0.5 *
         Vec3(i & 1 ? s.size.x() : -s.size.x(), i & 2 ? s.size.y() : -s.size.y(), i & 4 ? s.size.z() : -s.size.z());
}
inline int count_faces(const Box&) {
  return 6;
}
inline HullPlane face_of(const Box& s, int k) {
  HullPlane plane{Vec3::Zero(), 0.5 * s.size[k / 2]};
  plane.normal[k / 2] = k % 2 == 0 ? 1 : -1;
  return plane;
}
inline int count_edges(const Box&) {
  return 12;
}
inline PolytopeEdge edge_of(const Box&, int i) {
  const int axis = i / 4, j = (axis + 1) % 3, k = (axis + 2) % 3;
  const bool far_j = i & 1, far_k = i & 2;
  const int start = (far_j ? 1 << j : 0) + (far_k ? 1 << k : 0);
  return {start, start + (1 << axis), 2 * j + (far_j ? 0 : 1), 2 * k + (far_k ? 0 : 1)};
}
/// max n'x over the shape.
inline double calc_height(const Box& s, const Vec3& n) {
  return 0.5 * n.cwiseAbs().dot(s.size);
}

inline int count_vertices(const Polytope& s) {
  return static_cast<int>(s.vertices.size());
}
inline const Vec3& vertex_of(const Polytope& s, int i) {
  return s.vertices[static_cast<std::size_t>(i)];
}
inline int count_faces(const Polytope& s) {
  return static_cast<int>(s.faces.size());
}
inline HullPlane face_of(const Polytope& s, int k) {
  const PolytopeFace& face = s.faces[static_cast<std::size_t>(k)];
  return {face.normal, face.offset};
}
inline int count_edges(const Polytope& s) {
  return static_cast<int>(s.edges.size());
}
inline const PolytopeEdge& edge_of(const Polytope& s, int i) {
  return s.edges[static_cast<std::size_t>(i)];
}
inline double calc_height(const Polytope& s, const Vec3& n) {
  double height = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : s.vertices) height = std::max(height, n.dot(v));
  return height;
}

/// max n'x as long as it may be below `bound`: the first height found that is not, else the maximum. `start`: a vertex
/// to look at first, a high one in the end.
inline double calc_height_below(const Box& s, const Vec3& n, double, int&) {
  return calc_height(s, n);
}
inline double calc_height_below(const Polytope& s, const Vec3& n, double bound, int& start) {
  double height = n.dot(vertex_of(s, start));
  for (int i = 0; i < count_vertices(s) && height < bound; ++i) {
    const double h = n.dot(vertex_of(s, i));
    if (h > height) height = h, start = i;
  }
  return height;
}

}  // namespace stiction
