#pragma once

#include <variant>

#include "stiction/geometry/mass_properties.h"

namespace stiction {

/// Exact shapes, each in its own frame S with the centroid of its volume at the origin unless stated.
/// An axis is a unit vector of S. Lengths in m.

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
/// Circular cone, apex in the direction of the axis. The origin is the centre of the BASE disc, not the centroid, which
/// lies height/4 above it.
struct Cone {
  double radius = 0;  ///< of the base
  double height = 0;
  Vec3 axis = Vec3::UnitZ();
};
struct Ellipsoid {
  Vec3 semi_axes = Vec3::Zero();
};

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid>;

double calc_volume(const Shape& shape);
/// Mass properties of the solid shape of uniform density [kg/m^3], in the shape's frame.
MassProperties calc_mass_properties(const Shape& shape, double density);

}  // namespace stiction
