#include "stiction/geometry/shape/tessellation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/surface.h"

namespace stiction {
namespace {

using std::numbers::pi;

void add_triangle(Tessellation& mesh, int a, int b, int c) {
  mesh.triangles.push_back({a, b, c});
}
int add_vertex(Tessellation& mesh, const Vec3& point, const Vec3& normal) {
  mesh.vertices.push_back(point);
  mesh.normals.push_back(normal);
  return static_cast<int>(mesh.vertices.size()) - 1;
}

/// A point of a surface over two parameters with its normal.
struct Sample {
  Vec3 point, normal;
};
/// A grid of n x m cells over [0, 1] x [0, 1]; the normal is the first parameter's tangent times the second's.
template <class Surface>
void add_grid(Tessellation& mesh, int n, int m, Surface surface) {
  const int start = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= m; ++j) {
      const Sample s = surface(static_cast<double>(i) / n, static_cast<double>(j) / m);
      add_vertex(mesh, s.point, s.normal);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const int a = start + i * (m + 1) + j, b = a + m + 1;
      add_triangle(mesh, a, b, b + 1);
      add_triangle(mesh, a, b + 1, a + 1);
    }
  }
}

/// Frame with z along the axis.
struct Axes {
  Vec3 x, y, z;
  Vec3 around(double u) const { return std::cos(2 * pi * u) * x + std::sin(2 * pi * u) * y; }
};
Axes axes_of(const Vec3& axis) {
  const Vec3 x = axis.unitOrthogonal();
  return {x, axis.cross(x), axis};
}

void add_disc(Tessellation& mesh, const Vec3& centre, const Vec3& normal, double radius, int detail) {
  const Axes f = axes_of(normal);
  const int middle = add_vertex(mesh, centre, normal);
  for (int i = 0; i <= detail; ++i)
    add_vertex(mesh, centre + radius * f.around(static_cast<double>(i) / detail), normal);
  for (int i = 0; i < detail; ++i) add_triangle(mesh, middle, middle + 1 + i, middle + 2 + i);
}
/// Side of a frustum between two circles.
void add_side(Tessellation& mesh, const Vec3& base, const Vec3& axis, double height, double r0, double r1, int detail) {
  const Axes f = axes_of(axis);
  const double slope = (r0 - r1) / height;
  add_grid(mesh, detail, 1, [&](double u, double v) {
    const Vec3 out = f.around(u);
    return Sample{base + v * height * axis + (r0 + v * (r1 - r0)) * out, (out + slope * axis).normalized()};
  });
}
/// Any smooth convex body: the support point of every direction.
void add_by_support(Tessellation& mesh, const Shape& shape, int detail) {
  add_grid(mesh, detail, detail / 2, [&](double u, double v) {
    const double polar = pi * (v - 0.5);
    const Vec3 n(std::cos(2 * pi * u) * std::cos(polar), std::sin(2 * pi * u) * std::cos(polar), std::sin(polar));
    return Sample{calc_support(shape, n), n};
  });
}
void add_face(Tessellation& mesh, const std::vector<Vec3>& corners, const Vec3& normal) {
  const int start = static_cast<int>(mesh.vertices.size());
  for (const Vec3& corner : corners) add_vertex(mesh, corner, normal);
  for (int k = 1; k + 1 < static_cast<int>(corners.size()); ++k) add_triangle(mesh, start, start + k, start + k + 1);
}

