#include "stiction/geometry/shape/polyhedron_moments.h"

namespace stiction {

MassProperties calc_polyhedron_mass(const Polytope& polytope) {
  const Vec3 origin = polytope.vertices[0];
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const PolytopeFace& face : polytope.faces) {
    const auto corner = [&](std::size_t k) -> Vec3 {
      return polytope.vertices[static_cast<std::size_t>(face.vertices[k])] - origin;
    };
    for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
      // Tetrahedron (0, a, b, c): int x = V s/4, int x x' = V (aa' + bb' + cc' + ss')/20 with s = a + b + c.
      const Vec3 a = corner(0), b = corner(k), c = corner(k + 1), s = a + b + c;
      const double V = a.dot(b.cross(c)) / 6;
      volume += V;
      first += V / 4 * s;
      second += V / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  const Vec3 centroid = first / volume;
  second -= volume * centroid * centroid.transpose();
  return {volume, origin + centroid, second.trace() * Mat3::Identity() - second};
}

}  // namespace stiction
