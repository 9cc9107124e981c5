#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "test/fuzz/physics/furnished_scene.h"
#include "test/fuzz/physics/scene_parts.h"

namespace stiction::fuzz {

RandomScene make_bore_scene(std::uint64_t seed, const std::string& method) {
  Random random(seed);
  RandomScene scene = begin_scene(random, seed, method);
  const double radius = 1e-3 * (5 + random.index(46)), clearance = radius * std::pow(10, random.uniform(-3.3, -1.7)),
               half = radius * random.uniform(1, 5), bore = radius + clearance;
  const bool is_capsule = random.index(3) == 0, is_cell = random.index(2) == 0;
  scene.bodies = {"peg"};
  scene.smallest = std::min(radius, half);
  scene.largest = half + radius;
  // A block that is longer than any way the peg can go, with a bore along z.
  const double w = 2 * bore;
  scene.text += "\n[body.block]\nfixed = true\n[body.block.shape]\n";
  if (is_cell) {
    scene.text += "type = \"cell\"\nsurfaces = [\n";
    for (const char* normal : {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]"})
      scene.text += fmt::format("  {{ type = \"plane\", normal = {}, offset = {:.6f} }},\n", normal, w);
    scene.text += fmt::format(
        "  {{ type = \"plane\", normal = [0, 0, 1], offset = 0.3 }},\n  {{ type = \"plane\", normal = [0, 0, -1], "
        "offset "
        "= 0.3 }},\n  {{ type = \"cylinder\", radius = {:.9f}, axis = [0, 0, 1], outside = true }},\n]\n",
        bore);
    // Beyond the ends of the block a peg is free.
    scene.bounds = {{"peg.position.z", -1e3, 1e3}};
  } else {
    scene.text += fmt::format("type = \"hollow_cylinder\"\nradius = {:.9f}\n", bore);
    scene.bounds = {{"peg.position.x", -bore, bore}, {"peg.position.y", -bore, bore}};
  }
  const double tilt = random.uniform(0, 0.5) * clearance / half, turn = random.uniform(0, 6.283185307179586);
  scene.text += fmt::format(
      "\n[body.peg]\ndensity = {:.6g}\norientation = {{ axis = {}, angle = {:.9f} }}\nvelocity = [0, 0, {:.6f}]\n"
      "angular_velocity = [0, 0, {:.6f}]\nshape = {{ type = \"{}\", radius = {:.9f}, length = {:.9f} }}\n",
      make_density(random), format_vector(std::cos(turn), std::sin(turn), 0), tilt, random.uniform(-0.5, 0.5),
      random.index(2) == 0 ? 0 : random.uniform(-20, 20), is_capsule ? "capsule" : "cylinder", radius, 2 * half);
  if (random.index(2) == 0) {
    // As large as its weight if it were of water, at half of its length.
    const double weight = 1000 * 9.81 * 6.3 * radius * radius * half;
    scene.has_input = true;
    scene.text += fmt::format("\n[force.push]\nbody = \"peg\"\nforce = {}\ntorque = {}\n",
                              make_direction(random, weight * random.uniform(0, 2)),
                              make_direction(random, weight * half * random.uniform(0, 2)));
  }
  add_laws(random, false, scene);
  end_scene(random, scene);
  return scene;
}

}  // namespace stiction::fuzz
