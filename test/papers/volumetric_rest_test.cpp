// Bodies that lie and stand on a plane are quiet: the force is their weight.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/compliant.h"
#include "support/examples.h"

namespace stiction {
namespace {

using test::earth_gravity;

struct Resting {
  const char* name;
  const char* shape;
  double height;    ///< it just touches
  double duration;  ///< [s]; round bodies come to rest more slowly than flat ones
};

std::string make_rest(const std::string& method, const Resting& body) {
  return fmt::format(
      "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = {}\nstep = 1e-4\noutput = {}\n[method]\ntype = "
      "\"compliant\"\n{}\n[body.plane]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] }}\n"
      "[body.thing]\nmass = 1\nposition = [0, 0, {}]\nshape = {{ {} }}\n[contact.\"thing/plane\"]\nfriction = 0.3\n"
      "normal = {{ law = \"volume\", stiffness = 1e9, restitution = 0.5, accuracy = 1e-10 }}\n",
      body.duration, body.duration / 20, method, body.height, body.shape);
}

class EveryRestingBody : public testing::TestWithParam<Resting> {};
INSTANTIATE_TEST_SUITE_P(
    Bodies, EveryRestingBody,
    testing::Values(Resting{"box", "type = \"box\", size = [0.1, 0.08, 0.06]", 0.03, 0.3},
                    Resting{"standing_cylinder", "type = \"cylinder\", radius = 0.05, length = 0.1", 0.05, 0.3},
                    Resting{"lying_cylinder", "type = \"cylinder\", radius = 0.05, length = 0.1, axis = [0, 1, 0]",
                            0.05, 1},
                    Resting{"cone", "type = \"cone\", radius = 0.05, height = 0.1", 0, 0.3},
                    Resting{"torus", "type = \"torus\", radius = 0.05, tube_radius = 0.02", 0.02, 1},
                    Resting{"capsule", "type = \"capsule\", radius = 0.05, length = 0.1, axis = [1, 0, 0]", 0.05, 1}),
    [](const auto& body) { return body.param.name; });

// It falls by its depth of rest, microns, and has come to rest to rounding long before the end: the damping of bodies
// at rest has a rate of 1e4 1/s. Point contact's deepest point jumps about under such bodies.
TEST_P(EveryRestingBody, BearsItsWeight) {
  const Resting& body = GetParam();
  const auto run = [&](const std::string& method) {
    const RunResult result = test::run_text(body.name, make_rest(method, body));
    ASSERT_EQ(result.summary.status, RunStatus::completed) << result.summary.message;
    const auto& force = result.signal("contact.thing/plane.force");
    for (std::size_t i = force.size() - 5; i < force.size(); ++i)
      EXPECT_NEAR(force[i] / earth_gravity, 1, 1e-9) << method << " " << result.times[i];
    for (const char* axis : {"x", "y", "z"}) {
      EXPECT_NEAR(result.signal(std::string("contact.thing/plane.moment.") + axis).back(), 0, 1e-9);
      EXPECT_NEAR(result.signal(std::string("thing.velocity.") + axis).back(), 0, 1e-12);
    }
  };
  run("integrator = \"cvode_bdf\"\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-12");
  run("integrator = \"rk4\"");
}

}  // namespace
}  // namespace stiction
