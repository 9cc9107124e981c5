#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction::test {

/// Random shapes and poses for the tests of closest points: sizes over six decades, aspect ratios to 1:100.

/// An egg: the stereographic sphere m(u, v), stretched by the semi-axes and by 1 + 0.15 m_z.
class Egg : public ParametricSurface {
 public:
  explicit Egg(const Vec3& semi_axes) : a_(semi_axes) {}
  Patch calc_patch(double u, double v) const override {
    // Two charts: the lower half about the south pole, told by u near 8.
    const double side = u > 4 ? -1 : 1;
    if (u > 4) u -= 8;
    const double w = 1 / (1 + u * u + v * v), w2 = w * w, w3 = w2 * w;
    // m = (2 u w, 2 v w, 2 w - 1) and its derivatives; w_u = -2 u w^2.
    const double wu = -2 * u * w2, wv = -2 * v * w2;
    const double wuu = -2 * w2 + 8 * u * u * w3, wuv = 8 * u * v * w3, wvv = -2 * w2 + 8 * v * v * w3;
    const Vec3 m(2 * u * w, 2 * v * w, side * (2 * w - 1));
    const Vec3 mu(2 * w + 2 * u * wu, 2 * v * wu, side * 2 * wu);
    const Vec3 mv(2 * u * wv, 2 * w + 2 * v * wv, side * 2 * wv);
    const Vec3 muu(4 * wu + 2 * u * wuu, 2 * v * wuu, side * 2 * wuu);
    const Vec3 muv(2 * wv + 2 * u * wuv, 2 * wu + 2 * v * wuv, side * 2 * wuv);
    const Vec3 mvv(2 * u * wvv, 4 * wv + 2 * v * wvv, side * 2 * wvv);
    const double e = 0.15, k = 1 + e * m.z();
    const auto stretch = [&](const Vec3& x) { return Vec3(a_.cwiseProduct(x)); };
    return {stretch(k * m),
            stretch(k * mu + e * mu.z() * m),
            stretch(k * mv + e * mv.z() * m),
            stretch(k * muu + 2 * e * mu.z() * mu + e * muu.z() * m),
            stretch(k * muv + e * mu.z() * mv + e * mv.z() * mu + e * muv.z() * m),
            stretch(k * mvv + 2 * e * mv.z() * mv + e * mvv.z() * m)};
  }
  Eigen::Vector2d calc_parameters(const Vec3& normal) const override {
    const Vec3 m = a_.cwiseProduct(normal).normalized();
    const double w = 1 / (1 + std::abs(m.z()));
    return {m.x() * w + (m.z() < 0 ? 8 : 0), m.y() * w};
  }
  double bounding_radius() const override { return 1.15 * a_.maxCoeff(); }

 private:
  Vec3 a_;
};

inline Vec3 make_direction(Random& random) {
  Vec3 d;
  do d = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}
inline Transform make_pose(Random& random, double reach) {
  const Vec3 axis = make_direction(random);
  return {Eigen::AngleAxisd(random.uniform(-3, 3), axis).toRotationMatrix(), reach * make_direction(random)};
}
inline double make_size(Random& random) {
  return std::pow(10.0, random.uniform(-3, 3));
}
/// Three lengths of aspect up to 1:100, the largest near `size`.
inline Vec3 make_lengths(Random& random, double size) {
  return size * Vec3(std::pow(10.0, random.uniform(-2, 0)), std::pow(10.0, random.uniform(-2, 0)),
                     std::pow(10.0, random.uniform(-2, 0)));
}

inline Cell make_random_cell(Random& random, double size, bool convex) {
  std::vector<Quadric> f;
  const Vec3 half = 0.5 * size * Vec3(1, random.uniform(0.3, 1), random.uniform(0.3, 1));
  for (int i = 0; i < 3; ++i) {
    f.push_back(make_plane_quadric(Vec3::Unit(i), half[i]));
    f.push_back(make_plane_quadric(-Vec3::Unit(i), half[i]));
  }
  // Bounded by a round side and cut by a slanting plane; a bore or a groove where not convex.
  const Vec3 a = make_direction(random);
  if (random.index(2)) f.push_back(make_plane_quadric(a, 0.3 * size));
  if (random.index(2)) f.push_back({(Mat3::Identity() - a * a.transpose()) / size, Vec3::Zero(), -0.2 * size});
  if (!convex) {
    const Vec3 axis = random.index(2) ? Vec3(Vec3::UnitZ()) : make_direction(random);
    const Vec3 at = random.index(2) ? Vec3::Zero() : Vec3(0, half.y(), 0);
    const Mat3 P = Mat3::Identity() - axis * axis.transpose();
    const double r = 0.4 * half.minCoeff();
    f.push_back(calc_complement({P / (2 * r), -P * at / (2 * r), (at.dot(P * at) - r * r) / (2 * r)}));
  }
  return std::get<Cell>(make_cell(f));
}

/// Shape `kind` of the variant's order.
inline Shape make_random_shape(Random& random, int kind, double size) {
  const Vec3 l = make_lengths(random, size), axis = make_direction(random);
  switch (kind) {
    case 0:
      return HalfSpace{axis, 0};
    case 1:
      return Sphere{size};
    case 2:
      return Box{l};
    case 3:
      return Cylinder{l.x(), l.y(), axis};
    case 4:
      return Capsule{l.x(), l.y(), axis};
    case 5:
      return Cone{l.x(), l.y(), axis, random.index(2) ? 0.0 : random.uniform(0.05, 0.95) * l.x()};
    case 6:
      return Ellipsoid{l};
    case 7:
      return Torus{size, size * random.uniform(0.01, 0.9), axis};
    case 8:
      return Superquadric{l, random.uniform(0.1, 1.9), random.uniform(0.1, 1.9)};
    case 9: {
      std::vector<Vec3> points;
      const int n = 4 + random.index(30);
      for (int i = 0; i < n; ++i) points.push_back(l.cwiseProduct(make_direction(random)));
      const auto made = make_polytope(points);
      if (const auto* p = std::get_if<Polytope>(&made)) return *p;
      return make_random_shape(random, kind, size);
    }
    case 10:
      return make_random_cell(random, size, random.index(2) == 0);
    case 11:
      return HollowSphere{size};
    case 12:
      return HollowCylinder{size, axis};
    default:
      return Parametric{std::make_shared<Egg>(l)};
  }
}
constexpr int kShapeKinds = 14;

}  // namespace stiction::test
