#include <fmt/format.h>

#include <memory>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/scene/write/write_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {
namespace {

struct SceneOptions {
  std::filesystem::path scene, out;
  std::vector<std::string> overrides;
  bool all = false;
};

/// All faults of a scene, not only those of its text.
Scene read_valid(const SceneOptions& options) {
  std::vector<Fault> faults;
  Scene scene = read_scene(load_scene_text(options.scene, options.overrides), faults);
  (void)compile(scene, std::move(faults));
  return scene;
}

CLI::App* add_verb(CLI::App& parent, const char* name, const char* sentence, SceneOptions& options) {
  CLI::App* command = parent.add_subcommand(name, sentence);
  command->add_option("SCENE", options.scene, "Scene file")->required()->type_name(" ");
  add_set_option(*command, options.overrides);
  return command;
}

}  // namespace

void add_scene(CLI::App& app, Action& action) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* group = app.add_subcommand("scene", "Write a scene in one file of plain SI numbers, or its hash");
  group->require_subcommand(1);

  CLI::App* normalise =
      add_verb(*group, "normalise", "Write a scene as one file: SI numbers at full precision, no includes", *options);
  normalise->add_flag("--all", options->all, "Write defaults, too");
  normalise->add_option("-o,--out", options->out, "File (default: standard output)")->type_name("FILE");
  normalise->footer(
      "The file reads back as the same scene, bit for bit: the same hash, and its run ends in the same state.\n"
      "Example: stiction scene normalise box.toml --set time.step=1e-4 -o box_fine.toml");
  normalise->callback([options, &action] {
    action = [options] {
      const std::string text = write_scene(read_valid(*options), options->all);
      if (options->out.empty()) {
        print(text);
      } else {
        write_file(options->out, text);
        print(fmt::format("wrote {}\n", options->out.string()));
      }
      return exit_ok;
    };
  });

  CLI::App* hash = add_verb(*group, "hash", "Print the hash of a scene: equal for scenes that say the same", *options);
  hash->footer("Example: stiction scene hash box.toml");
  hash->callback([options, &action] {
    action = [options] {
      print(calc_hash(read_valid(*options)) + "\n");
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
