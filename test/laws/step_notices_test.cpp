// What `stiction check` says of fixed explicit steps and of tolerances, against closed forms and against what such
// steps do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/contact/damping_factor.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"

#include "support/examples.h"

namespace stiction {
namespace {

bool warns_of_step(const Scene& scene) {
  for (const std::string& warning : list_warnings(scene, compile(scene)))
    if (warning.find("needs steps below") != std::string::npos) return true;
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

// Dry friction F of a bushing: at rest it is damping of rate 3/2 F / (m v_eps) = 1e4 1/s. Beyond the bound, by 5 %, a
// body does not come to rest: with steps of first order r = v / v_eps ends up changing its sign in every step, 2 r =
// (h F / (m v_eps)) (3/2 r - 1/2 r^3), that is r^2 = 3 (1 - 1/1.05). `cone` takes the mean velocity of the step, and
// knows no bound.
TEST(StepNotices, FrictionOfABushingAndItsBound) {
  for (const auto& [method, bound] :
       {std::pair{"type = \"smooth\"\nintegrator = \"semi_implicit_euler\"", 2.0},
        std::pair{"type = \"smooth\"\nintegrator = \"rk4\"", 2.785}, std::pair{"type = \"cone\"", 0.0},
        std::pair{"type = \"stewart_trinkle\"", 2.0}}) {
    for (const double share : {0.95, 1.05}) {
      const bool is_bound = bound > 0;
      const double step = share * (is_bound ? bound : 2) * 1e-4, tolerance = 1.5e-4;
      const Scene scene = read_text_scene(fmt::format(
          "[world]\ngravity = [0, 0, 0]\n[time]\nduration = {}\nstep = {}\n[method]\n{}\n[body.mass]\nmass = "
          "2\nshape = {{ type = \"sphere\", radius = 0.1 }}\n[joint.rail]\ntype = \"prismatic\"\nchild = "
          "\"mass\"\naxis = [1, 0, 0]\nvelocity = {}\n[spring.drag]\ntype = \"bushing\"\nb = "
          "\"mass\"\nstiffness_matrix = [0, 0, 0, 0, 0, 0]\nfriction = [0, 0, 0, 2, 0, 0]\ntolerance_velocity = {}\n",
          1000 * step, step, method, 0.5 * tolerance, tolerance));
      EXPECT_EQ(warns_of_step(scene), is_bound && share > 1) << method;
      const double r = std::abs(simulate(scene).signal("mass.velocity.x").back()) / tolerance;
      if (share < 1 || !is_bound) {
        EXPECT_LT(r, 1e-6) << method;
      } else if (bound == 2) {
        EXPECT_NEAR(r, std::sqrt(3 * (1 - 1 / 1.05)), 1e-3) << method;
      } else {
        EXPECT_GT(r, 0.01) << method;
      }
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

// A block on a slope of 15 degrees, which takes tan 15 / 0.5 = 0.54 of the friction that holds it. The warning begins
// at 0.15 of the smaller of v_S and mu_S / sigma_1 (for CVODE, which holds itself to a hundredth, a hundred times
// that): up to there the block stays where it is, and with five times that smaller speed it slides.
TEST(ToleranceNotices, WarnsBeforeABlockSlides) {
  struct Case {
    const char *integrator, *bristles;
    double speed, strictness;
    bool damps = false;
  };
  for (const Case& c : {Case{"dormand_prince", "damping=45, stribeck_velocity=0.1", 0.5 / 45, 1},
                        Case{"dormand_prince", "damping=450, stribeck_velocity=0.001", 1e-3, 1},
                        Case{"cvode_adams", "damping=450, stribeck_velocity=0.001", 1e-3, 0.01},
                        Case{"cvode_bdf", "damping=450, stribeck_velocity=0.001", 1e-3, 0.01, true}}) {
    for (const double part : {0.15 * 0.99, 0.15 * 1.01, 5.0}) {
      const Scene scene = test::load_example(
          "block_on_slope", {"time.duration=3", "method.integrator=" + std::string(c.integrator),
                             fmt::format("method.absolute_tolerance={}", part * c.speed / c.strictness),
                             fmt::format("contact.\"block/slope\".friction={{law=\"bristle\", static=0.5, kinetic=0.4, "
                                         "stiffness=5e3, {}}}",
                                         c.bristles)});
      bool warned = false;
      for (const std::string& warning : list_warnings(scene, compile(scene)))
        warned = warned || warning.find("does not hold with method.absolute_tolerance") != std::string::npos;
      EXPECT_EQ(warned, part > 0.15) << c.integrator << " " << part;
      // On both sides of the warning the motion is the same; one of them is enough.
      if (warned && part < 1) continue;
      const RunResult run = simulate(scene);
      const auto& x = run.signal("block.position.x");
      const double moved = std::abs(x.back() - x[x.size() / 3]);
      if (part < 1) {
        EXPECT_LT(moved, 2e-5) << c.integrator << " " << part;  // a fifth of presliding
      } else if (!c.damps) {
        EXPECT_GT(moved, 1e-4) << c.integrator << " " << part;
      }
    }
  }
}

// Scenes are warned where they would go wrong, and no example as it stands.
TEST(StepNotices, Examples) {
  for (const std::string& name : test::compliant_example_names())
    EXPECT_FALSE(warns_of_step(test::load_example(name))) << name;
  // Table 5.1 of gonthier-thesis-2007 lets bristles feed energy (docs/compliant.md).
  for (const std::string& name : test::example_names()) {
    const Scene scene = test::load_example(name);
    const bool warned = name == "stick_slip";
    EXPECT_EQ(list_warnings(scene, compile(scene)).size(), warned ? 1u : 0u) << name;
  }
  EXPECT_TRUE(warns_of_step(test::load_example("pinch", {"method.integrator=semi_implicit_euler"})));
  EXPECT_FALSE(warns_of_step(test::load_example("arm_on_plate", {})));
}

// A tower of n boxes has 4 n points of contact, each with 10 unknowns in a dense problem: 400 for ten boxes, whose
// elimination takes 400^3 / 3 = 2e7 operations, some milliseconds.
TEST(SizeNotices, DenseProblemsOfManyBodies) {
  for (const std::string method : {"cone", "stewart_trinkle", "anitescu_potra"}) {
    for (const int boxes : {10, 11}) {
      const Scene scene = read_text_scene(fmt::format(
          "[method]\ntype = \"{}\"\n[time]\nduration = 1\nstep = 1e-3\n[contact.default]\nfriction = 0.5\n"
          "restitution = 0\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] }}\n"
          "[body.box]\nmass = 1\nposition = [0, 0, 0.05]\nshape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n"
          "copies = {{ count = [1, 1, {}], spacing = [1, 1, 0.1] }}\n",
          method, boxes));
      bool told = false;
      for (const Notice& notice : list_notices(scene, compile(scene)))
        told = told || notice.text.find("cube of the number of contacts") != std::string::npos;
      EXPECT_EQ(told, method != "cone" && boxes > 10) << method << boxes;
    }
  }
}

// The tip of a cantilever along x, L = 1, E I = 1: 12, 6 and 4. Its centre is half the length behind.
TEST(SpringNotices, ASpatialSpringTellsItsCentre) {
  const Scene scene = read_text_scene(
      "[method]\ntype = \"smooth\"\n[time]\nduration = 1\nstep = 1e-3\n[body.block]\nmass = 1\ninertia = 1\n"
      "[spring.beam]\ntype = \"spatial\"\nb = \"block\"\nstiffness_matrix = [[1, 0, 0, 0, 0, 0], [0, 4, 0, 0, 0, 6], "
      "[0, 0, 4, 0, -6, 0], [0, 0, 0, 1, 0, 0], [0, 0, -6, 0, 12, 0], [0, 6, 0, 0, 0, 12]]\n");
  bool told = false;
  for (const Notice& notice : list_notices(scene, compile(scene)))
    told =
        told || notice.text.find("its centre of stiffness is at [-0.5, 0, 0] m from its points") != std::string::npos;
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace stiction
