#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_comparison.h"

namespace stiction::cli {

void add_compare(CLI::App& app, Action& action) {
  struct CompareOptions {
    std::vector<std::filesystem::path> runs;
    std::vector<std::string> signals;
    std::filesystem::path out;
  };
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Events, final states and forces of several runs side by side, and plotted together");
  command->add_option("RUN", options->runs, "Run folders, the first is what others are compared with")
      ->required()
      ->expected(2, -1)
      ->type_name(" ");
  command->add_option("--signals", options->signals, "Signals to compare (* and ? stand for any characters)");
  command->add_option("-o,--out", options->out, "SVG file of the signals and forces, overlaid")->type_name("FILE");
  command->footer("Example: stiction compare runs/cone runs/compliant -o both.svg");
  command->callback([options, &action] {
    action = [options] {
      std::vector<ComparedRun> runs;
      for (const auto& folder : options->runs) runs.push_back(open_compared(folder));
      const std::vector<std::string> signals = choose_compared(runs, options->signals);
      print(format_comparison(runs, signals));
      if (!options->out.empty()) {
        write_file(options->out, draw_comparison(runs, signals));
        print(fmt::format("wrote {}\n", options->out.string()));
      }
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
