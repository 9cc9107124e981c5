#include "test/fuzz/physics/random_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stiction::fuzz {
namespace {

/// Of six points in both directions of three axes, moved at random: its origin lies well inside.
RandomShape make_polytope(Random& random, double a, double b, double c) {
  const double least = std::min({a, b, c}), move = 0.2 * least;
  std::string points;
  for (int i = 0; i < 6; ++i) {
    const double side = i % 2 == 0 ? 1 : -1;
    std::array<double, 3> p = {i / 2 == 0 ? side * a : 0, i / 2 == 1 ? side * b : 0, i / 2 == 2 ? side * c : 0};
    for (double& x : p) x += random.uniform(-move, move);
    points += (i > 0 ? ", " : "") + format_vector(p[0], p[1], p[2]);
  }
  return {fmt::format("{{ type = \"polytope\", vertices = [{}] }}", points), 0.4 * least,
          std::max({a, b, c}) + 2 * move, -1};
}

}  // namespace

std::string format_vector(double x, double y, double z) {
  return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", x, y, z);
}

double make_length(Random& random) {
  return 1e-3 * (30 + random.index(71));
}

std::string make_direction(Random& random, double length) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, 6.283185307179586), s = std::sqrt(1 - z * z);
  return format_vector(length * s * std::cos(angle), length * s * std::sin(angle), length * z);
}

RandomShape make_shape(Random& random) {
  const double a = make_length(random), b = make_length(random), c = make_length(random);
  const double least = std::min({a, b, c}), diagonal = std::sqrt(a * a + b * b + c * c);
  switch (random.index(7)) {
    case 0:
      return {fmt::format("{{ type = \"sphere\", radius = {:.6f} }}", a), a, a, a};
    case 1:
      return {fmt::format("{{ type = \"box\", size = {} }}", format_vector(2 * a, 2 * b, 2 * c)), least, diagonal, c};
    case 2:
      return {fmt::format("{{ type = \"capsule\", axis = [1, 0, 0], length = {:.6f}, radius = {:.6f} }}", 2 * b, a), a,
              a + b, a};
    case 3:
      return {fmt::format("{{ type = \"cylinder\", length = {:.6f}, radius = {:.6f} }}", 2 * b, a), std::min(a, b),
              std::hypot(a, b), b};
    case 4:
      return {fmt::format("{{ type = \"ellipsoid\", semi_axes = {} }}", format_vector(a, b, c)), least,
              std::max({a, b, c}), c};
    case 5:
      return {fmt::format("{{ type = \"cone\", radius = {:.6f}, height = {:.6f} }}", a, 2 * b), std::min(a, b),
              std::hypot(a, 2 * b), -1};
    default:
      return {fmt::format("{{ type = \"superquadric\", semi_axes = {}, e1 = 0.6, e2 = 0.8 }}", format_vector(a, b, c)),
              least, diagonal, c};
  }
}

RandomShape make_any_shape(Random& random) {
  const int kind = random.index(12);
  if (kind < 6) return make_shape(random);
  const double a = make_length(random), b = make_length(random), c = make_length(random);
  const double least = std::min({a, b, c}), diagonal = std::sqrt(a * a + b * b + c * c);
  switch (kind) {
    case 6: {
      const double tube = 0.3 * a;
      return {fmt::format("{{ type = \"torus\", radius = {:.6f}, tube_radius = {:.6f} }}", a, tube), tube, a + tube,
              tube};
    }
    case 7:
      return {fmt::format("{{ type = \"cone\", radius = {:.6f}, height = {:.6f}, top_radius = {:.6f} }}", a, 2 * b,
                          0.4 * a),
              std::min(0.4 * a, b), std::hypot(a, 2 * b), -1};
    case 8:
      return make_polytope(random, a, b, c);
    case 9: {
      constexpr std::array exponents = {0.3, 0.5, 1.0, 1.5};
      const double e1 = pick(random, exponents), e2 = pick(random, exponents);
      return {fmt::format("{{ type = \"superquadric\", semi_axes = {}, e1 = {}, e2 = {} }}", format_vector(a, b, c), e1,
                          e2),
              0.5 * least, diagonal, c};
    }
    case 10: {
      const double half = 1e-3 * (1 + random.index(3));
      return {fmt::format("{{ type = \"box\", size = {} }}", format_vector(2 * a, 2 * b, 2 * half)), half,
              std::sqrt(a * a + b * b + half * half), half};
    }
    default:
      // A hammer: a head across a handle, which it touches.
      return {fmt::format("{{ head = {{ type = \"sphere\", radius = {0:.6f}, position = [{1:.6f}, 0, 0] }}, handle = "
                          "{{ type = \"box\", size = [{2:.6f}, {3:.6f}, {3:.6f}] }} }}",
                          a, b, 2 * b, 0.5 * a),
              0.25 * a, b + a, -1};
  }
}

}  // namespace stiction::fuzz
