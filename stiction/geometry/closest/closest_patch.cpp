#include "stiction/geometry/closest/closest_patch.h"

#include <cmath>

#include "stiction/geometry/shape/radial.h"

namespace stiction {
namespace {

constexpr double kFacing = 0.99;  ///< cosine within which a face or line counts as facing n
/// Sine of the angle between n and a cap's normal below which the cap is level, and its points are fixed to the body:
/// which of them is the farthest along n is rounding there, and would be another at every call. Origin: points are then
/// nearer than the farthest by 3e-10 of the radius at most, less than what counts as a closed gap.
constexpr double kLevel = 1e-9;

/// Points of a circle about the axis, the farthest along n first, counter-clockwise about `out`.
void add_rim(const Vec3& centre, const Vec3& out, double radius, const Vec3& n, int rim_points, SupportPatch& patch) {
  const bool is_level = (n - n.dot(out) * out).norm() <= kLevel;
  const Vec3 u = is_level ? Vec3(out.unitOrthogonal()) : calc_any_radial_unit(n, out);
  const Vec3 v = out.cross(u);
  for (int i = 0; i < rim_points; ++i) {
    const double angle = 2 * M_PI * i / rim_points;
    patch.add(centre + radius * (std::cos(angle) * u + std::sin(angle) * v), i);
  }
  patch.normal = out;
}

/// A cylinder or frustum about the axis between two heights: a cap, or the line of the side in the half-plane of n.
bool add_round(const Vec3& axis, const Vec3& bottom, double r_bottom, const Vec3& top, double r_top, const Vec3& n,
               int rim_points, SupportPatch& patch) {
  if (n.dot(axis) > kFacing && r_top > 0) {
    add_rim(top, axis, r_top, n, rim_points, patch);
    return true;
  }
  if (n.dot(axis) < -kFacing) {
    add_rim(bottom, -axis, r_bottom, n, rim_points, patch);
    return true;
  }
  const Vec3 radial = calc_radial_unit(n, axis);
  patch.add(bottom + r_bottom * radial, 0);
  patch.add(top + r_top * radial, 1);
  return true;
}

template <class S>
bool add_patch(const S&, const Vec3&, int, SupportPatch&) {
  return false;
}
bool add_patch(const Box& s, const Vec3& n, int, SupportPatch& patch) {
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  const double side = n[axis] < 0 ? -1 : 1;
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  for (int i = 0; i < 4; ++i) {
    // Counter-clockwise for the positive side; the other way round for the negative.
    const double a = i == 0 || i == 3 ? -1 : 1, b = i < 2 ? -1 : 1;
    Vec3 corner;
    corner[axis] = 0.5 * side * s.size[axis];
    corner[j] = 0.5 * side * a * s.size[j];
    corner[k] = 0.5 * b * s.size[k];
    patch.add(corner, (corner.x() > 0 ? 1 : 0) + (corner.y() > 0 ? 2 : 0) + (corner.z() > 0 ? 4 : 0));
  }
  patch.normal = side * Vec3::Unit(axis);
  return true;
}
bool add_patch(const Polytope& s, const Vec3& n, int, SupportPatch& patch) {
  const PolytopeFace* facing = &s.faces[0];
  for (const PolytopeFace& face : s.faces)
    if (face.normal.dot(n) > facing->normal.dot(n)) facing = &face;
  for (int vertex : facing->vertices) patch.add(s.vertices[static_cast<std::size_t>(vertex)], vertex);
  patch.normal = facing->normal;
  return true;
}
bool add_patch(const Cylinder& s, const Vec3& n, int rim_points, SupportPatch& patch) {
  const Vec3 half = 0.5 * s.length * s.axis;
  return add_round(s.axis, -half, s.radius, half, s.radius, n, rim_points, patch);
}
bool add_patch(const Cone& s, const Vec3& n, int rim_points, SupportPatch& patch) {
  return add_round(s.axis, Vec3::Zero(), s.radius, s.height * s.axis, s.top_radius, n, rim_points, patch);
}
bool add_patch(const Capsule& s, const Vec3& n, int, SupportPatch& patch) {
  for (int end = 0; end < 2; ++end) patch.add((end - 0.5) * s.length * s.axis + s.radius * n, end);
  return true;
}
bool add_patch(const Torus& s, const Vec3& n, int rim_points, SupportPatch& patch) {
  if (std::abs(n.dot(s.axis)) < kFacing) return false;
  add_rim(s.tube_radius * n, n.dot(s.axis) > 0 ? s.axis : Vec3(-s.axis), s.radius, n, rim_points, patch);
  return true;
}

}  // namespace

SupportPatch calc_support_patch(const Shape& shape, const Transform& X_WS, const Vec3& n, int rim_points) {
  SupportPatch patch;
  const Vec3 n_S = X_WS.R.transpose() * n;
  if (!std::visit([&](const auto& s) { return add_patch(s, n_S, rim_points, patch); }, shape)) {
    const CoreBody body = make_body(shape, {});
    patch.add(body.support(n_S) + body.radius * n_S, 0);
  }
  for (int i = 0; i < patch.count; ++i) patch.corners[i] = X_WS * patch.corners[i];
  patch.normal = X_WS.R * patch.normal;
  return patch;
}

}  // namespace stiction
