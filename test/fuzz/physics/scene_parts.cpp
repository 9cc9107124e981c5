#include "test/fuzz/physics/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stiction::fuzz {
namespace {

constexpr double least_density = 10;  // [kg/m^3]

/// Friction and restitution as lines of a contact table.
std::string make_law(Random& random, const RandomScene& scene) {
  const double mu = pick(random, std::array{0.0, 0.1, 0.3, 0.6, 1.0});
  const double e = pick(random, std::array{0.0, 0.0, 0.3, 0.5, 0.9, 1.0});
  // Friction ellipses and moments of spin by the exact cone.
  const int kind = mu == 0 ? 0 : random.index(scene.method == "cone" ? 5 : 3);
  std::string text = kind == 1
                         ? fmt::format("friction = {{ law = \"coulomb\", static = {}, kinetic = {} }}\n", 1.3 * mu, mu)
                         : fmt::format("friction = {}\n", mu);
  if (kind == 3) text += fmt::format("ellipse = [1, {:.3f}]\n", random.uniform(0.3, 2));
  if (kind == 4) text += fmt::format("ellipse = [1, 1, {:.4f}]\n", random.uniform(0.001, 0.03));
  if (kind >= 3) text += "direction = [1, 0, 0]\n";
  if (random.index(5) == 0) return text + fmt::format("restitution_slope = {:.3f}\n", random.uniform(0.01, 0.2));
  return text + fmt::format("restitution = {}\nhypothesis = \"{}\"\n", e,
                            pick(random, std::array{"newton", "poisson", "stronge"}));
}

}  // namespace

RandomScene begin_scene(Random& random, std::uint64_t seed, const std::string& method) {
  RandomScene scene;
  scene.method = method;
  scene.step = pick(random, std::array{1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2});
  constexpr int most_steps = 400;
  scene.text = fmt::format(
      "title = \"Random scene {0}\"\n\n[world]\ngravity = [0, 0, -9.81]\n\n[time]\nduration = {1}\nstep = {2}\noutput "
      "= {2}\n",
      seed, std::min(1.0, most_steps * scene.step), scene.step);
  return scene;
}

void end_scene(Random& random, RandomScene& scene) {
  scene.text += fmt::format("\n[method]\ntype = \"{}\"\n", scene.method);
  if (random.index(6) == 0) scene.text += "sleep = 0.05\n";
}

double make_density(Random& random) {
  return std::pow(10, random.uniform(1, 5));
}

void note_shape(const RandomShape& shape, bool is_first, RandomScene& scene) {
  scene.smallest = is_first ? shape.smallest : std::min(scene.smallest, shape.smallest);
  scene.largest = std::max(scene.largest, shape.radius);
}

void add_springs(Random& random, RandomScene& scene) {
  const double mass = least_density * 4.2 * std::pow(scene.smallest, 3);
  const double most = std::min(100.0, 0.1 / scene.step);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double w = random.uniform(0.1, 1) * most, damping = random.index(2) == 0 ? 0 : random.uniform(0, 0.5);
    const bool is_bound = i > 0 && random.index(2) == 0;
    scene.text +=
        fmt::format("\n[spring.spring{}]\na = \"{}\"\nb = \"{}\"\nstiffness = {:.6g}\ndamping = {:.6g}\n", i,
                    is_bound ? scene.bodies[i - 1] : "world", scene.bodies[i], mass * w * w, damping * mass * w);
    // A spring at its natural length; the body's origin is not at that of the world.
    if (!is_bound) scene.text += fmt::format("at_a = {}\n", make_direction(random, 1));
  }
}

void add_laws(Random& random, bool has_materials, RandomScene& scene) {
  scene.text += "\n[contact.default]\n" + make_law(random, scene);
  if (!has_materials) return;
  scene.text += "\n[material.steel]\n[material.rubber]\n";
  scene.text += "\n[contact.\"steel/rubber\"]\n" + make_law(random, scene);
  scene.text += "\n[contact.\"rubber/rubber\"]\n" + make_law(random, scene);
}

}  // namespace stiction::fuzz
