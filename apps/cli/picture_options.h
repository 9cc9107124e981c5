#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

#include "apps/cli/headless_browser.h"

namespace stiction::cli {

/// What a snapshot and a movie have in common.
struct PictureOptions {
  std::filesystem::path run, out;
  std::string size = "1280x720";
  std::string camera;  ///< six numbers: its place and the point it looks at; empty: everything in view
  std::string layers;  ///< names with commas between; empty: as in the report
};
void add_picture_options(CLI::App& command, PictureOptions& options, const std::string& file_help);

/// InputError for a file that is not named as what it will be.
void check_ending(const std::filesystem::path& out, const std::string& ending, const std::string& what);

/// InputError for what is no size.
PictureSize read_size(const std::string& text);

/// A browser with the report of the run in it, the picture alone, at that time. `folder` holds the report.
std::unique_ptr<HeadlessBrowser> show_picture(const PictureOptions& options, double time,
                                              const std::filesystem::path& folder);

/// Draws another time.
void seek(HeadlessBrowser& browser, double time);

}  // namespace stiction::cli
