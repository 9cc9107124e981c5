#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {

void add_resume(CLI::App& app, Action& action) {
  struct ResumeOptions {
    std::filesystem::path run;
    ShowOptions show;
  };
  auto options = std::make_shared<ResumeOptions>();
  CLI::App* command = app.add_subcommand("resume", "Continue a run that was stopped, killed or reached a limit");
  command->add_option("RUN", options->run, "Run folder")->required()->type_name(" ");
  add_show_options(*command, options->show);
  command->footer(
      "The result is bit-identical to that of a run that was not stopped.\n"
      "Example: stiction resume runs/pendulum");
  command->callback([options, &action] { action = [options] { return resume_run(options->run, options->show); }; });
}

}  // namespace stiction::cli
