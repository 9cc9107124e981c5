#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/shape.h"

namespace stiction {

struct NamedShape {
  std::string name;
  Shape shape;
};

/// An ellipsoid as a parametric surface: the reference for that interface. Longitude u, latitude v.
class EllipsoidPatch : public ParametricSurface {
 public:
  explicit EllipsoidPatch(const Vec3& semi_axes) : a_(semi_axes) {}
  Patch calc_patch(double u, double v) const override {
    const double cu = std::cos(u), su = std::sin(u), cv = std::cos(v), sv = std::sin(v);
    const auto at = [&](double x, double y, double z) { return Vec3(a_.x() * x, a_.y() * y, a_.z() * z); };
    return {at(cu * cv, su * cv, sv),  at(-su * cv, cu * cv, 0), at(-cu * sv, -su * sv, cv),
            at(-cu * cv, -su * cv, 0), at(su * sv, -cu * sv, 0), at(-cu * cv, -su * cv, -sv)};
  }
  Eigen::Vector2d calc_parameters(const Vec3& n) const override {
    const Vec3 an = a_.cwiseProduct(n);
    return {std::atan2(an.y(), an.x()), std::atan2(an.z(), std::hypot(an.x(), an.y()))};
  }
  double bounding_radius() const override { return a_.maxCoeff(); }

 private:
  Vec3 a_;
};

inline Polytope make_test_polytope() {
  return std::get<Polytope>(
      make_polytope({{1, 0, 0}, {-1, 0.2, 0}, {0, 1, 0.1}, {0, -1, 0}, {0, 0, 0.7}, {0.1, 0, -0.8}, {0.5, 0.5, 0.5}}));
}
inline Polytope make_box_polytope(const Vec3& size) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(0.5 * size.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  return std::get<Polytope>(make_polytope(corners));
}
inline std::vector<Quadric> make_box_planes(const Vec3& half) {
  std::vector<Quadric> planes;
  for (int i = 0; i < 3; ++i) {
    planes.push_back(make_plane_quadric(Vec3::Unit(i), half[i]));
    planes.push_back(make_plane_quadric(-Vec3::Unit(i), half[i]));
  }
  return planes;
}
/// A dome: the part of a ball above a plane.
inline Cell make_dome() {
  return std::get<Cell>(make_cell({{Mat3::Identity(), Vec3::Zero(), -1}, make_plane_quadric(-Vec3::UnitZ(), -0.2)}));
}
/// A block 0.6 x 0.4 x 0.2 with a groove of radius 0.05 along x in its top.
inline Cell make_grooved_block() {
  std::vector<Quadric> surfaces = make_box_planes(Vec3(0.3, 0.2, 0.1));
  const Mat3 across = Mat3::Identity() - Vec3::UnitX() * Vec3::UnitX().transpose();
  surfaces.push_back(calc_complement(
      calc_transformed(Quadric{across, Vec3::Zero(), -0.05 * 0.05}, {Mat3::Identity(), Vec3(0, 0, 0.1)})));
  return std::get<Cell>(make_cell(surfaces));
}

/// One of every kind of bounded shape.
inline const std::vector<NamedShape>& list_bounded_shapes() {
  const Vec3 slanted = Vec3(0.36, 0.48, 0.8);
  static const std::vector<NamedShape> shapes = {
      {"sphere", Sphere{0.7}},
      {"box", Box{Vec3(1, 2, 0.5)}},
      {"cylinder", Cylinder{0.5, 1.5, slanted}},
      {"capsule", Capsule{0.3, 1.2, slanted}},
      {"cone", Cone{0.8, 1.1, slanted, 0}},
      {"frustum", Cone{0.8, 1.1, slanted, 0.3}},
      {"ellipsoid", Ellipsoid{Vec3(1, 0.5, 0.3)}},
      {"torus", Torus{1, 0.3, slanted}},
      {"superquadric", Superquadric{Vec3(1, 0.6, 0.8), 0.7, 1.3}},
      {"polytope", make_test_polytope()},
      {"dome", make_dome()},
      {"groove", make_grooved_block()},
      {"parametric", Parametric{std::make_shared<EllipsoidPatch>(Vec3(1, 0.5, 0.3))}},
  };
  return shapes;
}

}  // namespace stiction
