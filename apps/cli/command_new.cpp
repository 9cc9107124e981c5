#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"
#include "stiction/scene/describe/new_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {

void add_new(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("new", "Write a small commented scene with contact, to start from");
  command->add_option("NAME", *name, "Name of the scene: the file is NAME.toml")->required()->type_name(" ");
  command->footer("Example: stiction new my_scene");
  command->callback([name, &action] {
    action = [name] {
      std::filesystem::path file = *name;
      if (file.extension() != ".toml") file += ".toml";
      if (file.stem().empty() || !file.has_filename()) throw InputError("expected a name, got an empty one");
      if (std::filesystem::exists(file))
        throw InputError(fmt::format("{} exists already", file.string()),
                         "choose another name: no file is overwritten");
      write_file(file, make_new_scene(file.stem().string()));
      print(fmt::format("wrote {}\n\nNext: stiction run {}\n", file.string(), quote_for_shell(file.string())));
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
