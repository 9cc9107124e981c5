#include "stiction/geometry/shape.h"

#include <numbers>

namespace stiction {
namespace {

constexpr double pi = std::numbers::pi;

double volume(const Sphere& s) {
  return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
}
double volume(const Box& s) {
  return s.size.prod();
}
double volume(const Cylinder& s) {
  return pi * s.radius * s.radius * s.length;
}
double volume(const Capsule& s) {
  return pi * s.radius * s.radius * (s.length + 4.0 / 3.0 * s.radius);
}
double volume(const Cone& s) {
  return pi * s.radius * s.radius * s.height / 3;
}
double volume(const Ellipsoid& s) {
  return 4.0 / 3.0 * pi * s.semi_axes.prod();
}

/// Inertia of a body of revolution: `along` about its axis, `across` about any line through the centroid normal to it.
Mat3 revolved(const Vec3& axis, double along, double across) {
  return across * Mat3::Identity() + (along - across) * axis * axis.transpose();
}

/// Centroid and inertia for unit mass.
MassProperties unit_mass(const Sphere& s) {
  return {1, Vec3::Zero(), 0.4 * s.radius * s.radius * Mat3::Identity()};
}
MassProperties unit_mass(const Box& s) {
  const Vec3 d = s.size.cwiseAbs2() / 12;
  return {1, Vec3::Zero(), Vec3(d.y() + d.z(), d.z() + d.x(), d.x() + d.y()).asDiagonal()};
}
MassProperties unit_mass(const Cylinder& s) {
  const double rr = s.radius * s.radius;
  return {1, Vec3::Zero(), revolved(s.axis, rr / 2, rr / 4 + s.length * s.length / 12)};
}
MassProperties unit_mass(const Capsule& s) {
  // A cylinder and two half-spheres whose centroids lie 3r/8 beyond its ends.
  const double r = s.radius, l = s.length, rr = r * r;
  const double cylinder = l / (l + 4.0 / 3.0 * r), spheres = 1 - cylinder;
  const double along = cylinder * rr / 2 + spheres * 0.4 * rr;
  const double across = cylinder * (rr / 4 + l * l / 12) + spheres * (0.4 * rr + l * l / 4 + 0.375 * l * r);
  return {1, Vec3::Zero(), revolved(s.axis, along, across)};
}
MassProperties unit_mass(const Cone& s) {
  const double rr = s.radius * s.radius;
  return {1, 0.25 * s.height * s.axis, revolved(s.axis, 0.3 * rr, 0.15 * rr + 0.0375 * s.height * s.height)};
}
MassProperties unit_mass(const Ellipsoid& s) {
  const Vec3 d = s.semi_axes.cwiseAbs2() / 5;
  return {1, Vec3::Zero(), Vec3(d.y() + d.z(), d.z() + d.x(), d.x() + d.y()).asDiagonal()};
}

}  // namespace

double calc_volume(const Shape& shape) {
  return std::visit([](const auto& s) { return volume(s); }, shape);
}

MassProperties calc_mass_properties(const Shape& shape, double density) {
  MassProperties result = std::visit([](const auto& s) { return unit_mass(s); }, shape);
  result.mass = density * calc_volume(shape);
  result.inertia *= result.mass;
  return result;
}

}  // namespace stiction
