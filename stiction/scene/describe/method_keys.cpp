#include "stiction/scene/describe/method_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "stiction/base/check.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/describe/features.h"
#include "stiction/scene/scene.h"
#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

bool uses_rigid_steps(const MethodSettings& method) {
  return !uses_integrator(method.type);
}
bool is_integrated(const MethodSettings& method) {
  return uses_integrator(method.type);
}
bool has_error_control(const MethodSettings& method) {
  const IntegratorInfo* integrator = find_integrator(method.integrator);
  return is_integrated(method) && integrator && integrator->adaptive;
}
bool has_pyramids(const MethodSettings& method) {
  return uses_rigid_steps(method) && !has_feature(Feature::exact_cone, method.type);
}
bool is_geometric(const MethodSettings& method) {
  return method.type == "geometric_implicit";
}
bool iterates_steps(const MethodSettings& method) {
  return is_geometric(method) || (method.nonlinear && has_feature(Feature::nonlinear, method.type));
}

struct KeyUse {
  std::string_view key, users;
  bool (*is_used)(const MethodSettings&) = nullptr;
  /// Where the table of features has the reason why a method does not use it.
  std::optional<Feature> feature = {};
};

// A new key joins here; one of every method does not. `nonlinear` counts as used where it is always on.
const KeyUse key_uses[] = {
    {"integrator", "`smooth`, `compliant`", is_integrated, Feature::error_control},
    {"relative_tolerance", "integrators with error control", has_error_control},
    {"absolute_tolerance", "integrators with error control, `geometric_implicit` with `max_step`",
     [](const MethodSettings& m) { return has_error_control(m) || (is_geometric(m) && m.max_step > 0); }},
    {"max_step", "integrators with error control, `geometric_implicit`",
     [](const MethodSettings& m) { return has_error_control(m) || is_geometric(m); }},
    {"event_tolerance", "integrators with error control", has_error_control},
    {"theta", "`cone`", [](const MethodSettings& m) { return m.type == "cone"; }},
    {"directions", "`stewart_trinkle`, `berard`, `anitescu_potra`", has_pyramids},
    {"nonlinear", "`stewart_trinkle`; `geometric_implicit` always does it",
     [](const MethodSettings& m) { return has_feature(Feature::nonlinear, m.type); }, Feature::nonlinear},
    {"nonlinear_tolerance", "`stewart_trinkle` with `nonlinear`, `geometric_implicit`", iterates_steps},
    {"nonlinear_iterations", "`stewart_trinkle` with `nonlinear`, `geometric_implicit`", iterates_steps},
    {"solver_tolerance", "the rigid methods", uses_rigid_steps},
    {"impacts", "the rigid methods", uses_rigid_steps},
    {"located_contacts", "the rigid methods", uses_rigid_steps},
    {"settle", "the rigid methods", uses_rigid_steps},
    {"sleep", "the rigid methods", uses_rigid_steps, Feature::sleeping},
    {"sleep_speed", "the rigid methods with `sleep`",
     [](const MethodSettings& m) { return uses_rigid_steps(m) && m.sleep > 0; }},
    {"threads", "the rigid methods, `compliant`", [](const MethodSettings& m) { return has_contact(m.type); }},
};

/// Those that differ from the default, in the order of the description.
std::vector<std::string> list_changed_keys(const MethodSettings& method) {
  std::vector<std::string> keys;
  for (const Member& member : describe_method().write(method, false).members) keys.push_back(member.key);
  return keys;
}

}  // namespace

std::string_view find_users_of_key(std::string_view key) {
  const auto use =
      std::find_if(std::begin(key_uses), std::end(key_uses), [&](const KeyUse& r) { return r.key == key; });
  return use == std::end(key_uses) ? std::string_view() : use->users;
}

std::vector<UnusedKey> list_unused_keys(const Scene& scene) {
  MethodSettings method = scene.method;
  if (method.type.empty()) method.type = choose_formulation(!scene.contacts.empty());
  const std::vector<std::string> changed = list_changed_keys(scene.method);
  std::vector<UnusedKey> unused;
  for (const KeyUse& use : key_uses) {
    const std::string key(use.key);
    const bool is_given = scene.source.places.contains("method." + key) ||
                          std::find(changed.begin(), changed.end(), key) != changed.end();
    if (!is_given || use.is_used(method)) continue;
    const bool has_reason = use.feature && !has_feature(*use.feature, method.type);
    unused.push_back(
        {key, has_reason ? format_refusal(*use.feature, method.type) : fmt::format("it is used by {}", use.users)});
  }
  return unused;
}

std::string format_unused_key(const UnusedKey& unused) {
  return fmt::format("method.{} has no effect: {}", unused.key, unused.reason);
}

}  // namespace stiction
