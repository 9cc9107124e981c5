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
      "compare", "Compare runs: what differs first, then events, final states and forces side by side");
  command->add_option("RUN", options->runs, "Run folders; the others are compared with the first")
      ->required()
      ->expected(2, -1)
      ->type_name(" ");
  command
      ->add_option("--signals", options->signals,
                   "Signals to compare, by spaces or commas; * matches any characters, ? one character")
      ->delimiter(',');
  command->add_option("-o,--out", options->out, "SVG file with plots of the signals and forces")->type_name("FILE");
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
