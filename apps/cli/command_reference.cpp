#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {

void add_reference(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("reference", "Print the scene format: every key with unit, default and range");
  command->footer("Example: stiction reference | less");
  command->callback([&action] {
    action = [] {
      print(format_scene_reference());
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
