#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stiction {

/// One curve.
struct Series {
  std::string label;
  std::vector<double> x, y;  ///< same length; gaps where not finite
};

struct LinePlot {
  std::string title;
  std::string x_label, y_label;  ///< with units: "time [s]"
  std::vector<Series> series;
  int width = 860, height = 480;                       ///< [px]
  bool log_x = false;                                  ///< logarithmic x axis; points with x <= 0 are left out
  std::optional<std::pair<double, double>> y_range{};  ///< shown whatever the data is; else what the data spans
};

/// A self-contained SVG picture: axes with round ticks, light grid, legend, colours that are told apart by the
/// colour-blind and in print. The same input gives the same bytes. Curves of many points are thinned to what the width
/// can show, keeping every extreme (minimum and maximum of each pixel column).
std::string draw_line_plot(const LinePlot& plot);

/// Several of them below one another in one picture.
std::string draw_line_plots(const std::vector<LinePlot>& plots);

}  // namespace stiction
