#include "stiction/geometry/shape/shape.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/polyhedron_moments.h"

namespace stiction {
namespace {

using std::numbers::pi;

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
  const double r = s.radius, t = s.top_radius;
  return pi * s.height * (r * r + r * t + t * t) / 3;
}
double volume(const Ellipsoid& s) {
  return 4.0 / 3.0 * pi * s.semi_axes.prod();
}

double volume(const Torus& s) {
  return 2 * pi * pi * s.radius * s.tube_radius * s.tube_radius;
}
double beta(double x, double y) {
  return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
}
/// Jaklic, Leonardis, Solina, "Segmentation and Recovery of Superquadrics" (2000), section 2.4.
double volume(const Superquadric& s) {
  return 2 * s.semi_axes.prod() * s.e1 * s.e2 * beta(s.e1 / 2 + 1, s.e1) * beta(s.e2 / 2, s.e2 / 2);
}
double volume(const Polytope& s) {
  return calc_polyhedron_mass(s).mass;
}
double volume(const Cell& s) {
  return s.unit_density.mass;
}
double volume(const Parametric& s) {
  return calc_parametric_mass(*s.surface).mass;
}
double volume(const HalfSpace&) {
  return std::numeric_limits<double>::infinity();
}
double volume(const HollowSphere&) {
  return std::numeric_limits<double>::infinity();
}
double volume(const HollowCylinder&) {
  return std::numeric_limits<double>::infinity();
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
/// A frustum: slices of radius r(z) = radius + (top_radius - radius) z/h; moments of r^2 and r^4 along the axis.
MassProperties unit_mass(const Cone& s) {
  const double r = s.radius, t = s.top_radius, h = s.height;
  const double r2 = (r * r + r * t + t * t) / 3;
  const double z1 = h * (r * r + 2 * r * t + 3 * t * t) / 12;
  const double z2 = h * h * (r * r + 3 * r * t + 6 * t * t) / 30;
  const double r4 = (r * r * r * r + r * r * r * t + r * r * t * t + r * t * t * t + t * t * t * t) / 5;
  const double z = z1 / r2;
  return {1, z * s.axis, revolved(s.axis, r4 / (2 * r2), r4 / (4 * r2) + z2 / r2 - z * z)};
}
MassProperties unit_mass(const Ellipsoid& s) {
  const Vec3 d = s.semi_axes.cwiseAbs2() / 5;
  return {1, Vec3::Zero(), Vec3(d.y() + d.z(), d.z() + d.x(), d.x() + d.y()).asDiagonal()};
}

MassProperties unit_mass(const Torus& s) {
  const double rr = s.radius * s.radius, tt = s.tube_radius * s.tube_radius;
  return {1, Vec3::Zero(), revolved(s.axis, rr + 0.75 * tt, 0.5 * rr + 0.625 * tt)};
}
/// Second moments from the same source as the volume.
MassProperties unit_mass(const Superquadric& s) {
  const Vec3 a2 = s.semi_axes.cwiseAbs2();
  const double e1 = s.e1, e2 = s.e2;
  const double full = 2 * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2);
  const double across = 0.5 * e1 * e2 * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2 * e1 + 1) / full;
  const double along = 2 * e1 * e2 * beta(0.5 * e2, 0.5 * e2 + 1) * beta(1.5 * e1, e1 + 1) / full;
  const Vec3 d(a2.x() * across, a2.y() * across, a2.z() * along);
  return {1, Vec3::Zero(), Vec3(d.y() + d.z(), d.z() + d.x(), d.x() + d.y()).asDiagonal()};
}
MassProperties per_mass(MassProperties m) {
  m.inertia /= m.mass;
  m.mass = 1;
  return m;
}
MassProperties unit_mass(const Polytope& s) {
  return per_mass(calc_polyhedron_mass(s));
}
MassProperties unit_mass(const Cell& s) {
  return per_mass(s.unit_density);
}
MassProperties unit_mass(const Parametric& s) {
  return per_mass(calc_parametric_mass(*s.surface));
}
template <class Unbounded>
MassProperties unit_mass(const Unbounded&) {
  STICTION_CHECK(!"an unbounded shape has no mass properties");
  return {};
}

}  // namespace

bool is_bounded(const Shape& shape) {
  return !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<HollowSphere>(shape) &&
         !std::holds_alternative<HollowCylinder>(shape);
}

bool is_convex(const Shape& shape) {
  if (const Cell* cell = std::get_if<Cell>(&shape)) return cell->convex;
  return !std::holds_alternative<Torus>(shape) && !std::holds_alternative<HollowSphere>(shape) &&
         !std::holds_alternative<HollowCylinder>(shape);
}

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
