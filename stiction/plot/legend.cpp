#include "stiction/plot/legend.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {
namespace {

constexpr double font_size = 12;     // [px]
constexpr double row_height = 20;    // [px]
constexpr double sample_width = 30;  // [px] of the line beside a label
constexpr double sample_gap = 8;     // [px] between line and label
constexpr double column_gap = 16;    // [px]

constexpr std::array colors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array dashes = {"", "8 3", "2 2.5", "9 3 2 3", "14 4"};

double widest(const std::vector<std::string>& labels) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, estimate_text_width(label, font_size));
  return width;
}

}  // namespace

LineStyle series_style(std::size_t index) {
  return {.color = colors[index % colors.size()], .width = 1.6, .dash = dashes[index % dashes.size()]};
}

Legend arrange_legend(const std::vector<Series>& series, double width, double height) {
  Legend legend;
  if (series.size() < 2) return legend;
  const double sample = sample_width + sample_gap;
  for (const Series& one : series) legend.labels.push_back(shorten_text(one.label, font_size, width - sample));
  const auto count = static_cast<double>(series.size());
  legend.column_width = sample + widest(legend.labels) + column_gap;

  // Beside the curves, if that leaves them two thirds of the width.
  legend.below = legend.column_width > width / 3 || count * row_height > height;
  const double most_columns = std::max(1.0, std::floor((width + column_gap) / legend.column_width));
  legend.columns = legend.below ? static_cast<int>(std::min(most_columns, count)) : 1;
  legend.rows = static_cast<int>(std::ceil(count / legend.columns));
  legend.width = legend.columns * legend.column_width - column_gap;
  legend.height = legend.rows * row_height;
  return legend;
}

void draw_legend(const Legend& legend, PixelPoint corner, Canvas& canvas) {
  for (std::size_t i = 0; i < legend.labels.size(); ++i) {
    // Reading order: column by column at the right, row by row below.
    const auto columns = static_cast<std::size_t>(legend.columns);
    const double x = corner.x + static_cast<double>(i % columns) * legend.column_width;
    const double y = corner.y + (static_cast<double>(i / columns) + 0.5) * row_height;
    canvas.add_line({x, y}, {x + sample_width, y}, series_style(i));
    canvas.add_text({x + sample_width + sample_gap, y + 0.35 * font_size}, legend.labels[i], {.size = font_size});
  }
}

}  // namespace stiction
