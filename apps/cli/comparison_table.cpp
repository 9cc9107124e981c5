#include "apps/cli/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/noise.h"

#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

/// A column for each run, as wide as its name and two spaces, and for all but the first one of differences.
std::size_t column_width(const ComparedRun& run) {
  return std::max<std::size_t>(run.name.size() + 2, 16);
}

/// Rounding in the last places is no difference.
std::string format_difference(double from, double to, double scale) {
  const double difference = drop_noise(to - from, std::max({scale, std::abs(from), std::abs(to)}));
  return difference == 0 ? fmt::format("{:>12}", 0) : fmt::format("{:>12.2e}", difference);
}

}  // namespace

std::string format_row(const std::string& name, const std::vector<ComparedRun>& runs,
                       const std::vector<std::optional<double>>& values, double scale) {
  constexpr std::size_t name_width = 34;
  std::string text = fmt::format("  {:<{}}", name, name_width);
  if (name.size() > name_width) text += fmt::format("\n  {:<{}}", "", name_width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t width = column_width(runs[i]);
    text +=
        values[i] ? fmt::format("{:>{}.8g}", drop_noise(*values[i], scale), width) : fmt::format("{:>{}}", "-", width);
    if (i == 0) continue;
    text += values[i] && values[0] ? format_difference(*values[0], *values[i], scale) : fmt::format("{:>12}", "");
  }
  return text + "\n";
}

std::string format_heading(const std::string& title, const std::vector<ComparedRun>& runs) {
  std::string text = fmt::format("{:<36}", title);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += fmt::format("{:>{}}", runs[i].name, column_width(runs[i]));
    if (i > 0) text += fmt::format("{:>12}", "difference");
  }
  return paint(text, Color::bold) + "\n";
}

}  // namespace stiction::cli
