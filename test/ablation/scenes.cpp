#include "test/ablation/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "stiction/base/random.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

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

std::vector<AblationScene> list_scenes(int steps) {
  std::vector<AblationScene> list;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_EXAMPLES))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    Scene scene = read_scene(load_scene_text(file, {}));
    if (has_contact(scene.method.type) && !uses_integrator(scene.method.type) && file.stem() != "pile")
      list.push_back({file.stem().string(), std::move(scene), steps});
  }
  const auto add = [&](const std::string& name, const std::string& text) {
    list.push_back({name, read_scene(SceneText{{{name + ".toml", text}}, {}}), steps});
  };
  add("pile of boxes", make_pile({"box"}, 12, 1));
  add("pile of capsules", make_pile({"capsule"}, 12, 2));
  add("pile of ellipsoids", make_pile({"ellipsoid"}, 12, 3));
  add("mixed pile", make_pile({"box", "capsule", "ellipsoid"}, 24, 4));
  add("masses to 10,000", make_tower());
  add("wedge", make_wedge());
  return list;
}

}  // namespace stiction::ablation
