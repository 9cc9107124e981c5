#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/compile/notices.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {
namespace {

std::string format_line(std::string_view name, std::string_view text) {
  return fmt::format("  {:<20}{}\n", name, text);
}

std::string format_bodies(const System& system) {
  std::vector<std::string> words;
  // Body 0 is the world.
  constexpr std::size_t most = 20;
  const std::size_t shown = std::min(system.bodies.size(), most + 1);
  for (std::size_t i = 1; i < shown; ++i) {
    const Body& body = system.bodies[i];
    const bool moves = body.mass.mass > 0;
    words.push_back(moves ? fmt::format("{} ({:.6g} kg)", body.name, body.mass.mass) : body.name);
  }
  if (shown < system.bodies.size()) words.push_back(fmt::format("and {} more", system.bodies.size() - shown));
  return words.empty() ? "none" : join_words(words, ", ");
}

std::string format_joints(const System& system) {
  std::vector<std::string> words;
  for (const NamedJoint& joint : system.named_joints) {
    const char* form = joint.form == JointForm::constraint ? ", as constraints" : "";
    words.push_back(fmt::format("{} ({}{})", joint.name, name_of(joint.kind), form));
  }
  return words.empty() ? "none" : join_words(words, ", ");
}

// Velocities that forces decide; constraints take away at most as many as they have rows.
std::string format_freedom(const System& system) {
  int prescribed = 0;
  std::size_t rows = 0;
  for (const Joint& joint : system.joints) prescribed += joint.prescribed() ? joint.nv : 0;
  for (const Constraint& constraint : system.constraints) rows += constraint.rows.size();
  std::string text = std::to_string(system.nv - prescribed);
  if (prescribed > 0) text += fmt::format(" and {} prescribed", prescribed);
  if (rows > 0) text += fmt::format(", before {} constraint row{}", rows, rows == 1 ? "" : "s");
  return text;
}

std::string format_understood(const Scene& scene, const System& system) {
  std::string text = paint(scene.title.empty() ? "(no title)" : scene.title, Color::bold) + "\n";
  if (!scene.paper.empty()) text += format_line("paper", scene.paper);
  text += format_line("bodies", format_bodies(system));
  text += format_line("joints", format_joints(system));
  text += format_line("degrees of freedom", format_freedom(system));
  const std::string integrator =
      uses_integrator(scene.method.type) ? fmt::format(", integrator {}", scene.method.integrator) : "";
  text += format_line("method", scene.method.type + integrator);
  text += format_line("duration", format_number(scene.time.duration) + " s");
  // A last, shorter step where the duration is no whole number of them.
  const double steps = std::ceil(scene.time.duration / scene.time.step * (1 - 1e-12));
  text += format_line("step",
                      fmt::format("{} s, {:.0f} step{}", format_number(scene.time.step), steps, steps == 1 ? "" : "s"));
  text += format_line("output", format_number(calc_output_interval(scene)) + " s");
  for (const Notice& notice : list_notices(scene, system)) {
    const bool warns = notice.kind == Notice::Kind::warning;
    text += (warns ? paint("warning", Color::yellow) : "note") + ": " + notice.text + "\n";
  }
  return text + paint("no errors", Color::green) + "\n";
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  struct CheckOptions {
    std::filesystem::path scene;
    std::vector<std::string> overrides;
  };
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a scene file: summarise it, or list all errors");
  command->add_option("SCENE", options->scene, "Scene file")->required()->type_name(" ");
  add_set_option(*command, options->overrides);
  command->footer("Example: stiction check pendulum.toml");
  command->callback([options, &action] {
    action = [options] {
      std::vector<Fault> faults;
      const Scene scene = read_scene(load_scene_text(options->scene, options->overrides), faults);
      print(format_understood(scene, compile(scene, std::move(faults))));
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
