#include "stiction/contact/compliant_layer.h"

#include <algorithm>
#include <cmath>

namespace stiction {

double calc_stored_energy(const CompliantLayer& layer, const Vec3& delta) {
  if (layer.is_linear()) return 0.5 * delta.dot(layer.stiffness * delta);
  const double normal = layer.stiffness(0, 0) * std::pow(std::max(0.0, delta[0]), layer.exponent + 1);
  const Vec3 shear(0, delta[1], delta[2]);
  return normal / (layer.exponent + 1) + 0.5 * shear.dot(layer.stiffness * shear);
}

SharedDepth share_depth(const CompliantLayer& first, const CompliantLayer* second, double depth) {
  if (!second) return {std::min(depth, first.thickness), 0};
  // k_1 x^p_1 = k_2 (depth - x)^p_2 by bisection: the left side rises with x, the right side falls.
  double low = std::max(0.0, depth - second->thickness), high = std::min(depth, first.thickness);
  for (int i = 0; i < 200 && high - low > 1e-16 * depth; ++i) {
    const double x = 0.5 * (low + high);
    const double left = first.stiffness(0, 0) * std::pow(x, first.exponent);
    const double right = second->stiffness(0, 0) * std::pow(depth - x, second->exponent);
    (left < right ? low : high) = x;
  }
  const double x = 0.5 * (low + high);
  return {x, depth - x};
}

}  // namespace stiction
