#include "stiction/plot/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/plot/axis.h"
#include "stiction/plot/curve.h"
#include "stiction/plot/legend.h"
#include "stiction/plot/log_axis.h"
#include "stiction/plot/png_writer.h"
#include "stiction/plot/svg_writer.h"

namespace stiction {
namespace {

constexpr double tick_size = 12, label_size = 13, title_size = 15;  // fonts [px]
constexpr double tick_length = 5;                                   // [px]
constexpr double edge = 14;                                         // free border of the picture [px]
const LineStyle grid_style{.color = "#e4e4e4", .width = 1, .dash = {}};
const LineStyle zero_style{.color = "#b4b4b4", .width = 1, .dash = {}};
const LineStyle axis_style{.color = "#333333", .width = 1, .dash = {}};
const LineStyle mark_style{.color = "#c08457", .width = 1, .dash = "3 3"};
constexpr std::size_t most_labels = 14;  // of marks: more would cover each other

// Everything that is placed before drawing begins.
struct Layout {
  Axis x_axis, y_axis;
  Legend legend;
  PixelMap map;
  double height = 0;  // of the picture, the legend below included [px]
  bool has_data = false;
};

struct DataRange {
  Range x{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  Range y = x;
  bool empty() const { return x.low > x.high; }
};

DataRange calc_data_range(const std::vector<Series>& series) {
  DataRange range;
  for (const Series& one : series) {
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      if (!is_drawable(one.x[i]) || !is_drawable(one.y[i])) continue;
      range.x = {std::min(range.x.low, one.x[i]), std::max(range.x.high, one.x[i])};
      range.y = {std::min(range.y.low, one.y[i]), std::max(range.y.high, one.y[i])};
    }
  }
  return range;
}

// A typographic minus instead of the hyphen.
std::string with_minus(const std::string& number) {
  return number.starts_with('-') ? "\xE2\x88\x92" + number.substr(1) : number;
}

// What to multiply and add to read an axis: "x10^-6 + 1000". Empty where labels say it all.
std::vector<TextPiece> describe_scale(const Axis& axis) {
  std::vector<TextPiece> pieces;
  if (axis.exponent != 0) {
    pieces.push_back(
        {"\xC3\x97"
         "10"});
    pieces.push_back({with_minus(std::to_string(axis.exponent)), true});
  }
  if (!axis.offset.empty()) {
    const bool negative = axis.offset.starts_with('-');
    // No-break spaces: viewers drop plain ones at the border of a piece.
    pieces.push_back(
        {(negative ? "\xC2\xA0\xE2\x88\x92\xC2\xA0" : "\xC2\xA0+\xC2\xA0") + axis.offset.substr(negative ? 1 : 0)});
  }
  return pieces;
}

double calc_widest_label(const Axis& axis) {
  double width = 0;
  for (const Axis::Tick& tick : axis.ticks) width = std::max(width, estimate_text_width(tick.label, tick_size));
  return width;
}

// Room beside the plotting area, so that several panels line up [px].
struct Sides {
  double left = 0, right = 0;
};

Layout arrange(const LinePlot& plot, const Sides& least = {}) {
  Layout layout;
  const DataRange data = calc_data_range(plot.series);
  layout.has_data = !data.empty();
  const Range shown_x = plot.x_range ? Range{plot.x_range->first, plot.x_range->second} : data.x;
  const Range x = layout.has_data ? widen_range(shown_x, 0) : Range{};
  const Range shown = plot.y_range ? Range{plot.y_range->first, plot.y_range->second} : data.y;
  const Range y = layout.has_data ? widen_range(shown, 0.05) : Range{};

  // Rows above and below the plotting area are known; the columns depend on the legend and the labels.
  const double top = edge + (plot.title.empty() ? 0 : title_size + 10);
  const double bottom = edge + tick_length + tick_size + (plot.x_label.empty() ? 6 : label_size + 14);
  const double inner_height = std::max(plot.height - top - bottom, 60.0);
  layout.legend = arrange_legend(plot.series, plot.width - 2 * edge, inner_height);
  const int y_intervals = static_cast<int>(inner_height / 46);
  layout.y_axis = plot.log_y ? make_log_axis(y, y_intervals) : make_axis(y, y_intervals);
  const bool y_scaled = !describe_scale(layout.y_axis).empty();
  const double scale_row = y_scaled ? tick_size + 6 : 0;

  const double labels = (plot.y_label.empty() ? 0 : label_size + 8) + calc_widest_label(layout.y_axis);
  const double left = std::max(least.left, edge + labels + tick_length + 6);
  const double beside = layout.legend.rows > 0 && !layout.legend.below ? layout.legend.width + 12 : 0;
  const double right = std::max(least.right, edge + 10 + beside);
  const double inner_width = std::max(plot.width - left - right, 60.0);
  const int x_intervals = static_cast<int>(inner_width / 80);
  layout.x_axis = plot.log_x ? make_log_axis(x, x_intervals) : make_axis(x, x_intervals);
  layout.map = {x, y, {left, top + scale_row}, inner_width, inner_height - scale_row};
  layout.height = top + inner_height + bottom + (layout.legend.below ? layout.legend.height + 4 : 0);
  return layout;
}

void draw_grid(const Layout& layout, Canvas& canvas) {
  const PixelMap& map = layout.map;
  const double x0 = map.corner.x, y0 = map.corner.y, x1 = x0 + map.width, y1 = y0 + map.height;
  for (const Axis::Tick& tick : layout.x_axis.ticks) {
    const double x = std::clamp(map(tick.value, map.y.low).x, x0, x1);
    canvas.add_line({x, y0}, {x, y1}, grid_style);
  }
  for (const Axis::Tick& tick : layout.y_axis.ticks) {
    const double y = std::clamp(map(map.x.low, tick.value).y, y0, y1);
    canvas.add_line({x0, y}, {x1, y}, tick.value == 0 ? zero_style : grid_style);
  }
}

void draw_axes(const Layout& layout, Canvas& canvas) {
  const PixelMap& map = layout.map;
  const double x0 = map.corner.x, y0 = map.corner.y, x1 = x0 + map.width, y1 = y0 + map.height;
  canvas.add_line({x0, y0}, {x0, y1}, axis_style);
  canvas.add_line({x0, y1}, {x1, y1}, axis_style);
  for (const Axis::Tick& tick : layout.x_axis.ticks) {
    const double x = std::clamp(map(tick.value, map.y.low).x, x0, x1);
    canvas.add_line({x, y1}, {x, y1 + tick_length}, axis_style);
    canvas.add_text({x, y1 + tick_length + tick_size + 2}, with_minus(tick.label),
                    {.size = tick_size, .anchor = "middle"});
  }
  for (const Axis::Tick& tick : layout.y_axis.ticks) {
    const double y = std::clamp(map(map.x.low, tick.value).y, y0, y1);
    canvas.add_line({x0 - tick_length, y}, {x0, y}, axis_style);
    canvas.add_text({x0 - tick_length - 4, y + 0.35 * tick_size}, with_minus(tick.label),
                    {.size = tick_size, .anchor = "end"});
  }
  canvas.add_text({x1, y1 + tick_length + tick_size + label_size + 10}, describe_scale(layout.x_axis),
                  {.size = tick_size, .anchor = "end"});
  canvas.add_text({x0 - tick_length, y0 - 8}, describe_scale(layout.y_axis), {.size = tick_size});
}

void draw_labels(const LinePlot& plot, const Layout& layout, Canvas& canvas) {
  const PixelMap& map = layout.map;
  const double bottom = map.corner.y + map.height;
  canvas.add_text({map.corner.x, edge + title_size - 2},
                  shorten_text(plot.title, title_size, plot.width - map.corner.x), {.size = title_size, .bold = true});
  canvas.add_text({map.corner.x + map.width / 2, bottom + tick_length + tick_size + label_size + 10},
                  shorten_text(plot.x_label, label_size, map.width), {.size = label_size, .anchor = "middle"});
  canvas.add_text({edge + label_size - 3, map.corner.y + map.height / 2},
                  shorten_text(plot.y_label, label_size, map.height),
                  {.size = label_size, .anchor = "middle", .turn = -90});
}

void draw_curves(const LinePlot& plot, const Layout& layout, Canvas& canvas) {
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const LineStyle style = series_style(i);
    for (const std::vector<PixelPoint>& piece : trace_curve(plot.series[i], layout.map)) {
      if (piece.size() == 1) {
        canvas.add_dot(piece.front(), 2.5, style.color);
      } else {
        canvas.add_polyline(piece, style);
      }
    }
  }
}

// Events as dashed lines; where there is room, with their words along them.
void draw_marks(const LinePlot& plot, const Layout& layout, Canvas& canvas) {
  const PixelMap& map = layout.map;
  double last = -1e9;
  for (const PlotMark& mark : plot.marks) {
    if (!is_drawable(mark.x) || mark.x < map.x.low || mark.x > map.x.high) continue;
    const double x = map(mark.x, map.y.low).x;
    canvas.add_line({x, map.corner.y}, {x, map.corner.y + map.height}, mark_style);
    if (plot.marks.size() > most_labels || x - last < tick_size) continue;
    canvas.add_text({x - 3, map.corner.y + map.height - 4}, shorten_text(mark.label, tick_size - 2, map.height - 8),
                    {.size = tick_size - 2, .color = "#9a5f34", .turn = -90});
    last = x;
  }
}

void take_logarithm(double& value) {
  value = value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

// Coordinates on logarithmic axes replaced by their log10; NaN, which is not drawn, where there is none.
LinePlot take_logarithms(LinePlot plot) {
  for (Series& one : plot.series) {
    if (plot.log_x) std::for_each(one.x.begin(), one.x.end(), take_logarithm);
    if (plot.log_y) std::for_each(one.y.begin(), one.y.end(), take_logarithm);
  }
  if (plot.log_x) {
    for (PlotMark& mark : plot.marks) take_logarithm(mark.x);
    plot.x_range.reset();
  }
  if (plot.log_y && plot.y_range) {
    take_logarithm(plot.y_range->first);
    take_logarithm(plot.y_range->second);
  }
  return plot;
}

void draw_panel(const LinePlot& plot, const Layout& layout, Canvas& canvas) {
  const PixelMap& map = layout.map;
  canvas.add_rectangle({0, 0}, plot.width, layout.height, "#ffffff");
  draw_grid(layout, canvas);
  draw_marks(plot, layout, canvas);
  draw_axes(layout, canvas);
  draw_labels(plot, layout, canvas);
  if (layout.has_data) {
    draw_curves(plot, layout, canvas);
  } else {
    canvas.add_text({map.corner.x + map.width / 2, map.corner.y + map.height / 2}, "no finite samples",
                    {.size = label_size, .anchor = "middle", .color = "#777777"});
  }
  const PixelPoint beside{map.corner.x + map.width + 22, map.corner.y};
  const PixelPoint below{map.corner.x, layout.height - edge - layout.legend.height + 6};
  draw_legend(layout.legend, layout.legend.below ? below : beside, canvas);
}

// Panels arranged below one another, ready to be drawn.
struct Sheet {
  std::vector<LinePlot> plots;
  std::vector<Layout> layouts;
  double width = 0, height = 0;  // [px]
};

Sheet arrange_sheet(const std::vector<LinePlot>& plots) {
  Sheet sheet;
  Sides sides;
  for (const LinePlot& plot : plots) {
    sheet.plots.push_back(plot.log_x || plot.log_y ? take_logarithms(plot) : plot);
    const PixelMap alone = arrange(sheet.plots.back()).map;
    sides.left = std::max(sides.left, alone.corner.x);
    sides.right = std::max(sides.right, plot.width - alone.corner.x - alone.width);
    sheet.width = std::max<double>(sheet.width, plot.width);
  }
  for (const LinePlot& plot : sheet.plots) {
    sheet.layouts.push_back(arrange(plot, sides));
    sheet.height += sheet.layouts.back().height;
  }
  return sheet;
}

void draw_sheet(const Sheet& sheet, Canvas& canvas) {
  double y = 0;
  for (std::size_t i = 0; i < sheet.plots.size(); ++i) {
    canvas.set_origin({0, y});
    draw_panel(sheet.plots[i], sheet.layouts[i], canvas);
    y += sheet.layouts[i].height;
  }
}

}  // namespace

std::string draw_line_plot(const LinePlot& plot) {
  return draw_line_plots({plot});
}

std::string draw_line_plots(const std::vector<LinePlot>& plots) {
  const Sheet sheet = arrange_sheet(plots);
  SvgWriter svg(sheet.width, sheet.height, plots.empty() ? "" : plots.front().title);
  draw_sheet(sheet, svg);
  return svg.finish();
}

std::string draw_line_plots_png(const std::vector<LinePlot>& plots, double scale) {
  const Sheet sheet = arrange_sheet(plots);
  PngWriter png(sheet.width, sheet.height, scale);
  draw_sheet(sheet, png);
  return png.finish();
}

}  // namespace stiction
