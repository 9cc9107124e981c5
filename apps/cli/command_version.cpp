#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "stiction/base/version.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {

void add_version(CLI::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("version", "Print the version of the program");
  command->add_flag("--json", *json, "Print a JSON object");
  command->footer("Example: stiction version --json");
  command->callback([json, &action] {
    action = [json] {
      print(*json ? nlohmann::json{{"version", version}}.dump() + "\n" : fmt::format("stiction {}\n", version));
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
