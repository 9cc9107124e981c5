// The energy of bristles under a load that changes: their stiffness is proportional to it.
#include <gtest/gtest.h>

#include "stiction/contact/friction_bristle.h"

namespace stiction {
namespace {

// Deflected to z under a load f_1 and let back under f_2, bristles take f_1 sigma_0 z^2 / 2 and give f_2 sigma_0 z^2 /
// 2: what is left is (f_1 - f_2) sigma_0 z^2 / 2, below zero where they gave back more than they took.
TEST(FrictionBristle, EnergyOfAChangingLoad) {
  const FrictionBristle law{.static_coefficient = 0.5,
                            .kinetic = 0.4,
                            .stiffness = 5e3,
                            .damping = 50,
                            .viscous = 0,
                            .stribeck_velocity = 0.1,
                            .dwell_time = 0.1,
                            .tolerance = 1e-3};
  const double z = 2e-5, speed = 1e-9;
  // s = exp(-1e-16): the bristles follow the bodies but for (1 - s) sigma_0 / sigma_1 = 1e-14 1/s, in 4e4 s 4e-10.
  for (const auto& [f_1, f_2] : {std::pair{10.0, 30.0}, std::pair{30.0, 10.0}, std::pair{20.0, 20.0}}) {
    FrictionBristle::Memory memory;
    memory.dwell = 1;
    const int n = 1000;
    const double h = z / speed / n;
    for (int i = 0; i < 2 * n; ++i) {
      const bool out = i < n;
      const Slip slip{out ? f_1 : f_2, Vec3(out ? speed : -speed, 0, 0), 0};
      // The midpoint rule is exact here: the power grows linearly.
      FrictionBristle::Memory middle = memory;
      middle.deflection += 0.5 * h * law.respond(slip, memory).rate.deflection;
      const auto response = law.respond(slip, middle);
      EXPECT_GE(response.dissipated, 0);
      memory.deflection += h * response.rate.deflection;
      memory.energy += h * response.rate.energy;
    }
    EXPECT_NEAR(memory.deflection.x() / z, 0, 1e-9);
    EXPECT_NEAR(memory.energy, (f_1 - f_2) * 5e3 * z * z / 2, 1e-9 * f_1 * 5e3 * z * z);
  }
}

}  // namespace
}  // namespace stiction
