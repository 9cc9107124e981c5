// Hertz' stiffness of real shapes: curvatures found where they touch.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/contact_core.h"
#include "stiction/contact/hertz_stiffness.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double crossed_E_star = 1e11;

/// Stiffness by which the core lets two shapes touch: the lower along x at the origin, the upper along x turned by
/// `angle` about z, `radii` apart less 1 um.
double find_stiffness(const Shape& lower, const Shape& upper, double radii, double angle) {
  NormalPower law;
  law.effective_modulus = crossed_E_star;
  const ContactPair pair{lower, upper, {law, FrictionNone{}}};
  ContactBody a, b;
  b.X_WS.R = make_rotation_z(angle);
  b.X_WS.p = Vec3(0, 0, radii - 1e-6);
  ContactState state;
  EXPECT_TRUE(update_contact(pair, a, b, state));
  return state.get<NormalPower>().stiffness;
}

// Johnson, Contact Mechanics, section 4.1: of cylinders crossed at an angle w the relative curvatures are A', B' with
// A' + B' = 1/R1 + 1/R2 and (B' - A')^2 = 1/R1^2 + 1/R2^2 + 2 cos 2w / (R1 R2). The stiffness of given curvatures is
// tested against mpmath in normal_law_test.cpp.
TEST(HertzStiffness, RealCylindersCrossedAtAnyAngle) {
  const Vec3 x = Vec3::UnitX();
  for (const double R2 : {0.01, 0.03}) {
    const double R1 = 0.01;
    for (const double degrees : {30.0, 45.0, 60.0, 90.0}) {
      const double w = degrees * std::numbers::pi / 180, sum = 1 / R1 + 1 / R2;
      const double difference = std::sqrt(1 / (R1 * R1) + 1 / (R2 * R2) + 2 * std::cos(2 * w) / (R1 * R2));
      const double k = calc_hertz_stiffness(crossed_E_star, 0.5 * (sum - difference), 0.5 * (sum + difference));
      EXPECT_NEAR(find_stiffness(Cylinder{R1, 1, x}, Cylinder{R2, 1, x}, R1 + R2, w) / k, 1, 1e-9) << degrees;
      EXPECT_NEAR(find_stiffness(Capsule{R1, 1, x}, Capsule{R2, 1, x}, R1 + R2, w) / k, 1, 1e-9) << degrees;
      EXPECT_NEAR(find_stiffness(Cylinder{R1, 1, x}, Capsule{R2, 1, x}, R1 + R2, w) / k, 1, 1e-9) << degrees;
    }
  }
  // Equal ones at right angles: as a sphere of that radius on a plane, 4/3 E* sqrt(R).
  const double k = 4.0 / 3 * crossed_E_star * std::sqrt(0.01);
  EXPECT_NEAR(find_stiffness(Cylinder{0.01, 1, x}, Cylinder{0.01, 1, x}, 0.02, std::numbers::pi / 2) / k, 1, 1e-9);
  EXPECT_NEAR(find_stiffness(HalfSpace{}, Sphere{0.01}, 0.01, 0) / k, 1, 1e-9);
}

}  // namespace
}  // namespace stiction
