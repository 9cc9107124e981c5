#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "stiction/base/fault.h"
#include "stiction/base/noise.h"
#include "stiction/base/text.h"
#include "stiction/geometry/closest/contact_kinematics.h"
#include "stiction/geometry/shape/solid.h"
#include "stiction/math/spatial.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {
namespace {

struct GeometryOptions {
  std::filesystem::path scene;
  std::string a, b;
  std::vector<std::string> overrides;
  double accuracy = 1e-6;
  long max_cells = 300'000;
  bool json = false;
};

/// A body, or one part of it, where it stands and moves at the start.
struct Placed {
  Solid solid;
  Transform X_WB;
  BodyTwist V_WB;
};

std::vector<std::string> list_names(const System& system) {
  std::vector<std::string> names;
  for (const Body& body : system.bodies) {
    if (!body.shapes.empty()) names.push_back(body.name);
    for (const PlacedShape& part : body.shapes) {
      if (!part.name.empty()) names.push_back(body.name + "." + part.name);
    }
  }
  return names;
}

Placed find_placed(const System& system, const Kinematics& kinematics, const std::string& name) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    Placed placed{body.shapes, kinematics.X_WB[i], {angular(kinematics.V_WB[i]), linear(kinematics.V_WB[i])}};
    if (body.name == name) {
      if (placed.solid.empty()) {
        throw InputError(fmt::format("body \"{}\" has no shape", name),
                         "give it one: shape = { type = \"sphere\", radius = ... }");
      }
      return placed;
    }
    std::erase_if(placed.solid,
                  [&](const PlacedShape& part) { return part.name.empty() || body.name + "." + part.name != name; });
    if (!placed.solid.empty()) return placed;
  }
  const std::vector<std::string> names = list_names(system);
  const std::string nearest = find_nearest_word(name, names);
  throw InputError(
      fmt::format("there is no body or part \"{}\" in the scene", name),
      nearest.empty() ? "bodies with a shape: " + join_words(names, ", ") : fmt::format("did you mean {}?", nearest));
}

struct Pair {
  Placed a, b;
};
Pair load_pair(const GeometryOptions& options) {
  Scene scene = read_scene(load_scene_text(options.scene, options.overrides));
  // Bodies that overlap are measured, not refused: nothing is simulated.
  scene.method.settle = true;
  const System system = compile(scene);
  Kinematics kinematics(system);
  VecX q = system.initial.q, v = system.initial.v, dv = VecX::Zero(system.nv);
  update_prescribed(system, 0, q, v, dv);
  update_positions(system, q, kinematics);
  update_velocities(system, v, kinematics);
  if (options.a == options.b) throw InputError("expected two bodies, got the same name twice");
  return {find_placed(system, kinematics, options.a), find_placed(system, kinematics, options.b)};
}

nlohmann::ordered_json list_of(const Vec3& x) {
  return {x.x() + 0.0, x.y() + 0.0, x.z() + 0.0};  // 0 for -0
}
nlohmann::ordered_json list_of(const Mat3& m) {
  return {list_of(Vec3(m.row(0))), list_of(Vec3(m.row(1))), list_of(Vec3(m.row(2)))};
}
/// What is noise beside `scale`, or beside the largest component, is shown as 0.
std::string show(const Vec3& x, double least_scale = 0) {
  const double scale = std::max(least_scale, x.cwiseAbs().maxCoeff());
  return fmt::format("[{:.12g}, {:.12g}, {:.12g}]", drop_noise(x.x(), scale), drop_noise(x.y(), scale),
                     drop_noise(x.z(), scale));
}
std::string line(std::string_view name, std::string_view value, std::string_view unit = {}) {
  return fmt::format("  {:<18}{}{}{}\n", name, value, unit.empty() ? "" : " ", unit);
}
std::string number(double value, double scale = 0) {
  return fmt::format("{:.12g}", drop_noise(value, scale));
}
/// The largest velocity of a point of the pair [m/s], and the largest rate of turning [1/s]: rates are noise beside
/// them.
struct RateScale {
  double velocity, turning;
};
RateScale calc_rate_scale(const Pair& pair, const ContactRates& rates) {
  const double turning = std::max(pair.a.V_WB.w.norm(), pair.b.V_WB.w.norm());
  const double velocity =
      std::max({pair.a.V_WB.v.norm(), pair.b.V_WB.v.norm(), rates.point_a_velocity.norm(),
                rates.point_b_velocity.norm(), rates.surface_velocity_a.norm(), rates.surface_velocity_b.norm()});
  return {velocity, turning};
}
/// A gap is noise beside the coordinates that it is the difference of [m].
double calc_gap_scale(const Pair& pair, const Vec3& point_a, const Vec3& point_b) {
  return std::max({pair.a.X_WB.p.norm(), pair.b.X_WB.p.norm(), point_a.norm(), point_b.norm()});
}
/// Name of the pair of parts, where bodies have several.
std::string parts_of(const Pair& pair, int part_a, int part_b) {
  const std::string &a = pair.a.solid[static_cast<std::size_t>(part_a)].name,
                    &b = pair.b.solid[static_cast<std::size_t>(part_b)].name;
  return a.empty() && b.empty() ? "" : fmt::format("{} and {}", a.empty() ? "(whole)" : a, b.empty() ? "(whole)" : b);
}

