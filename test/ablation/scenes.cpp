#include "test/ablation/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "stiction/base/random.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction::ablation {
namespace {

const std::string bin = R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 10
step = 0.005
[method]
type = "cone"
[contact.default]
friction = 0.5
restitution = 0.2
[body.bin]
fixed = true
[body.bin.shape.floor]
type = "halfspace"
normal = [0, 0, 1]
[body.bin.shape.left]
type = "halfspace"
normal = [1, 0, 0]
[body.bin.shape.right]
type = "halfspace"
normal = [-1, 0, 0]
offset = -0.5
[body.bin.shape.front]
type = "halfspace"
normal = [0, 1, 0]
[body.bin.shape.back]
type = "halfspace"
normal = [0, -1, 0]
offset = -0.5
)";

std::string make_shape(const std::string& kind, Random& random) {
  const double a = random.uniform(0.03, 0.06), b = random.uniform(0.03, 0.06), c = random.uniform(0.03, 0.06);
  if (kind == "box") return fmt::format("{{ type = \"box\", size = [{:.4f}, {:.4f}, {:.4f}] }}", 2 * a, 2 * b, 2 * c);
  if (kind == "capsule")
    return fmt::format("{{ type = \"capsule\", radius = {:.4f}, length = {:.4f} }}", 0.5 * a, 2 * b);
  return fmt::format("{{ type = \"ellipsoid\", semi_axes = [{:.4f}, {:.4f}, {:.4f}] }}", a, b, c);
}

/// Bodies on a grid above the floor, turned at random, so far apart that none overlap.
std::string make_pile(const std::vector<std::string>& kinds, int count, std::uint64_t seed) {
  Random random(seed);
  std::string text = bin;
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "[body.b{}]\ndensity = 1000\nposition = [{}, {}, {:.4f}]\norientation = {{ axis = [{:.3f}, {:.3f}, 1], angle "
        "= {:.3f} }}\nshape = {}\n",
        i, i % 2 ? 0.37 : 0.13, i / 2 % 2 ? 0.37 : 0.13, 0.12 + 0.22 * (i / 4), random.uniform(-1, 1),
        random.uniform(-1, 1), random.uniform(0, 3),
        make_shape(kinds[static_cast<std::size_t>(i) % kinds.size()], random));
  }
  return text;
}

/// Four layers of four bricks at rest: more loaded contacts than MethodSettings::located_contacts.
std::string make_wall() {
  std::string text = bin;
  for (int i = 0; i < 16; ++i)
    text += fmt::format(
        "[body.b{}]\nmass = 1\nposition = [{:.4f}, 0.2, {:.4f}]\nshape = {{ type = \"box\", size = [0.08, 0.05, 0.04] "
        "}}\n",
        i, 0.05 + 0.0405 * (i / 4 % 2) + 0.081 * (i % 4), 0.02 + 0.04 * (i / 4));
  return text;
}

/// A ball of 10 mm at 60 m/s that would be through a tray of 2 mm, and on the floor, within one step.
std::string make_fast_ball() {
  return R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 10
step = 0.005
[method]
type = "cone"
[contact.default]
friction = 0.5
restitution = 0.5
[body.tray]
fixed = true
shape = { type = "box", size = [1, 1, 0.002] }
[body.ball]
mass = 0.1
position = [0, 0, 0.2]
velocity = [5, 0, -60]
shape = { type = "sphere", radius = 0.005 }
)";
}

/// A rod that hits obliquely, e = 0.5, mu = 1: Newton's law as it stands would create energy (Kane, Levinson 1985).
std::string make_oblique_rod() {
  return R"(
[world]
gravity = [0, -9.81, 0]
[time]
duration = 10
step = 0.001
[method]
type = "cone"
[contact.default]
friction = 1
restitution = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 1, 0] }
[body.rod]
planar = true
mass = 1
inertia = 0.002
position = [0, 0.35, 0]
velocity = [-2, -1, 0]
orientation = { axis = [0, 0, 1], angle = "45 deg" }
shape = { type = "capsule", axis = [1, 0, 0], length = 0.5, radius = 0.01 }
)";
}

/// Two links on a tree of joints that fall onto a floor: Coriolis forces, a damper, and an impact.
std::string make_arm() {
  return R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 10
step = 0.005
[method]
type = "cone"
[contact.default]
friction = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.upper]
density = 1000
position = [0, 0, 1]
shape = { type = "capsule", radius = 0.03, length = 0.5, position = [0.25, 0, 0], orientation = { axis = [0, 1, 0], angle = 1.5707963 } }
[body.lower]
density = 1000
shape = { type = "capsule", radius = 0.03, length = 0.5, position = [0.25, 0, 0], orientation = { axis = [0, 1, 0], angle = 1.5707963 } }
[joint.shoulder]
type = "revolute"
child = "upper"
at = [0, 0, 0.8]
axis = [0, 1, 0]
velocity = -4
[joint.elbow]
type = "revolute"
parent = "upper"
child = "lower"
at = [0.5, 0, 0]
axis = [0, 1, 0]
velocity = 9
)";
}

