#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "test/fuzz/physics/furnished_scene.h"
#include "test/fuzz/physics/scene_parts.h"

namespace stiction::fuzz {
namespace {

/// Keys of a joint with one coordinate: limits around its start, friction, a motor or a spring upon it.
std::string make_drive(Random& random, const std::string& name, bool turns, RandomScene& scene) {
  std::string text = fmt::format("velocity = {:.6f}\n", random.uniform(-1, 1) * (turns ? 5 : 1));
  if (random.index(2) == 0) {
    const double scale = turns ? 1 : 0.2, lower = -scale * random.uniform(0.01, 1),
                 upper = scale * random.uniform(0.01, 1);
    text += fmt::format("lower = {:.6f}\nupper = {:.6f}\n", lower, upper);
    scene.bounds.push_back({name + ".position", lower, upper});
  }
  if (random.index(3) == 0) text += fmt::format("friction = {:.6f}\n", std::pow(10, random.uniform(-3, 0)));
  if (random.index(3) == 0) text += fmt::format("viscous = {:.6f}\n", std::pow(10, random.uniform(-3, -1)));
  const int drive = random.index(4);
  if (drive == 0) {
    scene.has_input = true;
    text +=
        fmt::format("\n[motor.{0}]\njoint = \"{0}\"\nvelocity = {1:.6f}\nderivative = {2:.6f}\nlimit = {3:.6f}\n", name,
                    random.uniform(-3, 3), std::pow(10, random.uniform(-2, 1)), std::pow(10, random.uniform(-1, 1)));
  }
  if (drive == 1)
    text += fmt::format("\n[spring.{0}]\ntype = \"torsional\"\njoint = \"{0}\"\nstiffness = {1:.6f}\n", name,
                        std::pow(10, random.uniform(-1, 0.5)));
  return text;
}

std::string make_joint(Random& random, const std::string& name, RandomScene& scene) {
  switch (random.index(6)) {
    case 0:
      return "type = \"spherical\"\n";
    case 1:
      return fmt::format("type = \"universal\"\naxis = [0, 1, 0]\nvelocity = [{:.6f}, {:.6f}]\n", random.uniform(-5, 5),
                         random.uniform(-5, 5));
    case 2:
      return fmt::format("type = \"prismatic\"\naxis = {}\n", make_direction(random, 1)) +
             make_drive(random, name, false, scene);
    default:
      return fmt::format("type = \"revolute\"\naxis = {}\n", make_direction(random, 1)) +
             make_drive(random, name, true, scene);
  }
}

}  // namespace

RandomScene make_arm_scene(std::uint64_t seed, const std::string& method) {
  Random random(seed);
  RandomScene scene = begin_scene(random, seed, method);
  scene.text += "\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\" }\n";
  const int arms = 1 + random.index(2), links = 1 + random.index(3);
  const bool has_rows = random.index(3) == 0;
  for (int arm = 0; arm < arms; ++arm) {
    std::string parent = "world";
    // So high that the arm, stretched out, does not touch the floor at first; arms hang side by side.
    std::string at = format_vector(0, 0.5 * arm, random.uniform(0.1, 0.6));
    for (int i = 0; i < links; ++i) {
      const RandomShape shape = make_shape(random);
      note_shape(shape, scene.bodies.empty(), scene);
      const std::string body = fmt::format("body{}_{}", arm, i), joint = "j" + body;
      scene.bodies.push_back(body);
      scene.bounds.push_back({body + ".position.z", 0, 1e3});
      scene.text += fmt::format("\n[body.{}]\ndensity = {:.6g}\nshape = {}\n", body, std::pow(10, random.uniform(2, 4)),
                                shape.toml);
      scene.text += fmt::format("\n[joint.{}]\nparent = \"{}\"\nchild = \"{}\"\nat = {}\nchild_at = {}\n", joint,
                                parent, body, at, format_vector(-shape.radius - 0.01, 0, 0));
      scene.text += make_joint(random, joint, scene);
      if (i > 0) scene.text += fmt::format("\n[contact.\"{}/{}\"]\ntouch = false\n", parent, body);
      parent = body;
      at = format_vector(shape.radius + 0.01, 0, 0);
    }
  }
  add_laws(random, false, scene);
  end_scene(random, scene);
  if (has_rows) scene.text += "joints = \"constraint\"\n";
  return scene;
}

}  // namespace stiction::fuzz
