#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stiction::cli {

/// Writes the report of the runs as one HTML file.
void write_report(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& file);

/// Opens a file or an address in the user's browser; says so where there is none.
void open_in_browser(const std::string& target);

/// The same where there is a screen to show it on; else nothing.
void open_if_possible(const std::string& target);

}  // namespace stiction::cli
