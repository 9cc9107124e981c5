#include "stiction/stepping/rigid/friction_polyhedron.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

/// Circles of latitude north of the equator.
int count_circles(int directions) {
  return (directions + 3) / 4 - 1;
}
int count_on_circle(int directions, int circle) {
  const double wanted = directions * std::cos(2 * std::numbers::pi * circle / directions);
  return std::max(4, 2 * static_cast<int>(std::ceil(0.5 * wanted - 1e-9)));
}

}  // namespace

int count_friction_directions(int dimension, int directions, bool spins) {
  if (dimension == 2) return 2;
  if (!spins) return directions;
  int count = directions + 2;
  for (int circle = 1; circle <= count_circles(directions); ++circle) count += 2 * count_on_circle(directions, circle);
  return count;
}

void calc_friction_polyhedron(int dimension, int directions, const Vec3& ellipsoid, MatX& edges) {
  const bool spins = dimension == 4 && ellipsoid[2] > 0;
  edges.setZero(dimension - 1, count_friction_directions(dimension, directions, spins));
  if (dimension == 2) {
    edges << ellipsoid[0], -ellipsoid[0];
    return;
  }
  int column = 0;
  const auto add_circle = [&](int count, double latitude) {
    for (int k = 0; k < count; ++k, ++column) {
      const double angle = 2 * std::numbers::pi * k / count;
      edges(0, column) = ellipsoid[0] * (std::cos(latitude) * std::cos(angle));
      edges(1, column) = ellipsoid[1] * (std::cos(latitude) * std::sin(angle));
      if (spins) edges(2, column) = ellipsoid[2] * std::sin(latitude);
    }
  };
  add_circle(directions, 0);
  if (!spins) return;
  for (int circle = 1; circle <= count_circles(directions); ++circle) {
    const double latitude = 2 * std::numbers::pi * circle / directions;
    add_circle(count_on_circle(directions, circle), latitude);
    add_circle(count_on_circle(directions, circle), -latitude);
  }
  edges(2, column++) = ellipsoid[2];
  edges(2, column++) = -ellipsoid[2];
}

}  // namespace stiction
