// Mass properties as compiled from what a scene says of them.
#include <gtest/gtest.h>

#include "stiction/multibody/dynamics.h"
#include "stiction/scene/compile/compile.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

/// Angular momentum about the world's z axis at the start.
double calc_spin(const std::string& text) {
  const System system = compile(read_text(text));
  Kinematics kinematics(system);
  update_positions(system, system.initial.q, kinematics);
  update_velocities(system, system.initial.v, kinematics);
  return calc_momentum(system, kinematics)[2];
}

// L = J w about z, J = 0.3 kg m^2 and w = 2 rad/s as written, however the body is turned.
TEST(PlanarInertia, is_about_the_worlds_z_however_the_body_is_turned) {
  const std::string body = "[body.a]\nplanar = true\nmass = 1\ninertia = 0.3\nangular_velocity = [0, 0, 2]\n";
  EXPECT_NEAR(calc_spin(body), 0.6, 1e-15);
  EXPECT_NEAR(calc_spin(body + "orientation = { axis = [1, 0, 0], angle = \"90 deg\" }\n"), 0.6, 1e-15);
  EXPECT_NEAR(calc_spin(body + "orientation = { axis = [1, 2, 3], angle = \"40 deg\" }\n"), 0.6, 1e-15);
}

// A cross of two beams, 1 x 0.2 x 0.1 and 0.2 x 1 x 0.1: the square in the middle counts once. J_z of the first,
// m (l^2 + b^2)/12 with 20 kg, and of two ends of 0.2 x 0.4, 8 kg each, 0.3 m from the middle.
TEST(OverlappingParts, count_once) {
  const std::string cross =
      "[body.a]\ndensity = 1000\nangular_velocity = [0, 0, 2]\n"
      "[body.a.shape.along]\ntype = \"box\"\nsize = [1, 0.2, 0.1]\n"
      "[body.a.shape.across]\ntype = \"box\"\nsize = [0.2, 1, 0.1]\n";
  const double J = 20 * (1 + 0.04) / 12 + 2 * (8 * (0.04 + 0.16) / 12 + 8 * 0.09);
  EXPECT_NEAR(calc_spin(cross), 2 * J, 1e-9);
}

}  // namespace
}  // namespace stiction
