#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "stiction/base/fault.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_scene.h"
#include "apps/cli/step_matrices.h"

namespace stiction::cli {
namespace {

struct ExplainStepOptions {
  std::filesystem::path scene;
  std::vector<std::string> overrides;
  double at = 0;
  int problem = 0;  ///< from 1; 0: the last
  bool json = false;
};

constexpr int most_velocities = 40;

int explain_step_of(const ExplainStepOptions& options) {
  const Scene scene = read_scene(load_scene_text(options.scene, options.overrides));
  const System system = compile(scene);
  if (uses_integrator(scene.method.type))
    throw InputError(fmt::format("method \"{}\" has no problem of a step to write down", scene.method.type),
                     "use a rigid method: --set method.type=berard");
  if (system.nv > most_velocities)
    throw InputError(fmt::format("{} velocities are too many to write down (at most {})", system.nv, most_velocities),
                     "stiction run --dump-problems writes the contact problems of large scenes");
  if (!(options.at >= 0 && options.at < scene.time.duration))
    throw InputError(
        fmt::format("--at must be at least 0 and below time.duration = {} s, got {}", scene.time.duration, options.at));
  MethodSettings settings = scene.method;
  settings.step = scene.time.step;
  State state = system.initial;
  const auto stepper = make_stepper(system, settings);
  // Times of steps are rounded.
  while (state.t + settings.step <= options.at + 1e-9 * settings.step) {
    const StepReport report = stepper->step(state, scene.time.duration);
    if (report.status != StepStatus::ok) throw InputError("the run ends before that: " + report.message);
  }
  const ExplainedStep step = explain_step(*stepper, settings.step, state);
  const int count = static_cast<int>(step.problems.size());
  if (options.problem > count)
    throw InputError(
        fmt::format("--problem: the step has {} problem{}, got {}", count, count == 1 ? "" : "s", options.problem));
  print(options.json ? format_step_as_json(step, scene.method.type).dump(2) + "\n"
                     : format_step(step, options.problem, scene.method.type));
  return exit_ok;
}

}  // namespace

void add_explain_step(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainStepOptions>();
  CLI::App* command = app.add_subcommand(
      "explain-step",
      "Write down the problems that a step of a small scene posed: masses, constraints, contacts, impulses");
  command->add_option("SCENE", options->scene, "Scene file")->required()->type_name(" ");
  command->add_option("--at", options->at, "The step that begins at this time, or holds it inside [s]")
      ->capture_default_str()
      ->type_name("TIME");
  command
      ->add_option("--problem", options->problem,
                   "Of several problems of the step, the one to write down (default the last)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->add_flag("--json", options->json, "Print all problems of the step as one JSON object");
  add_set_option(*command, options->overrides);
  command->footer("Example: stiction explain-step box.toml --at 0.5");
  command->callback([options, &action] { action = [options] { return explain_step_of(*options); }; });
}

}  // namespace stiction::cli
