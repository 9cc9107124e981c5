#pragma once

#include "stiction/geometry/shape/shape.h"
#include "stiction/math/transform.h"

namespace stiction {

/// A ball about the origin of a shape and a box along its axes that hold it; of unbounded shapes none.
struct ShapeBound {
  bool bounded = false;
  bool ball = false;                                ///< the shape is the ball
  double reach = 0;                                 ///< the ball's radius [m]
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();  ///< of the box [m]
};
ShapeBound calc_shape_bound(const Shape& shape);

/// A shape where it stands, with its bound.
struct BoundShape {
  const Shape& shape;
  const ShapeBound& bound;
  const Transform& X_WS;
};
/// A lower bound of the gap of two shapes by the balls about them; where these meet, by the boxes along the boxes'
/// axes; where these meet, along the faces of polytopes. 0 where all meet or a shape has none [m]. Some ns.
double calc_bounding_gap(const BoundShape& a, const BoundShape& b);

}  // namespace stiction
