#include "stiction/scene/compile/complete.h"

#include <algorithm>
#include <cmath>

#include "stiction/scene/compile/copies.h"
#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

void complete_method(Scene& scene) {
  if (scene.method.type.empty()) {
    scene.method.type = choose_formulation(!scene.contacts.empty());
    scene.method_is_default = true;
  }
  scene.method.step = scene.time.step;
}

Scene complete(Scene scene) {
  complete_method(scene);
  expand_copies(scene);
  return scene;
}

bool is_complete(const Scene& scene) {
  const bool has_copies =
      std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& body) { return bool(body.value.copies); });
  return !scene.method.type.empty() && scene.method.step == scene.time.step && !has_copies;
}

MethodSettings calc_method(const Scene& scene) {
  MethodSettings method = scene.method;
  if (method.max_step == 0 && uses_integrator(method.type)) method.max_step = calc_output_interval(scene);
  return method;
}

bool is_adaptive(const Scene& scene) {
  if (!uses_integrator(scene.method.type)) return false;
  const IntegratorInfo* integrator = find_integrator(scene.method.integrator);
  return integrator && integrator->adaptive;
}

double calc_output_interval(const Scene& scene) {
  const TimeSpec& time = scene.time;
  if (is_adaptive(scene)) return time.output.value_or(time.duration / 1000);
  // What steps on a grid has nothing to show between its points.
  if (time.output) return std::max(*time.output, time.step);
  const double wanted = time.duration / 1000;
  return std::max(1.0, std::floor(wanted / time.step * (1 + 1e-9))) * time.step;
}

}  // namespace stiction