int answer_gap(const GeometryOptions& options) {
  const Pair pair = load_pair(options);
  const SolidClosest found = calc_solid_closest(pair.a.solid, pair.a.X_WB, pair.b.solid, pair.b.X_WB);
  const ClosestPoints& c = found.closest;
  if (options.json) {
    nlohmann::ordered_json report = {{"gap", c.gap},
                                     {"point_a", list_of(c.point_a)},
                                     {"point_b", list_of(c.point_b)},
                                     {"normal", list_of(c.normal)},
                                     {"residual", c.residual},
                                     {"certified", c.certified},
                                     {"iterations", c.iterations},
                                     {"part_a", pair.a.solid[static_cast<std::size_t>(found.part_a)].name},
                                     {"part_b", pair.b.solid[static_cast<std::size_t>(found.part_b)].name}};
    print(report.dump(2) + "\n");
  } else {
    std::string text = paint(fmt::format("{} and {}", options.a, options.b), Color::bold) + "\n";
    const std::string parts = parts_of(pair, found.part_a, found.part_b);
    if (!parts.empty()) text += line("parts", parts);
    const double gap = drop_noise(c.gap, calc_gap_scale(pair, c.point_a, c.point_b));
    text += line("gap", number(gap), gap > 0 ? "m (apart)" : gap < 0 ? "m (overlapping)" : "m (touching)");
    text += line("point on " + options.a, show(c.point_a), "m");
    text += line("point on " + options.b, show(c.point_b), "m");
    text += line("normal", show(c.normal), fmt::format("from {} to {}", options.a, options.b));
    text +=
        line("residual", fmt::format("{:.2g}", c.residual), c.certified ? "certified" : "NOT certified: above 1e-12");
    print(text);
  }
  return c.certified ? exit_ok : exit_limit;
}

const char* name_of(RegionMethod method) {
  switch (method) {
    case RegionMethod::none:
      return "none: the bodies do not overlap";
    case RegionMethod::closed_form:
      return "closed form";
    case RegionMethod::clipping:
      return "clipping";
    case RegionMethod::chords:
      return "chords";
    case RegionMethod::octree:
      return "octree";
  }
  return "";
}

int answer_volume(const GeometryOptions& options) {
  const Pair pair = load_pair(options);
  RegionOptions wanted;
  wanted.accuracy = options.accuracy;
  const InterferenceRegion r = calc_solid_interference(pair.a.solid, pair.a.X_WB, pair.b.solid, pair.b.X_WB, wanted);
  const VolumeBounds bounds =
      calc_solid_interference_bounds(pair.a.solid, pair.a.X_WB, pair.b.solid, pair.b.X_WB, 1e-4, options.max_cells);
  if (options.json) {
    nlohmann::ordered_json report = {
        {"volume", r.volume},       {"centroid", list_of(r.centroid)}, {"inertia", list_of(r.inertia)},
        {"lower", bounds.lower},    {"upper", bounds.upper},           {"error", r.error},
        {"converged", r.converged}, {"method", name_of(r.method)},     {"dV_dx", list_of(r.dV_dx)},
        {"dV_dr", list_of(r.dV_dr)}};
    print(report.dump(2) + "\n");
  } else {
    std::string text = paint(fmt::format("{} and {}", options.a, options.b), Color::bold) + "\n";
    text += line("volume", number(r.volume), "m^3");
    text += line("certified bounds", fmt::format("{:.12g} to {:.12g}", bounds.lower, bounds.upper), "m^3");
    if (r.volume > 0) {
      text += line("centroid", show(r.centroid), "m");
      for (int i = 0; i < 3; ++i)
        text += line(i == 0 ? "inertia" : "", show(r.inertia.row(i)), i == 0 ? "m^5, about the centroid" : "");
      text += line("dV/dx", show(r.dV_dx), fmt::format("m^2, as {} moves", options.b));
    }
    text += line("method", fmt::format("{}, relative error {:.2g}", name_of(r.method), r.error),
                 r.converged ? "" : "NOT converged");
    print(text);
  }
  return r.converged ? exit_ok : exit_limit;
}

