#include "stiction/geometry/volume/plate_pressure.h"

#include <cmath>

namespace stiction {
namespace {

using PlateSolid = ClipSolid<SmallClipStorage>;

/// Faces steeper than this against the plate have no area in it: they add less than this share of the region.
constexpr double steep_face = 1e-9;

std::size_t count_faces(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return 1;
  if (std::holds_alternative<Box>(shape)) return 6;
  const auto* polytope = std::get_if<Polytope>(&shape);
  return polytope != nullptr ? polytope->faces.size() : small_clip_faces + 1;
}

/// In the shape's own frame.
PlateSolid make_plate_solid(const Shape& shape) {
  if (const auto* polytope = std::get_if<Polytope>(&shape)) return make_clip_polytope<SmallClipStorage>(*polytope);
  const BoxClipSolid box = make_clip_box(std::get<Box>(shape).size);
  PlateSolid solid;
  for (const Vec3& corner : box.corners) solid.corners.push_back(corner);
  for (const auto& face : box.faces) {
    PlateSolid::Face copy;
    for (const int corner : face.loop) copy.loop.push_back(corner);
    solid.faces.push_back(copy);
  }
  return solid;
}

/// Keeps what lies inside the other shape, X its pose.
void cut_by(PlateSolid& solid, const Shape& shape, const Transform& X) {
  const auto cut = [&](const Vec3& normal, double offset) {
    const Vec3 n = X.R * normal;
    if (!solid.empty()) solid.cut(n, offset + n.dot(X.p), true);
  };
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    cut(plane->normal, plane->offset);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (int i = 0; i < 3; ++i)
      for (const double side : {-1.0, 1.0}) cut(side * Vec3::Unit(i), 0.5 * box->size[i]);
  } else if (const auto* polytope = std::get_if<Polytope>(&shape)) {
    for (const PolytopeFace& face : polytope->faces) cut(face.normal, face.offset);
  }
}

}  // namespace

bool find_plate_pressure(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                         const Vec3& centroid, const Vec3& normal, PlatePressure& plate) {
  if (count_faces(A) + count_faces(B) > small_clip_faces) return false;
  const bool a_first = !std::holds_alternative<HalfSpace>(A);
  if (!a_first && std::holds_alternative<HalfSpace>(B)) return false;
  const Shape &first = a_first ? A : B, &second = a_first ? B : A;
  const Transform &X_1 = a_first ? X_WA : X_WB, &X_2 = a_first ? X_WB : X_WA;
  PlateSolid solid = make_plate_solid(first);
  cut_by(solid, second, X_1.inverse() * X_2);
  if (solid.empty() || solid.corners.overflow || solid.faces.overflow) return false;
  plate.edges.clear();
  plate.size = 0;
  plate.u = normal.unitOrthogonal(), plate.w = normal.cross(plate.u);
  // Corners in the plate: x, y, height.
  SmallClipStorage::Corners<Vec3> corners;
  for (const Vec3& corner : solid.corners) {
    const Vec3 r = X_1 * corner - centroid;
    corners.push_back(Vec3(plate.u.dot(r), plate.w.dot(r), normal.dot(r)));
    plate.size = std::max(plate.size, std::hypot(plate.u.dot(r), plate.w.dot(r)));
  }
  for (const auto& face : solid.faces) {
    const int n = face.loop.size();
    Vec3 twice_area = Vec3::Zero();
    for (int k = 1; k + 1 < n; ++k)
      twice_area +=
          (corners[face.loop[k]] - corners[face.loop[0]]).cross(corners[face.loop[k + 1]] - corners[face.loop[0]]);
    if (std::abs(twice_area.z()) <= steep_face * twice_area.norm()) continue;
    const double gx = -twice_area.x() / twice_area.z(), gy = -twice_area.y() / twice_area.z();
    const Vec3& on = corners[face.loop[0]];
    const double p = on.z() - gx * on.x() - gy * on.y();
    for (int k = 0; k < n; ++k) {
      const Vec3 &from = corners[face.loop[k]], &to = corners[face.loop[k + 1 < n ? k + 1 : 0]];
      plate.edges.push_back({from.x(), from.y(), to.x(), to.y(), p, gx, gy});
    }
  }
  return !plate.edges.overflow;
}

}  // namespace stiction
