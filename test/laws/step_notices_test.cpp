// What `stiction check` says of fixed explicit steps, against closed forms and against what such steps do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/contact/damping_factor.h"
#include "stiction/scene/compile.h"

#include "support/examples.h"

namespace stiction {
namespace {

bool warns_of_step(const Scene& scene) {
  for (const std::string& notice : list_notices(scene, compile(scene)))
    if (notice.find("needs steps below") != std::string::npos) return true;
  return false;
}

Scene read_text_scene(const std::string& text) {
  SceneText scene;
  scene.files.push_back({"step.toml", text});
  return read_scene(scene);
}

// A damper of rate c/m = 1e4 1/s: steps are stable up to 2 / rate (methods of first and second order), 2.785 / rate
// (rk4): Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, IV.2. Each side of the bound is run.
TEST(StepNotices, ADamperAndItsBound) {
  for (const auto& [integrator, bound] : {std::pair{"semi_implicit_euler", 2.0}, std::pair{"rk4", 2.785}}) {
    for (const double share : {0.95, 1.05}) {
      const double step = share * bound * 1e-4;
      const Scene scene = read_text_scene(fmt::format(
          "[world]\ngravity = [0, 0, 0]\n[time]\nduration = {}\nstep = {}\n[method]\ntype = \"smooth\"\nintegrator = "
          "\"{}\"\n[body.mass]\nmass = 0.1\nshape = {{ type = \"sphere\", radius = 0.1 }}\n[joint.rail]\ntype = "
          "\"prismatic\"\nchild = \"mass\"\naxis = [1, 0, 0]\nposition = 0.2\nvelocity = 1\n[spring.damper]\ntype = "
          "\"linear\"\na = \"world\"\nat_a = [-1, 0, 0]\nb = \"mass\"\nstiffness = 0\nrest_length = 1\ndamping = "
          "1000\n",
          400 * step, step, integrator));
      EXPECT_EQ(warns_of_step(scene), share > 1) << integrator;
      const RunResult run = simulate(scene);
      EXPECT_EQ(std::abs(run.signal("mass.velocity.x").back()) > 1, share > 1) << integrator;
    }
  }
}

// A ball that falls on a plane: f_n a / m = g d / (e v_small) for the normal damping, f_n sigma_1 (1/m + r^2/I) =
// 3.5 g sigma_1 for the bristles of a ball.
TEST(StepNotices, ContactsAtRest) {
  const double normal_rate = 9.81 * calc_damping_factor(0.5) / (0.5 * 1e-3), bristle_rate = 3.5 * 9.81 * 100;
  const auto make = [](double step, const std::string& friction) {
    return read_text_scene(fmt::format(
        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 1\nstep = {}\n[method]\ntype = \"compliant\"\nintegrator "
        "= \"semi_implicit_euler\"\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] "
        "}}\n[body.ball]\nmass = 2\nposition = [0, 0, 1]\nshape = {{ type = \"sphere\", radius = 0.1 "
        "}}\n[contact.default]\nnormal = {{ law = \"hertz\", stiffness = 1e6, restitution = {}, small_velocity = 1e-3 "
        "}}\nfriction = {}\n",
        step, friction == "0" ? 0.5 : 1.0, friction));
  };
  EXPECT_FALSE(warns_of_step(make(0.99 * 2 / normal_rate, "0")));
  EXPECT_TRUE(warns_of_step(make(1.01 * 2 / normal_rate, "0")));
  const std::string bristle =
      "{ law = \"bristle\", static = 0.5, kinetic = 0.5, stiffness = 5e3, damping = 100, stribeck_velocity = 0.1 }";
  EXPECT_FALSE(warns_of_step(make(0.99 * 2 / bristle_rate, bristle)));
  EXPECT_TRUE(warns_of_step(make(1.01 * 2 / bristle_rate, bristle)));
}

// Scenes are warned where they would go wrong, and no example as it stands.
TEST(StepNotices, Examples) {
  for (const std::string& name : test::compliant_example_names())
    EXPECT_FALSE(warns_of_step(test::load_example(name))) << name;
  EXPECT_TRUE(warns_of_step(test::load_example("pinch", {"method.integrator=semi_implicit_euler"})));
  EXPECT_TRUE(warns_of_step(test::load_example("arm_on_plate", {"method.integrator=rk4"})));
}

}  // namespace
}  // namespace stiction
