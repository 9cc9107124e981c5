#include "stiction/plot/line_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "stiction/plot/curve.h"
#include "stiction/plot/legend.h"

#include "test/support/xml_check.h"

namespace stiction {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Series make_sine(const std::string& label, int count, double rate) {
  Series series{.label = label, .x = {}, .y = {}};
  for (int i = 0; i < count; ++i) {
    series.x.push_back(10.0 * i / count);
    series.y.push_back(std::sin(rate * series.x.back()));
  }
  return series;
}

LinePlot make_plot(std::vector<Series> series) {
  return {.title = "A title", .x_label = "time [s]", .y_label = "position [m]", .series = std::move(series)};
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

// The points of every polyline of a picture.
std::vector<std::vector<PixelPoint>> read_curves(const std::string& svg) {
  std::vector<std::vector<PixelPoint>> curves;
  for (std::size_t i = svg.find(" points=\""); i != std::string::npos; i = svg.find(" points=\"", i + 1)) {
    std::istringstream points(svg.substr(i + 9, svg.find('"', i + 9) - i - 9));
    curves.emplace_back();
    PixelPoint point;
    char comma = 0;
    while (points >> point.x >> comma >> point.y) curves.back().push_back(point);
  }
  return curves;
}

const PixelMap unit_map{.x = {0, 10}, .y = {-1, 1}, .corner = {100, 50}, .width = 500, .height = 200};

TEST(curve, borders_of_the_ranges_land_on_the_borders_of_the_area) {
  EXPECT_EQ(unit_map(0, 1).x, 100);
  EXPECT_EQ(unit_map(0, 1).y, 50);
  EXPECT_EQ(unit_map(10, -1).x, 600);
  EXPECT_EQ(unit_map(10, -1).y, 250);
}

TEST(curve, few_points_are_all_kept) {
  const Series series{.label = "", .x = {0, 1, 2, 3}, .y = {0, 1, -1, 0.5}};
  const auto pieces = trace_curve(series, unit_map);
  ASSERT_EQ(pieces.size(), 1u);
  ASSERT_EQ(pieces[0].size(), 4u);
  EXPECT_EQ(pieces[0][2].x, 200);  // 100 + 2/10 * 500
  EXPECT_EQ(pieces[0][2].y, 250);
}

TEST(curve, many_points_are_thinned_and_every_column_keeps_its_extremes) {
  Series series = make_sine("", 200000, 40);
  series.y[123457] = 0.9999999;  // a spike of one sample
  series.y[54321] = -0.9999999;
  const auto pieces = trace_curve(series, unit_map);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LE(pieces[0].size(), 4u * 500u);

  // Independent: lowest and highest pixel of each column from all samples.
  std::vector<double> low(501, infinity), high(501, -infinity), kept_low = low, kept_high = high;
  const auto widen = [](PixelPoint p, std::vector<double>& lows, std::vector<double>& highs) {
    const auto column = static_cast<std::size_t>(std::floor(p.x) - 100);
    lows[column] = std::min(lows[column], p.y);
    highs[column] = std::max(highs[column], p.y);
  };
  for (std::size_t i = 0; i < series.x.size(); ++i) widen(unit_map(series.x[i], series.y[i]), low, high);
  for (const PixelPoint& point : pieces[0]) widen(point, kept_low, kept_high);
  EXPECT_EQ(low, kept_low);
  EXPECT_EQ(high, kept_high);
}

TEST(curve, gaps_at_numbers_that_cannot_be_drawn) {
  const Series series{.label = "", .x = {0, 1, 2, 3, 4, 5, 6, 7}, .y = {nan, 0, 0, infinity, 0, -1e308, 0, 0}};
  const auto pieces = trace_curve(series, unit_map);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].size(), 2u);
  EXPECT_EQ(pieces[1].size(), 1u);
  EXPECT_EQ(pieces[2].size(), 2u);
}

TEST(line_plot, is_well_formed_whatever_the_data) {
  const std::vector<std::vector<Series>> cases = {
      {},
      {{"empty", {}, {}}},
      {{"one", {0}, {0}}},
      {{"constant", {0, 1, 2}, {5, 5, 5}}},
      {{"instant", {1, 1, 1}, {0, 1, 2}}},
      {{"nothing finite", {0, 1}, {nan, infinity}}},
      {{"huge", {0, 1}, {1e308, -1e308}}},
      {{"large", {0, 1}, {1e300, -1e300}}},
      {{"tiny", {0, 1}, {5e-324, 0}}},
      {{"tiny times", {0, 5e-324}, {1, 2}}},
      {{"a < b & \"c\"", {0, 1}, {0, 1}}, {"'\x01\xFF", {0, 1}, {1, 0}}},
  };
  for (const std::vector<Series>& series : cases) {
    const std::string svg = draw_line_plot(make_plot(series));
    EXPECT_EQ(stiction_test::find_xml_fault(svg), "") << svg;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  }
}

TEST(line_plot, says_so_where_nothing_can_be_drawn) {
  EXPECT_NE(draw_line_plot(make_plot({{"a", {0}, {nan}}})).find(">no finite samples<"), std::string::npos);
}

