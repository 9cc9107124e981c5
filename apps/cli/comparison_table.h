#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/run_comparison.h"

namespace stiction::cli {

/// Tables of `stiction compare`: a name, the value of the first run, and of each other run value and difference.

std::string format_heading(const std::string& title, const std::vector<ComparedRun>& runs);

/// One row. Long names have a line of their own, so that numbers stay below one another. What is noise beside `scale`,
/// the largest number of the table in that unit, is written as 0.
std::string format_row(const std::string& name, const std::vector<ComparedRun>& runs,
                       const std::vector<std::optional<double>>& values, double scale = 0);

}  // namespace stiction::cli
