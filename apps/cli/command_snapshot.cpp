#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/results/run_store.h"

#include "apps/cli/child_process.h"
#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/interrupt_watch.h"
#include "apps/cli/picture_options.h"

namespace stiction::cli {
namespace {

struct SnapshotOptions : PictureOptions {
  double time = -1;  // < 0: the end
};

int take_snapshot(const SnapshotOptions& options) {
  check_ending(options.out, ".png", "a snapshot");
  const std::vector<double> times = RunReader::open(options.run)->times();
  if (times.empty()) throw InputError(fmt::format("{} has no samples yet", options.run.string()));
  const double time = options.time < 0 ? times.back() : options.time;
  if (time > times.back()) {
    throw InputError(
        fmt::format("--time: the run ends at {} s, got {} s", format_number(times.back()), format_number(time)));
  }
  const InterruptWatch watch;
  const TemporaryFolder folder;
  const auto browser = show_picture(options, time, folder.path());
  write_file(options.out, browser->take_picture());
  print(fmt::format("wrote {} (t = {} s)\n", options.out.string(), format_number(time)));
  return exit_ok;
}

}  // namespace

void add_snapshot(CLI::App& app, Action& action) {
  auto options = std::make_shared<SnapshotOptions>();
  CLI::App* command = app.add_subcommand("snapshot", "Write a picture of a run at one time (needs chromium)");
  add_picture_options(*command, *options, "PNG file");
  command->add_option("--time", options->time, "Seconds (default: the end of the run)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("T");
  command->footer("Example: stiction snapshot runs/falling_rod --time 0.45 -o rod.png");
  command->callback([options, &action] { action = [options] { return take_snapshot(*options); }; });
}

}  // namespace stiction::cli
