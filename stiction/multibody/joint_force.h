#pragma once

#include "stiction/multibody/dynamics.h"

namespace stiction {

/// to += F referred to the parent's origin, F at the body's, r = p_PB.
inline void add_shifted_force(const SpatialPair& F, const Vec3& r, Vec6& to) {
  (load_spatial(to.data()) + shift_force(F, r)).store(to.data());
}

}  // namespace stiction
