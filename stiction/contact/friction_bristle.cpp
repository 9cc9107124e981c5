#include "stiction/contact/friction_bristle.h"

#include <cmath>

namespace stiction {

double calc_bristle_stiffness(double static_coefficient, double presliding) {
  return static_coefficient / presliding;
}

double calc_critical_bristle_damping(double stiffness, double gravity) {
  return 2 * std::sqrt(stiffness / gravity);
}

}  // namespace stiction
