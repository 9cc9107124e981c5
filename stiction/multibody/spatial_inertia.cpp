#include "stiction/multibody/spatial_inertia.h"

namespace stiction {

RigidInertia make_rigid_inertia(const MassProperties& properties) {
  const Vec3& c = properties.com;
  // Parallel-axis theorem.
  const Mat3 J = properties.inertia + properties.mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  return {properties.mass, properties.mass * c, J};
}

}  // namespace stiction