TEST(line_plot, labels_are_there) {
  const std::string svg = draw_line_plot(make_plot({make_sine("left & right", 100, 1), make_sine("other", 100, 2)}));
  EXPECT_NE(svg.find(">time [s]<"), std::string::npos);
  EXPECT_NE(svg.find(">position [m]<"), std::string::npos);
  EXPECT_NE(svg.find(">left &amp; right<"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<polyline"), 2);
}

TEST(line_plot, same_input_gives_the_same_bytes) {
  const LinePlot plot = make_plot({make_sine("a", 5000, 3), make_sine("b", 5000, 4)});
  EXPECT_EQ(draw_line_plot(plot), draw_line_plot(plot));
}

// On a logarithmic y axis 10^x is a straight line.
TEST(line_plot, an_exponential_is_straight_on_a_logarithmic_axis) {
  LinePlot plot = make_plot({{"a", {}, {}}});
  for (int i = 0; i <= 20; ++i) {
    plot.series[0].x.push_back(i);
    plot.series[0].y.push_back(std::pow(10.0, 0.3 * i));
  }
  plot.log_y = true;
  const auto curves = read_curves(draw_line_plot(plot));
  ASSERT_EQ(curves.size(), 1u);
  const PixelPoint first = curves[0].front(), last = curves[0].back();
  for (const PixelPoint& point : curves[0]) {
    const double share = (point.x - first.x) / (last.x - first.x);
    // Pixels are written with two decimals.
    EXPECT_NEAR(point.y, first.y + share * (last.y - first.y), 0.02);
  }
}

TEST(line_plot, panels_line_up_and_a_given_range_is_shown) {
  LinePlot wide = make_plot({{"a", {0, 1}, {0, 1}}}), narrow = make_plot({{"b", {0.25, 0.75}, {1e5, 1.23456e5}}});
  wide.x_range = narrow.x_range = {0.0, 1.0};
  const auto curves = read_curves(draw_line_plots({wide, narrow}));
  ASSERT_EQ(curves.size(), 2u);
  // 0.25 lies a quarter of the way from 0 to 1, whatever the labels of its own panel.
  const double left = curves[0][0].x, width = curves[0][1].x - left;
  EXPECT_NEAR(curves[1][0].x, left + 0.25 * width, 0.02);
  EXPECT_NEAR(curves[1][1].x, left + 0.75 * width, 0.02);
}

TEST(line_plot, marks_stand_at_their_times_with_their_words) {
  LinePlot plot = make_plot({{"a", {0, 10}, {0, 1}}});
  plot.marks = {{.x = 5, .label = "impact a<b"}, {.x = 99, .label = "outside"}};
  const std::string svg = draw_line_plot(plot);
  EXPECT_NE(svg.find(">impact a&lt;b<"), std::string::npos);
  EXPECT_EQ(svg.find("outside"), std::string::npos);
  EXPECT_EQ(stiction_test::find_xml_fault(svg), "");
}

TEST(line_plot, png_has_the_pixels_of_the_svg) {
  const std::vector<LinePlot> plots = {make_plot({make_sine("a", 100, 1)}),
                                       make_plot({make_sine("b\x01\xFF", 100, 2)})};
  const std::string png = draw_line_plots_png(plots, 1), larger = draw_line_plots_png(plots, 2);
  const auto size_of = [](const std::string& file, std::size_t at) {
    int size = 0;
    for (std::size_t k = 0; k < 4; ++k) size = size * 256 + static_cast<unsigned char>(file[at + k]);
    return size;
  };
  // Width and height stand at bytes 16 and 20 of a PNG file.
  EXPECT_EQ(size_of(png, 16), 860);
  EXPECT_EQ(size_of(larger, 16), 1720);
  EXPECT_EQ(size_of(larger, 20), 2 * size_of(png, 20));
  EXPECT_EQ(draw_line_plots_png(plots, 1), png);
}

TEST(line_plot, a_sample_on_its_own_is_a_dot) {
  const std::string svg = draw_line_plot(make_plot({{"a", {0, 1, 2, 3, 4}, {nan, 1, nan, 2, 3}}}));
  EXPECT_EQ(count_of(svg, "<circle"), 1);
  EXPECT_EQ(count_of(svg, "<polyline"), 1);
}

TEST(line_plot, the_legend_lies_outside_the_curves) {
  // Short names at the right, long ones below.
  for (const std::string& name : {std::string("x"), std::string(70, 'n')}) {
    const std::string svg = draw_line_plot(make_plot({make_sine(name, 500, 3), make_sine(name + "2", 500, 4)}));
    double right = 0, bottom = 0;
    for (const auto& curve : read_curves(svg)) {
      for (const PixelPoint& point : curve) {
        right = std::max(right, point.x);
        bottom = std::max(bottom, point.y);
      }
    }
    const std::size_t text = svg.rfind("<text x=\"", svg.find(">" + name + "<"));
    ASSERT_NE(text, std::string::npos);
    const double x = std::strtod(svg.c_str() + text + 9, nullptr);
    const double y = std::strtod(svg.c_str() + svg.find(" y=\"", text) + 4, nullptr);
    EXPECT_TRUE(x > right || y > bottom + 12) << name;
  }
}

TEST(line_plot, curves_are_told_apart_by_colour_and_by_dashes) {
  for (std::size_t i = 0; i < 35; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const LineStyle a = series_style(i), b = series_style(j);
      EXPECT_TRUE(a.color != b.color || a.dash != b.dash) << i << " and " << j;
    }
  }
  // In black and white the first five differ by dashes alone.
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NE(series_style(i).dash, series_style(0).dash);
}

TEST(line_plot, many_names_make_the_picture_higher_not_the_curves_smaller) {
  std::vector<Series> many;
  for (int i = 0; i < 40; ++i) many.push_back(make_sine("signal" + std::to_string(i), 10, i));
  const std::string svg = draw_line_plot(make_plot(many));
  const double height = std::strtod(svg.c_str() + svg.find(" height=\"") + 9, nullptr);
  EXPECT_GT(height, 480);
  EXPECT_EQ(stiction_test::find_xml_fault(svg), "");
}

}  // namespace
}  // namespace stiction
