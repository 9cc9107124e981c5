#include "stiction/plot/curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Appends the points of one pixel column, thinned.
void append_column(const std::vector<PixelPoint>& points, std::size_t begin, std::size_t end,
                   std::vector<PixelPoint>& piece) {
  const auto below = [](PixelPoint a, PixelPoint b) { return a.y < b.y; };
  const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = points.begin() + static_cast<std::ptrdiff_t>(end);
  const auto [low, high] = std::minmax_element(first, last, below);
  std::array<std::vector<PixelPoint>::const_iterator, 4> kept = {first, low, high, last - 1};
  std::sort(kept.begin(), kept.end());
  const auto distinct = std::unique(kept.begin(), kept.end());
  for (auto point = kept.begin(); point != distinct; ++point) piece.push_back(**point);
}

std::vector<PixelPoint> thin(const std::vector<PixelPoint>& points) {
  std::vector<PixelPoint> piece;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const double column = std::floor(points[begin].x);
    while (end < points.size() && std::floor(points[end].x) == column) ++end;
    append_column(points, begin, end, piece);
  }
  return piece;
}

}  // namespace

bool is_drawable(double value) {
  return std::abs(value) <= 1e300;
}

PixelPoint PixelMap::operator()(double px, double py) const {
  return {corner.x + (px - x.low) / (x.high - x.low) * width, corner.y + (y.high - py) / (y.high - y.low) * height};
}

std::vector<std::vector<PixelPoint>> trace_curve(const Series& series, const PixelMap& map) {
  STICTION_CHECK(series.x.size() == series.y.size());
  std::vector<std::vector<PixelPoint>> pieces;
  std::vector<PixelPoint> points;
  const auto close_piece = [&] {
    if (!points.empty()) pieces.push_back(thin(points));
    points.clear();
  };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (is_drawable(series.x[i]) && is_drawable(series.y[i])) {
      points.push_back(map(series.x[i], series.y[i]));
    } else {
      close_piece();
    }
  }
  close_piece();
  return pieces;
}

}  // namespace stiction
