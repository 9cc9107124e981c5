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

}  // namespace
}  // namespace stiction