/// Boxes of 1, 10, ... 10,000 kg upon each other, the heaviest on top.
std::string make_tower() {
  std::string text = bin;
  double mass = 1;
  for (int i = 0; i < 5; ++i, mass *= 10)
    text += fmt::format(
        "[body.b{}]\nmass = {}\nposition = [0.15, 0.15, {}]\nshape = {{ type = \"box\", size = [0.1, 0.1, 0.1] }}\n", i,
        mass, 0.05 + 0.1 * i);
  return text;
}

/// A cylinder that falls between two planes at 20 degrees to the vertical, mu = 0.5: it wedges.
std::string make_wedge() {
  return R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 10
step = 0.005
[method]
type = "cone"
[contact.default]
friction = 0.5
[body.groove]
fixed = true
[body.groove.shape.left]
type = "halfspace"
normal = [0.9396926, 0, 0.3420201]
[body.groove.shape.right]
type = "halfspace"
normal = [-0.9396926, 0, 0.3420201]
[body.bar]
mass = 1
position = [0.01, 0, 0.5]
angular_velocity = [0, 3, 0.2]
shape = { type = "box", size = [0.1, 0.3, 0.08] }
)";
}

}  // namespace

std::vector<AblationScene> list_scenes(int most) {
  struct Example {
    const char* name;
    const char* method;  ///< instead of its own; "": its own
    int steps;
  };
  // Steps: to the end, or so many that a scene takes at most a few tenths of a second.
  const Example examples[] = {
      {"ball_in_bowl", "", 3000},
      {"billiard", "", 500},
      {"billiard", "anitescu_potra", 500},
      {"card_house", "", 300},
      {"cart", "", 1000},
      {"chain_over_cylinder", "", 600},
      {"conveyor", "", 1000},
      {"coulomb_box", "", 1000},
      {"coulomb_box", "stewart_trinkle", 1000},
      {"coulomb_box", "anitescu_potra", 1000},
      {"dominoes", "", 500},
      {"ellipsoids_collide", "", 1000},
      {"falling_rod", "", 1000},
      {"falling_rod", "stewart_trinkle", 1000},
      {"fingertips", "", 30},
      {"four_balls", "", 200},
      {"grasp", "", 1000},
      {"gripper", "", 1500},
      {"newtons_cradle", "", 100},
      {"peg_in_bore", "", 60},
      {"press", "", 2000},
      {"rattleback", "", 4000},
      {"recipe_4_2", "", 1000},
      {"recipe_4_4", "", 1000},
      {"rolling_disc", "", 1000},
      {"slide_into_wall", "", 800},
      {"slope_stick", "", 1000},
      {"soft_dice", "", 4000},
      {"tower", "", 300},
      {"wrench", "", 150},
  };
  std::vector<AblationScene> list;
  for (const auto& [name, method, steps] : examples) {
    const std::filesystem::path file = std::filesystem::path(STICTION_EXAMPLES) / (std::string(name) + ".toml");
    std::vector<std::string> changes;
    if (*method) changes.push_back(fmt::format("method.type=\"{}\"", method));
    list.push_back({*method ? fmt::format("{} by {}", name, method) : name, read_scene(load_scene_text(file, changes)),
                    std::min(most, steps)});
  }
  const auto add = [&](const std::string& name, const std::string& text, int steps) {
    list.push_back({name, read_scene(SceneText{{{name + ".toml", text}}, {}}), std::min(most, steps)});
  };
  add("pile of boxes", make_pile({"box"}, 12, 1), 60);
  add("pile of capsules", make_pile({"capsule"}, 12, 2), 100);
  add("pile of ellipsoids", make_pile({"ellipsoid"}, 12, 3), 100);
  add("mixed pile", make_pile({"box", "capsule", "ellipsoid"}, 24, 4), 60);
  add("wall", make_wall(), 20);
  add("masses to 10,000", make_tower(), 100);
  add("wedge", make_wedge(), 200);
  add("fast ball", make_fast_ball(), 20);
  add("oblique rod", make_oblique_rod(), 500);
  add("arm", make_arm(), 200);
  return list;
}

}  // namespace stiction::ablation
