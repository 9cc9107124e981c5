#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/view_run.h"

namespace stiction::cli {
namespace {

struct ViewOptions {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path out = "report.html";
  bool open = false;
};

int view(const ViewOptions& options) {
  if (std::filesystem::is_directory(options.out)) {
    throw InputError(fmt::format("--out: {} is a folder", options.out.string()), "give a file: -o report.html");
  }
  write_report(options.runs, options.out);
  print(fmt::format("wrote {}\n", options.out.string()));
  if (options.open) open_in_browser(std::filesystem::absolute(options.out).string());
  return exit_ok;
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Write an HTML report: 3D replay, plots, audit");
  command->add_option("RUN", options->runs, "Run folders; the others are compared with the first")
      ->required()
      ->type_name(" ");
  command->add_option("-o,--out", options->out, "HTML file (default report.html)")->type_name("FILE");
  command->add_flag("--open", options->open, "Open the report in the browser");
  command->footer(
      "The report is one file. It needs no network.\n"
      "Example: stiction view runs/falling_rod -o rod.html --open");
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace stiction::cli
