#include "test/fuzz/physics/random_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "test/fuzz/physics/furnished_scene.h"
#include "test/fuzz/physics/random_shapes.h"

namespace stiction::fuzz {
namespace {

/// An integrator of any kind, with fixed steps also where they are far too long for the contact. Bristles need
/// explicit steps of microseconds and less (docs/compliant.md): none of those with error control.
std::string make_integrator(Random& random, bool has_bristles) {
  constexpr std::array fixed = {"semi_implicit_euler", "rk2", "rk4"};
  const int kind = random.index(4);
  if (kind == 0) return fmt::format("integrator = \"{}\"\n", fixed[static_cast<std::size_t>(random.index(3))]);
  if (kind == 1 && !has_bristles) return "integrator = \"dormand_prince\"\nrelative_tolerance = 1e-6\n";
  return "integrator = \"cvode_bdf\"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-8\n";
}

/// Points or patches, so stiff that bodies at rest sink in by less than a tenth of the smallest one. A volume of a
/// superquadric takes up to a second (docs/geometry.md): such bodies touch at points.
std::string make_compliant_contact(Random& random, double mu, double e, RandomScene& scene) {
  const double stiffness = std::pow(10, random.uniform(7, 9));
  const bool is_patch = !scene.has_superquadric && random.index(2) == 0;
  const std::string normal =
      is_patch
          ? fmt::format("patch = \"volume\"\nnormal = {{ law = \"volume\", stiffness = {:.6g}, restitution = {} }}\n",
                        10 * stiffness, e)
          : fmt::format("normal = {{ law = \"hertz\", stiffness = {:.6g}, restitution = {} }}\n", stiffness, e);
  if (mu == 0) return normal;
  const int law = random.index(is_patch ? 2 : 3);
  scene.has_bristles = law == 0;
  if (law == 0) return normal + fmt::format("friction = {}\n", mu);
  if (law == 1)
    return normal + fmt::format("friction = {{ law = \"coulomb\", kinetic = {}, tolerance_velocity = 1e-3 }}\n", mu);
  return normal + fmt::format("friction = {{ law = \"spring\", kinetic = {}, stiffness = {:.6g}, damping = {:.6g} }}\n",
                              mu, 1e-2 * stiffness, 1e-5 * stiffness);
}

/// The laws of all pairs, for rigid and for compliant methods.
std::string make_contact(Random& random, RandomScene& scene) {
  constexpr std::array friction = {0.0, 0.1, 0.3, 0.6, 1.0}, restitution = {0.0, 0.3, 0.5, 0.9, 1.0};
  const double mu = friction[static_cast<std::size_t>(random.index(5))];
  const double e = restitution[static_cast<std::size_t>(random.index(5))];
  constexpr std::array hypotheses = {"newton", "poisson", "stronge"};
  const char* hypothesis = hypotheses[static_cast<std::size_t>(random.index(3))];
  std::string text = "\n[contact.default]\n";
  if (scene.method == "compliant") {
    text += make_compliant_contact(random, mu, std::max(e, 0.1), scene);
  } else if (scene.method == "geometric_implicit" && !scene.is_at_rest && random.index(2) == 0) {
    // So stiff that the heaviest body sinks in by less than a hundredth of the smallest one.
    const double k = std::pow(10, random.uniform(7, 8)),
                 c = random.index(2) == 0 ? 0 : std::pow(10, random.uniform(1, 4));
    text += fmt::format("friction = {}\nlayer = {{ stiffness = [{:.6g}, {:.6g}, {:.6g}], damping = {:.6g}", mu, k,
                        0.5 * k, 0.5 * k, c);
    text += random.index(2) == 0 ? " }\n" : ", thickness = 1e-4 }\n";
  } else {
    text += fmt::format("friction = {}\nrestitution = {}\nhypothesis = \"{}\"\n", mu, e, hypothesis);
  }
  return text;
}

/// A chain lies level, half a metre up, and turns as a whole at first; neighbours do not touch each other.
void link(Random& random, int number, double radius, const std::string& w, RandomScene& scene) {
  const double before = scene.last_radius, between = random.uniform(0.002, 0.05);
  scene.last_radius = radius;
  if (number == 0) {
    scene.text += fmt::format("velocity = [1, 0.5, -0.5]\nangular_velocity = {}\n", w);
    return;
  }
  const bool is_hinge = random.index(2) == 0;
  scene.text += fmt::format(
      "\n[joint.link{0}]\ntype = \"{2}\"\nparent = \"body{1}\"\nchild = \"body{0}\"\nat = {3}\nchild_at = {4}\n",
      number, number - 1, is_hinge ? "revolute" : "spherical", format_vector(before + between, 0, 0),
      format_vector(-radius - between, 0, 0));
  if (is_hinge) scene.text += fmt::format("axis = {}\n", make_direction(random, 1));
  scene.text += fmt::format("\n[contact.\"body{1}/body{0}\"]\ntouch = false\n", number, number - 1);
}

/// Beside the body before, whose ball ends at `place`; moves `place` on.
void add_body(Random& random, int number, double& place, RandomScene& scene) {
  RandomShape shape = make_shape(random);
  while (scene.is_at_rest && shape.height < 0) shape = make_shape(random);
  scene.smallest = number == 0 ? shape.smallest : std::min(scene.smallest, shape.smallest);
  scene.largest = std::max(scene.largest, shape.radius);
  scene.has_superquadric = scene.has_superquadric || shape.toml.find("superquadric") != std::string::npos;
  const std::string name = "body" + std::to_string(number);
  scene.bodies.push_back(name);
  const double drop = random.uniform(0.002, 0.3);
  const double height = scene.is_at_rest ? shape.height : scene.has_links ? 0.5 : shape.radius + drop;
  const double density = std::pow(10, random.uniform(2, 4));
  place += shape.radius + random.uniform(0.002, 0.05);
  scene.text += fmt::format("\n[body.{}]\ndensity = {:.3f}\nshape = {}\n", name, density, shape.toml);
  // Joints place the others.
  if (!scene.has_links || number == 0) scene.text += fmt::format("position = {}\n", format_vector(place, 0, height));
  const std::string axis = make_direction(random, 1), v = make_direction(random, random.uniform(0, 3)),
                    w = make_direction(random, std::pow(10, random.uniform(-1, 1.5)));
  const double angle = random.uniform(0, 3);
  place += shape.radius;
  if (scene.is_at_rest) return;
  if (scene.has_links) return link(random, number, shape.radius, w, scene);
  if (scene.has_rods) {
    // One velocity for all: rods keep their lengths.
    scene.text +=
        fmt::format("orientation = {{ axis = {}, angle = {:.6f} }}\nvelocity = [1, 0.5, -0.5]\n", axis, angle);
    if (number > 0)
      scene.text += fmt::format("\n[constraint.rod{0}]\ntype = \"distance\"\na = \"body{1}\"\nb = \"body{0}\"\n",
                                number, number - 1);
    return;
  }
  scene.text += fmt::format("orientation = {{ axis = {}, angle = {:.6f} }}\nvelocity = {}\nangular_velocity = {}\n",
                            axis, angle, v, w);
}

}  // namespace

RandomScene make_random_scene(std::uint64_t seed, const std::string& method) {
  Random random(seed);
  constexpr std::array steps = {1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2};
  RandomScene scene;
  scene.method = method;
  scene.step = steps[static_cast<std::size_t>(random.index(7))];
  scene.is_at_rest = random.index(8) == 0;
  const bool has_belt = !scene.is_at_rest && random.index(6) == 0;
  scene.has_input = has_belt;
  scene.has_rods = !scene.is_at_rest && random.index(6) == 0;
  scene.has_links = !scene.is_at_rest && !scene.has_rods && random.index(5) == 0;
  const int count = 1 + random.index(5);
  const int most_steps = 400;
  const double duration = std::min(1.0, most_steps * scene.step);
  scene.text = fmt::format(
      "title = \"Random scene {}\"\n\n[world]\ngravity = [0, 0, -9.81]\n\n[time]\nduration = {}\nstep = {}\noutput = "
      "{}\n",
      seed, duration, scene.step, scene.step);
  scene.text += "\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1]";
  scene.text += has_belt ? ", surface_velocity = [0.5, 0, 0] }\n" : " }\n";
  double place = 0;
  for (int i = 0; i < count; ++i) add_body(random, i, place, scene);
  scene.text += make_contact(random, scene);
  scene.text += fmt::format("\n[method]\ntype = \"{}\"\n", method);
  if (method == "compliant") scene.text += make_integrator(random, scene.has_bristles);
  return scene;
}

const std::vector<SceneKind>& scene_kinds() {
  static const std::vector<SceneKind> kinds = {{"free", make_random_scene, false},
                                               {"furnished", make_furnished_scene},
                                               {"stack", make_stack_scene},
                                               {"bore", make_bore_scene},
                                               {"arm", make_arm_scene}};
  return kinds;
}

const std::vector<std::string>& fuzzed_methods() {
  static const std::vector<std::string> methods = {"cone",           "stewart_trinkle",    "berard",
                                                   "anitescu_potra", "geometric_implicit", "compliant"};
  return methods;
}

}  // namespace stiction::fuzz
