#pragma once

#include "stiction/geometry/shape/shape.h"
#include "stiction/math/transform.h"

namespace stiction {

/// A body as contact sees it, world axes.
struct ContactBody {
  Transform X_WS;                        ///< pose of its shape
  Vec3 w = Vec3::Zero();                 ///< angular velocity [rad/s]
  Vec3 v = Vec3::Zero();                 ///< velocity at the origin of X_WS [m/s]
  Vec3 surface_velocity = Vec3::Zero();  ///< of its surface against the body, a belt [m/s]
};
inline Vec3 calc_point_velocity(const ContactBody& body, const Vec3& point) {
  return body.v + body.w.cross(point - body.X_WS.p);
}

/// Two shapes and how they move.
struct ContactSides {
  const Shape& A;
  const ContactBody& a;
  const Shape& B;
  const ContactBody& b;
};

}  // namespace stiction
