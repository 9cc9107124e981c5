#include "stiction/scene/compile/describe_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

/// The smallest and the thinnest shape of the scene that have an end.
void set_smallest(const Scene& scene, RunDescription& description) {
  const auto lower = [](double length, const std::string& name, double& least, std::string& least_name) {
    if (!(length > 0) || (least > 0 && length >= least)) return;
    least = length;
    least_name = name;
  };
  for (const auto& [body, spec] : scene.bodies) {
    for (const auto& [part, shape] : spec.shapes) {
      if (!is_bounded(shape.shape)) continue;
      const std::string name = part.empty() ? body : body + "." + part;
      const Bounds box = calc_bounds(shape.shape, {});
      lower(calc_size(shape.shape), name, description.smallest_size, description.smallest_shape);
      lower((box.upper - box.lower).minCoeff(), name, description.thickness, description.thinnest_shape);
    }
  }
}

/// Of the bodies whose motion is not given.
double calc_moving_mass(const System& system) {
  double mass = 0;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    for (std::size_t b = i; b != 0; b = static_cast<std::size_t>(system.joints[b].parent)) {
      if (system.joints[b].nv == 0 || system.joints[b].prescribed()) continue;
      mass += system.bodies[i].mass.mass;
      break;
    }
  }
  return mass;
}

std::string format_vector(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", format_number(v.x()), format_number(v.y()), format_number(v.z()));
}

/// What a contact table says, in a line.
std::string describe_contact_table(const ContactSpec& contact) {
  if (!contact.touch) return "touch = false";
  const auto* law = std::get_if<FrictionSpec>(&contact.friction);
  std::string text = law ? fmt::format("friction {}", law->law)
                         : fmt::format("friction {}", format_number(std::get<double>(contact.friction)));
  if (law && law->kinetic) text += fmt::format(" {}", format_number(*law->kinetic));
  if (contact.normal) text += fmt::format(", normal {}", contact.normal->law);
  const std::optional<double> e = contact.restitution ? contact.restitution
                                  : contact.normal    ? contact.normal->restitution
                                                      : std::nullopt;
  const std::optional<double> slope = contact.restitution_slope ? contact.restitution_slope
                                      : contact.normal          ? contact.normal->restitution_slope
                                                                : std::nullopt;
  if (e) text += fmt::format(", restitution {}", format_number(*e));
  if (slope) text += fmt::format(", restitution 1 - {} v", format_number(*slope));
  if ((e || slope) && !contact.hypothesis.empty()) text += fmt::format(" ({})", contact.hypothesis);
  return text;
}

std::map<std::string, std::string> list_parameters(const Scene& scene) {
  std::map<std::string, std::string> list;
  list["method.type"] = scene.method.type;
  if (scene.method.type == "smooth") {
    list["method.integrator"] = scene.method.integrator;
  } else {
    const double tolerance = scene.method.solver_tolerance;
    list["method.solver_tolerance"] = tolerance > 0 ? format_number(tolerance) : "default";
  }
  list["time.duration"] = format_number(scene.time.duration) + " s";
  list["time.step"] = format_number(scene.time.step) + " s";
  list["time.output"] = format_number(calc_output_interval(scene)) + " s";
  list["world.gravity"] = format_vector(scene.world.gravity) + " m/s^2";
  for (const auto& [name, contact] : scene.contacts)
    list[fmt::format("contact.\"{}\"", name)] = describe_contact_table(contact);
  return list;
}

}  // namespace

RunDescription describe_run(const Scene& scene, const System& system) {
  RunDescription description;
  description.title = scene.title;
  description.paper = scene.paper;
  description.method = scene.method.type;
  description.integrator = uses_integrator(scene.method.type) ? scene.method.integrator : "";
  description.step = scene.time.step;
  description.duration = scene.time.duration;
  description.compliant_contact = scene.method.type == "compliant";
  description.rigid_contact = has_contact(scene.method.type) && !description.compliant_contact;
  description.constraints = !system.constraints.empty();
  description.limits = has_rigid_limits(system);
  set_smallest(scene, description);
  description.weight_energy = calc_moving_mass(system) * system.gravity.norm() * description.smallest_size;
  description.expected = scene.expect.verdict;
  description.because = scene.expect.because;
  if (!has_contact(scene.method.type) && !scene.contacts.empty())
    description.unmodelled = "the contact tables do not act with method.type = \"" + scene.method.type + "\"";
  description.parameters = list_parameters(scene);
  description.warnings = list_warnings(scene, system);
  return description;
}

}  // namespace stiction
