#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/scene/scene.h"

namespace stiction::cli {

/// How a run is shown and when it stops: the same for run, resume and examples run.
struct ShowOptions {
  bool quiet = false, json = false;
  std::string progress = "auto";
  std::int64_t max_steps = 0;
  int threads = 0;            ///< instead of method.threads; 0: as the scene says
  bool view = false;          ///< write a report into the run folder and open it
  std::string dump_problems;  ///< of which steps (problem_dump.h); empty: none
  bool profile = false;       ///< show where the time goes
  bool live = false;          ///< show the run in a browser as it goes
};
void add_show_options(CLI::App& command, ShowOptions& options);

/// --view and --live.
void add_view_options(CLI::App& command, ShowOptions& options);

/// --dump-problems WHEN.
void add_dump_option(CLI::App& command, ShowOptions& options);
/// --profile
void add_profile_option(CLI::App& command, ShowOptions& options);
/// --set key.path=value, any number of times.
/// --strict, which is method.strict = true among the overrides.
void add_strict_option(CLI::App& command, std::vector<std::string>& overrides);
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);
void add_out_option(CLI::App& command, std::filesystem::path& out);

/// Simulate into `out`, or into runs/NAME (NAME-2, ... if that is there) where it is empty; show the summary; return
/// the exit code.
int run_scene(const Scene& scene, const std::string& name, const std::filesystem::path& out,
              const ShowOptions& options);
int resume_run(const std::filesystem::path& folder, const ShowOptions& options);

}  // namespace stiction::cli
