#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "stiction/base/random.h"

namespace stiction::fuzz {

/// A shape as a line of TOML, and how large it is.
struct RandomShape {
  std::string toml;
  double smallest = 0;  ///< half of its smallest extent [m]
  double radius = 0;    ///< of a ball around its origin that holds it [m]
  double height = 0;    ///< of its origin over the floor where it rests as it is [m]; -1: its origin is not its centre
};

/// One of the seven shapes that every method takes, of 60 to 200 mm.
RandomShape make_shape(Random& random);
/// One of these, a torus, frustum, polytope, pointed or squarish superquadric, a plate of 2 to 6 mm, or two parts.
RandomShape make_any_shape(Random& random);

std::string format_vector(double x, double y, double z);
std::string make_direction(Random& random, double length);
/// Whole millimetres, 30 to 100: written down they are exact, and bodies at rest touch the floor.
double make_length(Random& random);

template <class Value, std::size_t count>
Value pick(Random& random, const std::array<Value, count>& values) {
  return values[static_cast<std::size_t>(random.index(static_cast<int>(count)))];
}

}  // namespace stiction::fuzz
