#pragma once

#include <array>

#include "stiction/geometry/closest/closest_body.h"

namespace stiction {

/// A shape near one of its boundary points, as Newton's method needs it. The quadrics stay in a frame S of the shape's,
/// where their values are exact although the shape may be small and far from the origin of the work frame F.
struct Feature {
  enum class Kind {
    point,     ///< a corner, an apex, the end or the whole of a core: x is known
    smooth,    ///< x = s(n): strictly convex, known by its support map
    gauge,     ///< N(x) = 1, the normal along its gradient: a superquadric where it is too flat for s(n) to tell points
    surfaces,  ///< on up to three quadrics f_k(x) = 0, the normal a sum of their gradients: face, edge, corner
  };
  Kind kind = Kind::point;
  Vec3 point = Vec3::Zero();
  const CoreBody* body = nullptr;
  Transform X;                      ///< X_FS
  std::array<Quadric, 3> surfaces;  ///< in S
  std::array<int, 3> ids{};         ///< of the constraints, -1 where they have none
  int count = 0;                    ///< of surfaces
  bool two_sided = false;           ///< the multipliers may have either sign: a curve that is a core

  /// Gradient of surface k at x, both in F.
  Vec3 gradient(int k, const Vec3& x) const { return X.R * surfaces[k].gradient(X.inverse() * x); }
};

/// A constraint of a shape that is (nearly) active at a point.
struct ActiveConstraint {
  int id = 0;
  double distance = 0;  ///< f/|grad f|: < 0 inside [m]
};
struct ActiveList {
  std::array<ActiveConstraint, 8> items;
  int count = 0;
};
/// The constraints of a shape that is an intersection of quadrics, with distance > -reach at x (shape frame), the most
/// violated first; at most 8.
ActiveList find_active_constraints(const Shape& shape, const Vec3& x, double reach);
/// Constraint `id` of such a shape in its frame.
Quadric calc_constraint(const Shape& shape, int id);
/// How many there are; 0 for shapes that are no intersection of quadrics.
int count_constraints(const Shape& shape);

struct FeatureList {
  std::array<Feature, 6> items;
  int count = 0;
};
/// The features of the body's core that a closest point near x (in F) may lie on, the likeliest first.
FeatureList find_features(const CoreBody& body, const Vec3& x);

/// The features of the constraints active to within `reach` at x (in F): sets of one to three of them, those first
/// whose gradients come nearest to holding the unit outward normal between them. For when the points are known better
/// than the features: a corner of one body passes an edge of the other where faces, not corners, carry the normal.
FeatureList find_features_by_normal(const CoreBody& body, const Vec3& x, const Vec3& normal, double reach);

/// The curve of points with plane'(x - centre) = 0 at distance `radius` from the centre: the core of a torus.
Feature make_circle_feature(const Vec3& centre, const Vec3& axis, double radius);
/// Constraints `ids` of a shape with pose X_FS.
Feature make_constraint_feature(const Shape& shape, const Transform& X_FS, const int* ids, int count);

}  // namespace stiction
