#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"

#include "apps/cli/commands.h"
#include "apps/cli/solve_files.h"

namespace stiction::cli {

void add_solve(CLI::App& app, Action& action) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app.add_subcommand("solve", "Solve complementarity problems from files");
  command
      ->add_option("FILE", options->files,
                   "Problems: LCP and mixed LCP as JSON, contact with Coulomb friction as FCLIB (HDF5)")
      ->required()
      ->type_name(" ");
  command
      ->add_option(
          "--method", options->methods,
          "Solver instead of the automatic choice; an unknown name lists those of the problem. May be repeated with "
          "--profile")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--tolerance", options->solver.tolerance, "Largest residual of a solution, at most 1")
      ->capture_default_str()
      ->type_name("NUMBER");
  command->add_option("--threads", options->solver.threads, "Threads for independent parts of a contact problem")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_flag("--json", options->json, "Print status, residual, iterations, seconds and solution as JSON");
  CLI::Option* profile =
      command->add_flag("--profile", options->profile, "Compare all methods by their Dolan-More performance profile");
  command->add_option("-o,--out", options->out, "SVG file of the profile")->needs(profile)->type_name("FILE.svg");
  command->footer(
      "Example: stiction solve contact.hdf5 --json\n"
      "Example: stiction solve problems/*.json --profile -o profile.svg\n\n"
      "Exit codes: 0 all solved, 2 bad input, 3 a problem was not solved, 5 files cannot be read or written");
  command->callback([options, &action] {
    action = [options] {
      const double tolerance = options->solver.tolerance;
      if (!(tolerance > 0 && tolerance <= 1)) {
        throw InputError(fmt::format("--tolerance must be above 0 and at most 1, got {}", tolerance));
      }
      const std::string ending = options->out.extension().string();
      if (!options->out.empty() && ending != ".svg" && ending != ".SVG") {
        throw InputError(fmt::format("--out must be named .svg, got {}", options->out.string()),
                         "the picture is SVG; browsers show it and Inkscape makes other formats of it");
      }
      if (options->profile) return profile_files(*options);
      if (options->methods.size() > 1) {
        throw InputError("--method is given more than once", "only --profile compares several methods");
      }
      return solve_files(*options);
    };
  });
}

}  // namespace stiction::cli
