#include "stiction/geometry/closest_body.h"

namespace stiction {

Vec3 ConvexBody::support(const Vec3& d) const {
  switch (core) {
    case Core::point:
      return X.p;
    case Core::segment:
      return d.dot(half) < 0 ? Vec3(X.p - half) : Vec3(X.p + half);
    case Core::shape:
      break;
  }
  return X * calc_support(*shape, X.R.transpose() * d);
}

ConvexBody make_convex_body(const Shape& shape, const Transform& X_FS) {
  ConvexBody body{&shape, X_FS, ConvexBody::Core::shape, Vec3::Zero(), 0, calc_size(shape)};
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    body.core = ConvexBody::Core::point;
    body.radius = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    body.core = ConvexBody::Core::segment;
    body.half = X_FS.R * (0.5 * capsule->length * capsule->axis);
    body.radius = capsule->radius;
  }
  return body;
}

ConvexBody make_point_body(const Vec3& point) {
  return {nullptr, {Mat3::Identity(), point}, ConvexBody::Core::point, Vec3::Zero(), 0, 0};
}

}  // namespace stiction
