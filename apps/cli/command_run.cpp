#include <memory>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {

void add_run(CLI::App& app, Action& action) {
  struct RunOptions {
    std::filesystem::path scene, out;
    std::vector<std::string> overrides;
    ShowOptions show;
  };
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene and store the run in a folder");
  command->add_option("SCENE", options->scene, "Scene file")->required()->type_name(" ");
  add_set_option(*command, options->overrides);
  add_strict_option(*command, options->overrides);
  add_out_option(*command, options->out);
  add_show_options(*command, options->show);
  add_dump_option(*command, options->show);
  add_profile_option(*command, options->show);
  add_view_options(*command, options->show);
  command->footer("Example: stiction run pendulum.toml --set time.duration=2 --out runs/short");
  command->callback([options, &action] {
    action = [options] {
      std::vector<Fault> faults;
      const Scene scene = read_scene(load_scene_text(options->scene, options->overrides), faults);
      // A faulty scene: everything else that is wrong with it belongs to the answer.
      if (!faults.empty()) (void)compile(scene, std::move(faults));
      return run_scene(scene, options->scene.stem().string(), options->out, options->show);
    };
  });
}

}  // namespace stiction::cli
