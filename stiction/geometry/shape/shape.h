#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/geometry/shape/polytope.h"
#include "stiction/geometry/shape/quadric.h"

namespace stiction {

/// Exact shapes, each in its own frame S with the centroid of its volume at the origin unless stated.
/// An axis is a unit vector of S. Lengths in m.

/// The points with normal'x <= offset. Unbounded: no volume, no mass.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
};
struct Sphere {
  double radius = 0;
};
struct Box {
  Vec3 size = Vec3::Zero();  ///< full edge lengths
};
struct Cylinder {
  double radius = 0;
  double length = 0;
  Vec3 axis = Vec3::UnitZ();
};
/// A cylinder with half-spheres on its ends; `length` is between the centres of the half-spheres.
struct Capsule {
  double radius = 0;
  double length = 0;
  Vec3 axis = Vec3::UnitZ();
};
/// Circular cone or frustum, tapering in the direction of the axis. The origin is the centre of the BASE disc, not the
/// centroid.
struct Cone {
  double radius = 0;  ///< of the base
  double height = 0;
  Vec3 axis = Vec3::UnitZ();
  double top_radius = 0;  ///< 0 <= top_radius < radius; 0: a cone with an apex
};
struct Ellipsoid {
  Vec3 semi_axes = Vec3::Zero();
};
/// A ring: all points within tube_radius of the circle of `radius` about the axis. Not convex. tube_radius < radius.
struct Torus {
  double radius = 0;       ///< of the circle in the middle of the tube
  double tube_radius = 0;  ///< of the tube
  Vec3 axis = Vec3::UnitZ();
};
/// Barr's superellipsoid (IEEE CG&A 1(1), 1981):
///     ((|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) <= 1,   0.1 <= e1, e2 <= 1.9                      (1)
/// e = 1: an ellipsoid; towards 0 a box or cylinder; towards 2 a double pyramid or cone. Convex for all these.
struct Superquadric {
  Vec3 semi_axes = Vec3::Zero();
  double e1 = 1;  ///< exponent of the meridian (north-south)
  double e2 = 1;  ///< exponent of the parallel (east-west)
};
/// The intersection of convex quadrics f_k(x) <= 0, half-spaces among them, and complements of convex quadrics (a
/// groove, a bore). Bounded by its convex constraints. The frame is the user's: the centroid is computed, not at the
/// origin.
struct Cell {
  std::vector<Quadric> constraints;                 ///< scaled to lengths; the convex ones first
  int n_convex = 0;                                 ///< the rest are complements
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< bounding box of the convex constraints
  bool convex = true;                               ///< no complement among the constraints
  Vec3 convex_inside = Vec3::Zero();                ///< a point well inside the convex constraints
  Vec3 inside = Vec3::Zero();                       ///< a point inside all constraints
  /// Computed at construction to 1e-10, for density 1 (mass = volume), in the cell's frame.
  MassProperties unit_density;
};
/// All space outside a ball: what a body sees that lives inside a hollow sphere. Unbounded.
struct HollowSphere {
  double radius = 0;
};
/// All space outside an endless circular cylinder: what a body sees that lives inside a bore or a pipe. Unbounded.
struct HollowCylinder {
  double radius = 0;
  Vec3 axis = Vec3::UnitZ();
};

/// A convex body whose surface is a smooth strictly convex patch s(u) of two parameters, with its derivatives. The
/// closest-point code needs no more than the point with a given outward normal, its tangents and its curvature.
/// Implementations are immutable; all functions are thread-safe.
class ParametricSurface {
 public:
  virtual ~ParametricSurface() = default;
  struct Patch {
    Vec3 point;          ///< s(u)
    Vec3 du, dv;         ///< tangents
    Vec3 duu, duv, dvv;  ///< second derivatives
  };
  virtual Patch calc_patch(double u, double v) const = 0;
  /// Parameters of a point whose outward normal is near `normal`: a start for Newton's method.
  virtual Eigen::Vector2d calc_parameters(const Vec3& normal) const = 0;
  /// A radius about the origin that contains the body [m].
  virtual double bounding_radius() const = 0;
};
struct Parametric {
  std::shared_ptr<const ParametricSurface> surface;
};

using Shape = std::variant<HalfSpace, Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid, Torus, Superquadric, Polytope,
                           Cell, HollowSphere, HollowCylinder, Parametric>;

/// Volume [m^3]; infinite for half-spaces and hollow shapes.
double calc_volume(const Shape& shape);
/// Mass properties of the solid shape of uniform density [kg/m^3], in the shape's frame. Only for bounded shapes.
MassProperties calc_mass_properties(const Shape& shape, double density);

bool is_bounded(const Shape& shape);
bool is_convex(const Shape& shape);

}  // namespace stiction
