#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace stiction::cli {

/// What the program answers with. 1 is left for faults of our own; 130 is what shells say of a program ended by Ctrl-C.
enum ExitCode : int {
  exit_ok = 0,
  exit_fault = 1,
  exit_input = 2,
  exit_limit = 3,
  exit_diverged = 4,
  exit_io = 5,
  exit_interrupted = 130
};

/// Set by the subcommand that was chosen; called after parsing; returns the exit code.
using Action = std::function<int()>;

// Each adds one subcommand with its options and help.
void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_resume(CLI::App& app, Action& action);
void add_examples(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_snapshot(CLI::App& app, Action& action);
void add_movie(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_material(CLI::App& app, Action& action);
void add_geometry(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_explain_step(CLI::App& app, Action& action);
void add_export_fmu(CLI::App& app, Action& action);
void add_scene(CLI::App& app, Action& action);
void add_new(CLI::App& app, Action& action);
void add_reference(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);

}  // namespace stiction::cli