int answer_kinematics(const GeometryOptions& options) {
  const Pair pair = load_pair(options);
  const SolidClosest found = calc_solid_closest(pair.a.solid, pair.a.X_WB, pair.b.solid, pair.b.X_WB);
  const PlacedShape &a = pair.a.solid[static_cast<std::size_t>(found.part_a)],
                    &b = pair.b.solid[static_cast<std::size_t>(found.part_b)];
  const auto at_part = [](const Placed& body, const PlacedShape& part) {
    return BodyTwist{body.V_WB.w, body.V_WB.v + body.V_WB.w.cross(body.X_WB.R * part.X_BS.p)};
  };
  const ContactRates r = calc_contact_rates(a.shape, pair.a.X_WB * a.X_BS, at_part(pair.a, a), b.shape,
                                            pair.b.X_WB * b.X_BS, at_part(pair.b, b), found.closest);
  if (options.json) {
    nlohmann::ordered_json report = {{"gap", found.closest.gap},
                                     {"point_a", list_of(found.closest.point_a)},
                                     {"point_b", list_of(found.closest.point_b)},
                                     {"normal", list_of(found.closest.normal)},
                                     {"residual", found.closest.residual},
                                     {"certified", found.closest.certified},
                                     {"gap_rate", r.gap_rate},
                                     {"point_a_velocity", list_of(r.point_a_velocity)},
                                     {"point_b_velocity", list_of(r.point_b_velocity)},
                                     {"surface_velocity_a", list_of(r.surface_velocity_a)},
                                     {"surface_velocity_b", list_of(r.surface_velocity_b)},
                                     {"normal_rate", list_of(r.normal_rate)},
                                     {"regular", r.regular}};
    print(report.dump(2) + "\n");
  } else {
    std::string text = paint(fmt::format("{} and {}", options.a, options.b), Color::bold) + "\n";
    const double gap_scale = calc_gap_scale(pair, found.closest.point_a, found.closest.point_b);
    text += line("gap", number(found.closest.gap, gap_scale), found.closest.certified ? "m" : "m, NOT certified");
    const RateScale scale = calc_rate_scale(pair, r);
    text += line("gap rate", number(r.gap_rate, scale.velocity), "m/s");
    text += line("point on " + options.a, show(found.closest.point_a), "m");
    text += line("point on " + options.b, show(found.closest.point_b), "m");
    text += line("normal", show(found.closest.normal), fmt::format("from {} to {}", options.a, options.b));
    text += paint("velocities of the points", Color::bold) + "\n";
    text += line("point on " + options.a, show(r.point_a_velocity, scale.velocity), "m/s, in the world");
    text += line("point on " + options.b, show(r.point_b_velocity, scale.velocity), "m/s, in the world");
    text += line("point on " + options.a, show(r.surface_velocity_a, scale.velocity), "m/s, relative to " + options.a);
    text += line("point on " + options.b, show(r.surface_velocity_b, scale.velocity), "m/s, relative to " + options.b);
    text += line("normal rate", show(r.normal_rate, scale.turning), "1/s");
    if (!r.regular)
      text +=
          "note: the surfaces touch along a line or face: the points are not unique, and their slowest motion is "
          "shown\n";
    print(text);
  }
  return found.closest.certified ? exit_ok : exit_limit;
}

CLI::App* add_query(CLI::App& geometry, Action& action, const std::string& name, const std::string& sentence,
                    int (*answer)(const GeometryOptions&), const std::shared_ptr<GeometryOptions>& options) {
  CLI::App* command = geometry.add_subcommand(name, sentence);
  command->add_option("SCENE", options->scene, "Scene file")->required()->type_name(" ");
  command->add_option("BODY_A", options->a, "A body, or a part of one: BODY.PART")->required()->type_name(" ");
  command->add_option("BODY_B", options->b, "Another body, or a part of one")->required()->type_name(" ");
  add_set_option(*command, options->overrides);
  command->add_flag("--json", options->json, "Print JSON, in SI units");
  command->footer(fmt::format("Example: stiction geometry {} scene.toml ball floor", name));
  command->callback([options, answer, &action] { action = [options, answer] { return answer(*options); }; });
  return command;
}

}  // namespace

void add_geometry(CLI::App& app, Action& action) {
  CLI::App* geometry = app.add_subcommand(
      "geometry", "Gap, common volume and contact kinematics of two bodies in the initial position of a scene");
  geometry->require_subcommand(1);
  geometry->footer("Example: stiction geometry gap scene.toml ball floor");
  const auto options = std::make_shared<GeometryOptions>();
  add_query(*geometry, action, "gap", "Signed gap (negative: overlap), closest points and normal, with their residual",
            answer_gap, options);
  CLI::App* volume = add_query(*geometry, action, "volume",
                               "Volume, centroid and inertia of the intersection of the bodies, with certified bounds",
                               answer_volume, options);
  volume->add_option("--accuracy", options->accuracy, "Relative accuracy of the volume")
      ->check(CLI::Range(1e-12, 0.1))
      ->type_name("NUMBER")
      ->capture_default_str();
  volume->add_option("--max-cells", options->max_cells, "Largest number of octree cells for the certified bounds")
      ->check(CLI::Range(1L, 1'000'000'000L))
      ->type_name("COUNT")
      ->capture_default_str();
  add_query(*geometry, action, "kinematics", "Closest points, their velocities and the rate of the gap",
            answer_kinematics, options);
}

}  // namespace stiction::cli
