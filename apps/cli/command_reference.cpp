#include <memory>

#include "stiction/results/verdict.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {

void add_reference(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("reference", "Print the scene format: every key with unit, default and range");
  auto verdict = std::make_shared<bool>(false);
  command->add_flag("--verdict", *verdict, "Instead: every measure of the verdict with its limits and remedy");
  command->footer("Example: stiction reference | less");
  command->callback([verdict, &action] {
    action = [verdict] {
      print(*verdict ? format_measures_reference() : format_scene_reference());
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
