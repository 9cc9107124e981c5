#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

#include "stiction/results/run_store.h"

namespace stiction::cli {

/// completed, diverged, limit, failed; running while a program writes it, killed where it did not end.
std::string status_word(const RunReader& run);

/// What `stiction info --json` says of a run.
nlohmann::ordered_json run_as_json(const RunReader& run, const std::filesystem::path& folder);

/// The same for people: a few aligned lines.
std::string format_report(const RunReader& run, const std::filesystem::path& folder);

/// The largest energy that is known of a run [J]: beside it, what is below 1e-13 of it is noise.
double calc_energy_scale(const RunSummary& summary);

/// A table of the signals with their units.
std::string format_signals(const RunReader& run);

/// The exit code that a run's end stands for.
int exit_code_of(RunStatus status);

}  // namespace stiction::cli
