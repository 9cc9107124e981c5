#pragma once

#include <cmath>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

/// The constraints whose intersection a shape is (see calc_constraints), handed one after the other to visit(f), in a
/// fixed order; nothing is allocated. Shapes that are no intersection of quadrics have none.
template <class Visit>
void visit_constraints(const HalfSpace& s, Visit&& visit) {
  visit(make_plane_quadric(s.normal, s.offset));
}
template <class Visit>
void visit_constraints(const Sphere& s, Visit&& visit) {
  // Of slope 1 on the surface; a point has no length to scale by.
  const double scale = s.radius > 0 ? 0.5 / s.radius : 0.5;
  visit(Quadric{scale * Mat3::Identity(), Vec3::Zero(), -0.5 * s.radius});
}
template <class Visit>
void visit_constraints(const Box& s, Visit&& visit) {
  for (int i = 0; i < 3; ++i) {
    visit(make_plane_quadric(Vec3::Unit(i), 0.5 * s.size[i]));
    visit(make_plane_quadric(-Vec3::Unit(i), 0.5 * s.size[i]));
  }
}
inline Quadric make_cylinder_side(double radius, const Vec3& axis) {
  return {0.5 / radius * (Mat3::Identity() - axis * axis.transpose()), Vec3::Zero(), -0.5 * radius};
}
template <class Visit>
void visit_constraints(const Cylinder& s, Visit&& visit) {
  visit(make_cylinder_side(s.radius, s.axis));
  visit(make_plane_quadric(s.axis, 0.5 * s.length));
  visit(make_plane_quadric(-s.axis, 0.5 * s.length));
}
template <class Visit>
void visit_constraints(const Cone& s, Visit&& visit) {
  // |x - (x.a) a|^2 <= (radius - k x.a)^2, k = (radius - top_radius)/height; a length at the base.
  const double k = (s.radius - s.top_radius) / s.height, scale = 0.5 / (s.radius * std::sqrt(1 + k * k));
  const Mat3 aa = s.axis * s.axis.transpose();
  visit(Quadric{scale * (Mat3::Identity() - (1 + k * k) * aa), scale * k * s.radius * s.axis,
                -scale * s.radius * s.radius});
  visit(make_plane_quadric(s.axis, s.height));
  visit(make_plane_quadric(-s.axis, 0));
}
template <class Visit>
void visit_constraints(const Ellipsoid& s, Visit&& visit) {
  const double scale = 0.5 * s.semi_axes.minCoeff();
  visit(Quadric{scale * Mat3(s.semi_axes.cwiseAbs2().cwiseInverse().asDiagonal()), Vec3::Zero(), -scale});
}
template <class Visit>
void visit_constraints(const Polytope& s, Visit&& visit) {
  for (const PolytopeFace& face : s.faces) visit(make_plane_quadric(face.normal, face.offset));
}
template <class Visit>
void visit_constraints(const Cell& s, Visit&& visit) {
  for (const Quadric& f : s.constraints) visit(f);
}
template <class Visit>
void visit_constraints(const HollowSphere& s, Visit&& visit) {
  visit_constraints(Sphere{s.radius}, [&](const Quadric& f) { visit(calc_complement(f)); });
}
template <class Visit>
void visit_constraints(const HollowCylinder& s, Visit&& visit) {
  visit(calc_complement(make_cylinder_side(s.radius, s.axis)));
}
template <class Visit>
void visit_constraints(const Capsule&, Visit&&) {}
template <class Visit>
void visit_constraints(const Torus&, Visit&&) {}
template <class Visit>
void visit_constraints(const Superquadric&, Visit&&) {}
template <class Visit>
void visit_constraints(const Parametric&, Visit&&) {}

template <class Visit>
void visit_constraints(const Shape& shape, Visit&& visit) {
  std::visit([&](const auto& s) { visit_constraints(s, visit); }, shape);
}

}  // namespace stiction
