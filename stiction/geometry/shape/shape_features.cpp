#include "stiction/geometry/shape/shape_features.h"

#include <algorithm>
#include <limits>

#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

ShapeFeatures features(const HalfSpace&) {
  return {.followed = true};
}
ShapeFeatures features(const Sphere&) {
  return {.followed = true};
}
ShapeFeatures features(const Box&) {
  return {.faces = true, .edges = true};
}
ShapeFeatures features(const Cylinder&) {
  return {.faces = true, .flats = true};
}
ShapeFeatures features(const Capsule&) {
  return {};
}
ShapeFeatures features(const Cone&) {
  return {.faces = true, .edges = true};
}
ShapeFeatures features(const Ellipsoid&) {
  return {.followed = true};
}
ShapeFeatures features(const Torus&) {
  return {};
}
ShapeFeatures features(const Superquadric& s) {
  return {.flats = std::min(s.e1, s.e2) < 1, .followed = true};
}
ShapeFeatures features(const Polytope&) {
  return {.faces = true, .edges = true};
}
ShapeFeatures features(const Cell&) {
  return {.faces = true, .edges = true};
}
ShapeFeatures features(const HollowSphere&) {
  return {};
}
ShapeFeatures features(const HollowCylinder&) {
  return {};
}
ShapeFeatures features(const Parametric&) {
  return {};
}

std::vector<SupportBall> support_balls(const Box& s) {
  std::vector<SupportBall> balls;
  for (int i = 0; i < 8; ++i)
    balls.push_back({0.5 * s.size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)), 0});
  return balls;
}
std::vector<SupportBall> support_balls(const Capsule& s) {
  return {{-0.5 * s.length * s.axis, s.radius}, {0.5 * s.length * s.axis, s.radius}};
}
std::vector<SupportBall> support_balls(const Polytope& s) {
  std::vector<SupportBall> balls;
  for (const Vec3& vertex : s.vertices) balls.push_back({vertex, 0});
  return balls;
}
template <class Other>
std::vector<SupportBall> support_balls(const Other&) {
  return {};
}

bool is_along(const Vec3& normal, const Vec3& axis) {
  constexpr double rounding = 1e-9;
  return (normal - axis).squaredNorm() <= rounding * rounding;
}
bool face_along(const HalfSpace& s, const Vec3& normal) {
  return is_along(normal, s.normal);
}
bool face_along(const Box&, const Vec3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return is_along(normal, normal[axis] < 0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis)));
}
bool face_along(const Cylinder& s, const Vec3& normal) {
  return is_along(normal, normal.dot(s.axis) < 0 ? Vec3(-s.axis) : s.axis);
}
bool face_along(const Polytope& s, const Vec3& normal) {
  return std::any_of(s.faces.begin(), s.faces.end(),
                     [&](const PolytopeFace& face) { return is_along(normal, face.normal); });
}
template <class Other>
bool face_along(const Other&, const Vec3&) {
  return false;
}

double reach(const Sphere& s) {
  return s.radius;
}
template <class Other>
double reach(const Other& s) {
  if (!is_bounded(s)) return std::numeric_limits<double>::infinity();
  const Bounds bounds = calc_bounds(s, {});
  return bounds.lower.cwiseAbs().cwiseMax(bounds.upper.cwiseAbs()).norm();
}

}  // namespace

ShapeFeatures calc_features(const Shape& shape) {
  return std::visit([](const auto& s) { return features(s); }, shape);
}

const HalfSpace* find_half_space(const Shape& shape) {
  return std::get_if<HalfSpace>(&shape);
}

bool has_face(const Shape& shape, const Vec3& normal) {
  return std::visit([&](const auto& s) { return face_along(s, normal); }, shape);
}

double calc_reach(const Shape& shape) {
  return std::visit([](const auto& s) { return reach(s); }, shape);
}

std::vector<SupportBall> list_support_balls(const Shape& shape) {
  std::vector<SupportBall> balls = std::visit([](const auto& s) { return support_balls(s); }, shape);
  if (balls.size() > most_support_balls) balls.clear();
  return balls;
}

}  // namespace stiction
