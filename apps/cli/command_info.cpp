#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/report.h"
#include "apps/cli/report_verdict.h"

namespace stiction::cli {

void add_info(CLI::App& app, Action& action) {
  struct InfoOptions {
    std::filesystem::path run;
    bool json = false, signals = false, audit = false;
  };
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Verdict, summary, audit, events and signals of a run");
  command->add_option("RUN", options->run, "Run folder")->required()->type_name(" ");
  CLI::Option* json = command->add_flag("--json", options->json, "Print everything as one JSON object");
  command->add_flag("--signals", options->signals, "List only the signals, with their units")->excludes(json);
  command->add_flag("--audit", options->audit, "Print every value of the audit, with its unit")->excludes(json);
  command->footer("Example: stiction info runs/pendulum --signals");
  command->callback([options, &action] {
    action = [options] {
      const auto run = RunReader::open(options->run);
      if (options->json) {
        print(run_as_json(*run, options->run).dump(2) + "\n");
      } else {
        print(options->signals ? format_signals(*run)
              : options->audit ? format_measures(judge(*run)) + format_audit(run->summary())
                               : format_report(*run, options->run));
      }
      return exit_ok;
    };
  });
}

}  // namespace stiction::cli
