#pragma once

#include <vector>

#include "stiction/math/vector.h"
#include "stiction/multibody/coordinate_ref.h"

namespace stiction {

struct System;

/// Mean forces of a step of a rigid formulation that are no elements of the system: those of contacts, and of limits
/// and friction of joints.
struct StepLoads {
  struct OnBody {
    int body = 0;
    Vec3 point = Vec3::Zero(), force = Vec3::Zero(), moment = Vec3::Zero();  ///< world axes [m, N, N m]
  };
  struct OnCoordinate {
    CoordinateRef coordinate;
    double force = 0;  ///< [N, N m]
  };
  std::vector<OnBody> on_bodies;
  std::vector<OnCoordinate> on_coordinates;
};

/// on_coordinates: as z has them (NamedJoint::row_force_start). Nothing allocates once it has been there before.
void list_coordinate_loads(const System& system, const VecX& z, StepLoads& loads);

}  // namespace stiction