void tessellate(Tessellation& mesh, const Box& s, int, double) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Vec3 n = side * Vec3::Unit(axis), u = Vec3::Unit((axis + 1) % 3), v = n.cross(u), half = 0.5 * s.size;
      const auto corner = [&](double a, double b) -> Vec3 { return half.cwiseProduct(n + a * u + b * v); };
      add_face(mesh, {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, n);
    }
  }
}
void tessellate(Tessellation& mesh, const Cylinder& s, int detail, double) {
  add_side(mesh, -0.5 * s.length * s.axis, s.axis, s.length, s.radius, s.radius, detail);
  add_disc(mesh, 0.5 * s.length * s.axis, s.axis, s.radius, detail);
  add_disc(mesh, -0.5 * s.length * s.axis, -s.axis, s.radius, detail);
}
void tessellate(Tessellation& mesh, const Capsule& s, int detail, double) {
  const Axes f = axes_of(s.axis);
  add_side(mesh, -0.5 * s.length * s.axis, s.axis, s.length, s.radius, s.radius, detail);
  for (const double end : {-1.0, 1.0}) {
    add_grid(mesh, detail, std::max(detail / 4, 2), [&](double u, double v) {
      const double polar = 0.5 * pi * (end > 0 ? v : v - 1);
      const Vec3 n = std::cos(polar) * f.around(u) + std::sin(polar) * f.z;
      return Sample{0.5 * end * s.length * f.z + s.radius * n, n};
    });
  }
}
void tessellate(Tessellation& mesh, const Cone& s, int detail, double) {
  add_side(mesh, Vec3::Zero(), s.axis, s.height, s.radius, s.top_radius, detail);
  add_disc(mesh, Vec3::Zero(), -s.axis, s.radius, detail);
  if (s.top_radius > 0) add_disc(mesh, s.height * s.axis, s.axis, s.top_radius, detail);
}
void tessellate(Tessellation& mesh, const Torus& s, int detail, double) {
  const Axes f = axes_of(s.axis);
  add_grid(mesh, detail, detail / 2, [&](double u, double v) {
    const Vec3 out = f.around(u), n = std::cos(2 * pi * v) * out + std::sin(2 * pi * v) * f.z;
    return Sample{s.radius * out + s.tube_radius * n, n};
  });
}
void tessellate(Tessellation& mesh, const Polytope& s, int, double) {
  for (const PolytopeFace& face : s.faces) {
    std::vector<Vec3> corners;
    for (int i : face.vertices) corners.push_back(s.vertices[static_cast<std::size_t>(i)]);
    add_face(mesh, corners, face.normal);
  }
}
/// Marching tetrahedra over a grid of the box (Doi and Koide 1991), vertices moved onto the surface by bisection.
void tessellate(Tessellation& mesh, const Cell& s, int detail, double) {
  const Vec3 margin = 0.01 * (s.upper - s.lower), low = s.lower - margin, span = s.upper - s.lower + 2 * margin;
  const int n = detail;
  const auto at = [&](int i, int j, int k) -> Vec3 { return low + span.cwiseProduct(Vec3(i, j, k)) / n; };
  const auto value = [&](const Vec3& x) {
    double largest = -HUGE_VAL;
    for (const Quadric& f : s.constraints) largest = std::max(largest, f.value(x));
    return largest;
  };
  const auto crossing = [&](Vec3 inside, Vec3 outside) {
    for (int pass = 0; pass < 24; ++pass) {
      const Vec3 middle = 0.5 * (inside + outside);
      (value(middle) < 0 ? inside : outside) = middle;
    }
    return inside;
  };
  const Shape shape(s);
  const auto emit = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 flat = (b - a).cross(c - a);
    if (flat.norm() < 1e-12 * span.squaredNorm()) return;
    const Vec3 g = calc_implicit_gradient(shape, (a + b + c) / 3);
    const bool outward = flat.dot(g) > 0;
    const Vec3 normal = (outward ? flat : Vec3(-flat)).normalized();
    const int start = add_vertex(mesh, a, normal);
    add_vertex(mesh, outward ? b : c, normal);
    add_vertex(mesh, outward ? c : b, normal);
    add_triangle(mesh, start, start + 1, start + 2);
  };
  constexpr int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
  for (int cell = 0; cell < n * n * n; ++cell) {
    const int i = cell % n, j = cell / n % n, k = cell / n / n;
    Vec3 corner[8];
    bool in[8];
    int count = 0;
    for (int c = 0; c < 8; ++c) {
      corner[c] = at(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
      in[c] = value(corner[c]) < 0;
      count += in[c];
    }
    if (count == 0 || count == 8) continue;
    for (const auto& t : tetrahedra) {
      std::vector<int> inside, outside;
      for (int c : t) (in[c] ? inside : outside).push_back(c);
      const auto cut = [&](std::size_t p, std::size_t q) { return crossing(corner[inside[p]], corner[outside[q]]); };
      if (inside.size() == 1) emit(cut(0, 0), cut(0, 1), cut(0, 2));
      if (inside.size() == 3) emit(cut(0, 0), cut(1, 0), cut(2, 0));
      if (inside.size() == 2) {
        const Vec3 a = cut(0, 0), b = cut(0, 1), c = cut(1, 1), d = cut(1, 0);
        emit(a, b, c);
        emit(a, c, d);
      }
    }
  }
}
void tessellate(Tessellation& mesh, const HalfSpace& s, int, double reach) {
  const Axes f = axes_of(s.normal);
  const Vec3 o = s.offset * f.z;
  add_face(mesh, {o - reach * (f.x + f.y), o + reach * (f.x - f.y), o + reach * (f.x + f.y), o - reach * (f.x - f.y)},
           f.z);
}
/// Turns a mesh inside out.
void flip(Tessellation& mesh) {
  for (Vec3& n : mesh.normals) n = -n;
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}
void tessellate(Tessellation& mesh, const HollowSphere& s, int detail, double) {
  add_by_support(mesh, Sphere{s.radius}, detail);
  flip(mesh);
}
void tessellate(Tessellation& mesh, const HollowCylinder& s, int detail, double reach) {
  add_side(mesh, -reach * s.axis, s.axis, 2 * reach, s.radius, s.radius, detail);
  flip(mesh);
}
template <class Smooth>
void tessellate(Tessellation& mesh, const Smooth& s, int detail, double) {
  add_by_support(mesh, s, detail);
}

}  // namespace

Tessellation calc_tessellation(const Shape& shape, int detail, double reach) {
  Tessellation mesh;
  std::visit([&](const auto& s) { tessellate(mesh, s, std::max(detail, 8), reach); }, shape);
  return mesh;
}

}  // namespace stiction
