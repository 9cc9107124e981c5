#pragma once

#include <vector>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// What shapes say of themselves to those who let them touch, so that nobody asks for their types. Every shape answers
/// each question: a new one without an answer does not compile.
struct ShapeFeatures {
  bool faces = false;  ///< bounded by flat faces, among others: two such bodies meet along lines and areas
  bool edges = false;  ///< may be touched where its curvature is infinite: edges, corners, an apex
  bool flats = false;  ///< lies on a plane with a part of its surface whose curvature is zero, but has no faces in
                       ///< the sense of `edges`: the side and ends of a cylinder, tips of a superquadric
  /// Closest points can be followed by their kinematic equations: smooth, strictly convex or a plane, in closed form.
  bool followed = false;
};
ShapeFeatures calc_features(const Shape& shape);

/// The shape as a half-space; null for others.
const HalfSpace* find_half_space(const Shape& shape);

/// Has the shape a flat face with this outward normal, unit, in its frame? To 1e-9 rad: some roundings of a mean normal
/// over a face. Boxes, polytopes and the ends of cylinders answer; half-spaces; others have none that they tell.
bool has_face(const Shape& shape, const Vec3& normal);

/// Radius of a ball about the shape's origin that holds it; infinite where it is unbounded [m].
double calc_reach(const Shape& shape);

/// Balls fixed in a shape, in its frame, that touch a half-space as the shape does: corners (radius 0), the ends of a
/// capsule. Empty: no finite number of balls does, or more than `most_support_balls`.
struct SupportBall {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};
inline constexpr std::size_t most_support_balls = 64;
std::vector<SupportBall> list_support_balls(const Shape& shape);

}  // namespace stiction
