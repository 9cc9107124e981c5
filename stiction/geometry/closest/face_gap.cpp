#include "stiction/geometry/closest/face_gap.h"

#include <algorithm>
#include <limits>

namespace stiction {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// min n'x over a shape in its frame.
double find_lowest(const Box& box, const Vec3& n) {
  return -0.5 * n.cwiseAbs().dot(box.size);
}
double find_lowest(const Polytope& polytope, const Vec3& n) {
  double lowest = unbounded;
  for (const Vec3& vertex : polytope.vertices) lowest = std::min(lowest, n.dot(vertex));
  return lowest;
}

/// `other` above the faces of `polytope`; the largest over them, or the first above 0.
template <class Other>
double find_height(const Polytope& polytope, const Other& other, const Transform& X_PO) {
  double highest = -unbounded;
  for (const PolytopeFace& face : polytope.faces) {
    const Vec3 n = X_PO.R.transpose() * face.normal;
    highest = std::max(highest, find_lowest(other, n) + face.normal.dot(X_PO.p) - face.offset);
    if (highest > 0) return highest;
  }
  return highest;
}
double find_height_above(const Shape& polytope, const Shape& other, const Transform& X_WP, const Transform& X_WO) {
  const auto* faces = std::get_if<Polytope>(&polytope);
  if (faces == nullptr) return 0;
  const Transform X_PO = X_WP.inverse() * X_WO;
  if (const auto* box = std::get_if<Box>(&other)) return find_height(*faces, *box, X_PO);
  if (const auto* hull = std::get_if<Polytope>(&other)) return find_height(*faces, *hull, X_PO);
  return 0;
}

}  // namespace

double calc_face_gap(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB) {
  const double above_a = find_height_above(A, B, X_WA, X_WB);
  return above_a > 0 ? above_a : std::max(above_a, find_height_above(B, A, X_WB, X_WA));
}

}  // namespace stiction
