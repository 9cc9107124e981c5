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

/// A vertical line with a word to it: an event.
struct PlotMark {
  double x = 0;
  std::string label;
};

struct LinePlot {
  std::string title;
  std::string x_label, y_label;  ///< with units: "time [s]"
  std::vector<Series> series;
  int width = 860, height = 480;                       ///< [px]
  bool log_x = false, log_y = false;                   ///< logarithmic axes; points that are not > 0 are left out
  std::optional<std::pair<double, double>> x_range{};  ///< shown whatever the data is; else what the data spans
  std::optional<std::pair<double, double>> y_range{};  ///< the same for y
  std::vector<PlotMark> marks{};
};

/// A self-contained SVG picture: axes with round ticks, light grid, legend, colours that are told apart by the
/// colour-blind and in print. The same input gives the same bytes. Curves of many points are thinned to what the width
/// can show, keeping every extreme (minimum and maximum of each pixel column).
std::string draw_line_plot(const LinePlot& plot);

/// Several of them below one another in one picture, their axes one below the other.
std::string draw_line_plots(const std::vector<LinePlot>& plots);

/// The same picture as a PNG file, with `scale` pixels for each of the plot's.
std::string draw_line_plots_png(const std::vector<LinePlot>& plots, double scale = 2);

}  // namespace stiction
