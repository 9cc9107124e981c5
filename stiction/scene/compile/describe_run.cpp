#include "stiction/scene/compile/describe_run.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/surface.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

/// The smallest shape of the scene that has an end.
void set_smallest(const Scene& scene, RunDescription& description) {
  for (const auto& [body, spec] : scene.bodies) {
    for (const auto& [part, shape] : spec.shapes) {
      if (!is_bounded(shape.shape)) continue;
      const double size = calc_size(shape.shape);
      if (!(size > 0) || (description.smallest_size > 0 && size >= description.smallest_size)) continue;
      description.smallest_size = size;
      description.smallest_shape = part.empty() ? body : body + "." + part;
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
  description.warnings = list_warnings(scene, system);
  return description;
}

}  // namespace stiction
