#include <fmt/format.h>

#include <cerrno>
#include <iostream>
#include <memory>

#include "stiction/base/fault.h"
#include "stiction/exports/export_csv.h"
#include "stiction/exports/export_hdf5.h"
#include "stiction/results/run_model.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

struct ExportOptions {
  std::filesystem::path run, out;
  std::string format = "csv";
  std::vector<std::string> signals = {"*"};
  bool contacts = false;
};

/// To standard output, for as long as someone reads it.
template <class Write>
void write_output(const Write& write) {
  try {
    write(std::cout);
  } catch (const IoError&) {
    if (errno == EPIPE) throw ReaderGone();
    throw;
  }
}

int export_run(const ExportOptions& options) {
  const auto run = RunReader::open(options.run);
  if (options.contacts) {
    if (options.format != "csv") throw InputError("contacts are exported as csv only", "remove --format");
    const RunModel model = run->model();
    const PairNames names(model.contact);
    if (options.out.empty()) {
      write_output([&](std::ostream& out) { export_contacts_csv(*run, names, out); });
    } else {
      export_contacts_csv(*run, names, options.out);
      print(fmt::format("wrote {}\n", options.out.string()));
    }
    return exit_ok;
  }
  if (options.format == "hdf5") {
    if (options.out.empty()) throw InputError("HDF5 cannot be written to standard output", "give a file with --out");
    export_hdf5(*run, options.signals, options.out);
  } else if (options.out.empty()) {
    write_output([&](std::ostream& out) { export_csv(*run, options.signals, out); });
  } else {
    export_csv(*run, options.signals, options.out);
  }
  if (!options.out.empty()) print(fmt::format("wrote {}\n", options.out.string()));
  return exit_ok;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Export the signals of a run as CSV or HDF5");
  command->add_option("RUN", options->run, "Run folder")->required()->type_name(" ");
  command->add_option("--format", options->format, "csv (default) or hdf5")
      ->check(CLI::IsMember({"csv", "hdf5"}))
      ->type_name("FORMAT");
  command
      ->add_option("--signals", options->signals,
                   "Names of signals, by spaces or commas; * matches any characters, ? one character (default: all)")
      ->delimiter(',')
      ->type_name("GLOB...");
  command->add_flag("--contacts", options->contacts,
                    "Export the recorded contacts instead of the signals, one per row");
  command->add_option("-o,--out", options->out, "File (default: csv to standard output)")->type_name("FILE");
  command->footer(
      "Example: stiction export runs/pendulum --format csv --signals 'a.position.*' energy.total --out a.csv");
  command->callback([options, &action] { action = [options] { return export_run(*options); }; });
}

}  // namespace stiction::cli
