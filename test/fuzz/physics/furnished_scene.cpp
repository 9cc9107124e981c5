#include "test/fuzz/physics/furnished_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "test/fuzz/physics/random_shapes.h"
#include "test/fuzz/physics/scene_parts.h"

namespace stiction::fuzz {
namespace {

/// Bodies stand in a row along x, from 0 to `length`, in balls that do not touch.
struct Row {
  double length = 0, lift = 0;  ///< lift: of all centres [m]
  double largest = 0;           ///< radius of a ball around any body [m]
};

void bound_all(RandomScene& scene, const char* axis, double lower, double upper) {
  for (const std::string& body : scene.bodies) scene.bounds.push_back({body + ".position." + axis, lower, upper});
}

void add_plane(const char* name, const std::string& normal, double offset, RandomScene& scene) {
  scene.text +=
      fmt::format("\n[body.{}]\nfixed = true\nshape = {{ type = \"halfspace\", normal = {}, offset = {:.6f} }}\n", name,
                  normal, offset);
}

void add_room(const Row& row, RandomScene& scene) {
  const double y = row.largest + 0.1;
  add_plane("left", "[1, 0, 0]", -0.1, scene);
  add_plane("right", "[-1, 0, 0]", -row.length - 0.1, scene);
  add_plane("front", "[0, 1, 0]", -y, scene);
  add_plane("back", "[0, -1, 0]", -y, scene);
  add_plane("floor", "[0, 0, 1]", 0, scene);
  bound_all(scene, "x", -0.1, row.length + 0.1);
  bound_all(scene, "y", -y, y);
  bound_all(scene, "z", 0, 1e3);
}

void add_surroundings(Random& random, const Row& row, RandomScene& scene) {
  const double middle = 0.5 * row.length;
  switch (random.index(7)) {
    case 0:
      add_plane("floor", "[0, 0, 1]", 0, scene);
      return bound_all(scene, "z", 0, 1e3);
    case 1:
      scene.has_input = true;
      scene.text += fmt::format(
          "\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", surface_velocity = [{{ sine = {{ amplitude = "
          "{:.3f}, frequency = {:.3f} }} }}, 0, 0] }}\n",
          random.uniform(0, 2), random.uniform(0.5, 10));
      return bound_all(scene, "z", 0, 1e3);
    case 2: {
      // Accelerations of 0.1 to 3 g: bodies stay on it, or are thrown.
      scene.has_input = true;
      const double frequency = random.uniform(1, 20), w = 6.283185307179586 * frequency,
                   amplitude = 9.81 * std::pow(10, random.uniform(-1, 0.5)) / (w * w);
      const int axis = random.index(3);
      std::array<std::string, 3> place = {"0", "0", "-0.05"};
      place[static_cast<std::size_t>(axis)] =
          fmt::format("{{ sine = {{ amplitude = {:.6f}, frequency = {:.3f}, offset = {} }} }}", amplitude, frequency,
                      axis == 2 ? -0.05 : 0.0);
      scene.text += fmt::format(
          "\n[body.floor]\nshape = {{ type = \"box\", size = [200, 200, 0.1] }}\nmotion = {{ position = [{}, {}, {}] "
          "}}\n",
          place[0], place[1], place[2]);
      return bound_all(scene, "z", axis == 2 ? -amplitude : 0, 1e3);
    }
    case 3:
      return add_room(row, scene);
    case 4: {
      const double radius = row.largest + 0.05;
      scene.text += fmt::format(
          "\n[body.floor]\nfixed = true\nposition = [0, 0, {:.6f}]\nshape = {{ type = \"hollow_cylinder\", axis = [1, "
          "0, "
          "0], radius = {:.6f} }}\n",
          row.lift, radius);
      bound_all(scene, "y", -radius, radius);
      return bound_all(scene, "z", row.lift - radius, row.lift + radius);
    }
    case 5: {
      const double radius = middle + 0.1;
      scene.text += fmt::format(
          "\n[body.floor]\nfixed = true\nposition = [{:.6f}, 0, {:.6f}]\nshape = {{ type = \"hollow_sphere\", radius = "
          "{:.6f} }}\n",
          middle, row.lift, radius);
      bound_all(scene, "x", middle - radius, middle + radius);
      return bound_all(scene, "z", row.lift - radius, row.lift + radius);
    }
    default:
      add_plane("floor", "[0, 0, 1]", 0, scene);
      scene.text += fmt::format(
          "\n[body.wall]\nfixed = true\nposition = [{:.6f}, 0, 0]\nshape = {{ type = \"box\", size = [0.002, 400, 400] "
          "}}\n",
          row.length + 0.1);
      bound_all(scene, "x", -1e3, row.length + 0.1);
      return bound_all(scene, "z", 0, 1e3);
  }
}

/// A ball on a given path, or a ram on a slide with a motor, pushes along the row.
void add_pusher(Random& random, const Row& row, RandomScene& scene) {
  const double speed = std::pow(10, random.uniform(-1, 0.5));
  scene.has_input = true;
  if (random.index(2) == 0) {
    scene.text += fmt::format(
        "\n[body.pusher]\nshape = {{ type = \"sphere\", radius = 0.04 }}\nmotion = {{ position = {{ start = [-0.05, 0, "
        "{:.6f}], velocity = [{:.6f}, 0, 0] }} }}\n",
        row.lift, speed);
    return;
  }
  scene.text += fmt::format(
      "\n[body.pusher]\nmass = 1\ninertia = 1e-3\nshape = {{ type = \"box\", size = [0.04, 0.06, 0.06] }}\n\n"
      "[joint.ram]\ntype = \"prismatic\"\nchild = \"pusher\"\nat = [-0.05, 0, {:.6f}]\naxis = [1, 0, 0]\nupper = "
      "{:.6f}\n\n[motor.ram]\njoint = \"ram\"\nvelocity = {:.6f}\nderivative = {:.6f}\nlimit = {:.6f}\n",
      row.lift, 0.05 + random.uniform(0, row.length), speed, std::pow(10, random.uniform(1, 3)),
      std::pow(10, random.uniform(0, 3)));
}

}  // namespace

RandomScene make_furnished_scene(std::uint64_t seed, const std::string& method) {
  Random random(seed);
  RandomScene scene = begin_scene(random, seed, method);
  const int count = 1 + random.index(4);
  const bool is_fast = random.index(6) == 0, has_materials = random.index(3) == 0;
  std::vector<RandomShape> shapes;
  Row row;
  for (int i = 0; i < count; ++i) {
    shapes.push_back(make_any_shape(random));
    row.largest = std::max(row.largest, shapes.back().radius);
    row.length += 2 * shapes.back().radius + 0.01;
    note_shape(shapes.back(), i == 0, scene);
    scene.bodies.push_back("body" + std::to_string(i));
  }
  row.lift = row.largest + random.uniform(0.002, 0.2);
  add_surroundings(random, row, scene);
  double place = 0;
  for (int i = 0; i < count; ++i) {
    const RandomShape& shape = shapes[static_cast<std::size_t>(i)];
    place += shape.radius + 0.005;
    scene.text += fmt::format("\n[body.body{}]\ndensity = {:.6g}\nshape = {}\nposition = {}\n", i, make_density(random),
                              shape.toml, format_vector(place, 0, row.lift));
    place += shape.radius + 0.005;
    if (has_materials) scene.text += fmt::format("material = \"{}\"\n", random.index(2) == 0 ? "steel" : "rubber");
    scene.text +=
        fmt::format("orientation = {{ axis = {}, angle = {:.6f} }}\n", make_direction(random, 1), random.uniform(0, 3));
    scene.text += fmt::format("velocity = {}\nangular_velocity = {}\n",
                              make_direction(random, is_fast ? random.uniform(10, 60) : random.uniform(0, 3)),
                              make_direction(random, std::pow(10, random.uniform(-1, 1.5))));
  }
  if (random.index(4) == 0) add_pusher(random, row, scene);
  if (random.index(4) == 0) add_springs(random, scene);
  add_laws(random, has_materials, scene);
  end_scene(random, scene);
  return scene;
}

RandomScene make_stack_scene(std::uint64_t seed, const std::string& method) {
  Random random(seed);
  RandomScene scene = begin_scene(random, seed, method);
  scene.is_at_rest = true;
  const int count = 2 + random.index(4);
  double height = 0;
  add_plane("floor", "[0, 0, 1]", 0, scene);
  for (int i = 0; i < count; ++i) {
    RandomShape shape = make_shape(random);
    // What stands on a flat face, and offers one.
    while (shape.toml.find("box") == std::string::npos && shape.toml.find("cylinder") == std::string::npos)
      shape = make_shape(random);
    note_shape(shape, i == 0, scene);
    scene.bodies.push_back("body" + std::to_string(i));
    height += shape.height;
    scene.text += fmt::format("\n[body.body{}]\ndensity = {:.6g}\nshape = {}\nposition = {}\n", i, make_density(random),
                              shape.toml, format_vector(0, 0, height));
    height += shape.height;
  }
  add_laws(random, false, scene);
  end_scene(random, scene);
  return scene;
}

}  // namespace stiction::fuzz
