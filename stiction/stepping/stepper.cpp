#include "stiction/stepping/stepper.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/stepping/control/stepper_sampled.h"
#include "stiction/stepping/ode/stepper_smooth.h"
#include "stiction/stepping/rigid/stepper_rigid.h"
#include "stiction/stepping/stepper_doubling.h"

namespace stiction {
namespace {

struct StepperEntry {
  std::string name;
  std::unique_ptr<Stepper> (*make)(const System& system, const MethodSettings& settings);
};

std::unique_ptr<Stepper> make_rigid(const System& system, const MethodSettings& settings) {
  return std::make_unique<StepperRigid>(system, settings);
}

/// Steps of time.step, or, with a max_step, chosen by their error.
std::unique_ptr<Stepper> make_geometric(const System& system, const MethodSettings& settings) {
  if (settings.max_step == 0) return make_rigid(system, settings);
  MethodSettings longest = settings;
  longest.step = settings.max_step;
  return std::make_unique<StepperDoubling>(system, longest, make_rigid(system, longest));
}

std::unique_ptr<Stepper> make_smooth(const System& system, const MethodSettings& settings) {
  return std::make_unique<StepperSmooth>(system, settings);
}

// A new formulation joins here.
const std::vector<StepperEntry>& formulations() {
  static const std::vector<StepperEntry> table = {
      {"smooth", make_smooth},
      {"compliant", make_smooth},
      {"cone", make_rigid},
      {"stewart_trinkle", make_rigid},
      {"berard", make_rigid},
      {"anitescu_potra", make_rigid},
      {"geometric_implicit", make_geometric},
  };
  return table;
}

}  // namespace

const char* name_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "ok";
    case StepStatus::diverged:
      return "diverged";
    case StepStatus::constraint_failed:
      return "constraint_failed";
    case StepStatus::step_too_small:
      return "step_too_small";
  }
  STICTION_CHECK(false);
}

const std::vector<ContactRecord>& Stepper::contacts() const {
  static const std::vector<ContactRecord> none;
  return none;
}

bool has_contact(const std::string& type) {
  return type != "smooth";
}

const char* choose_formulation(bool has_contact_tables) {
  return has_contact_tables ? "cone" : "smooth";
}

bool uses_integrator(const std::string& type) {
  return type == "smooth" || type == "compliant";
}

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const StepperEntry& formulation : formulations()) result.push_back(formulation.name);
    return result;
  }();
  return names;
}

std::unique_ptr<Stepper> make_stepper(const System& system, const MethodSettings& settings) {
  const auto& table = formulations();
  const std::string type = settings.type.empty() ? choose_formulation(system.contact.in_use) : settings.type;
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& f) { return f.name == type; });
  STICTION_CHECK(found != table.end());
  auto stepper = found->make(system, settings);
  if (system.controllers.empty()) return stepper;
  return std::make_unique<StepperSampled>(system, settings, std::move(stepper));
}

}  // namespace stiction
