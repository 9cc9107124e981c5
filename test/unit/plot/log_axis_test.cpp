#include "stiction/plot/log_axis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/plot/line_plot.h"

namespace stiction {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Axis::Tick& tick : axis.ticks) texts.push_back(tick.label);
  return texts;
}

using Labels = std::vector<std::string>;

TEST(LogAxis, TicksArePowersOfTen) {
  EXPECT_EQ(labels(make_log_axis({0, 3}, 8)), (Labels{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels(make_log_axis({-4.2, 0.5}, 8)), (Labels{"1e-4", "0.001", "0.01", "0.1", "1"}));
  for (const Axis::Tick& tick : make_log_axis({0, 3}, 8).ticks)
    EXPECT_EQ(tick.value, std::log10(std::stod(tick.label)));
}

TEST(LogAxis, ShortRangesGetOneTwoFive) {
  EXPECT_EQ(labels(make_log_axis({0, 1.4}, 8)), (Labels{"1", "2", "5", "10", "20"}));
  EXPECT_EQ(labels(make_log_axis({0, 1}, 8)), (Labels{"1", "2", "5", "10"}));
}

TEST(LogAxis, LongRangesSkipDecades) {
  EXPECT_EQ(labels(make_log_axis({0, 12}, 6)), (Labels{"1", "100", "10000", "1e6", "1e8", "1e10", "1e12"}));
}

TEST(LogAxis, APlotPlacesDecadesAtEqualDistances) {
  // 0 has no logarithm and is left out: the picture is that of the points that have one.
  LinePlot plot;
  plot.log_x = true;
  plot.series.push_back({.label = "a", .x = {1, 10, 100}, .y = {0, 1, 2}});
  const std::string picture = draw_line_plot(plot);
  plot.series[0].x.insert(plot.series[0].x.begin(), 0.0);
  plot.series[0].y.insert(plot.series[0].y.begin(), 7.0);
  EXPECT_EQ(draw_line_plot(plot), picture);
  // The same curve over the logarithms as a linear plot has the same polyline.
  LinePlot linear = plot;
  linear.log_x = false;
  linear.series[0] = {.label = "a", .x = {0, 1, 2}, .y = {0, 1, 2}};
  const auto polyline = [](const std::string& svg) {
    const std::size_t begin = svg.find("<polyline");
    return svg.substr(begin, svg.find("/>", begin) - begin);
  };
  EXPECT_EQ(polyline(draw_line_plot(linear)), polyline(picture));
}

}  // namespace
}  // namespace stiction
