#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct PixelPoint {
  double x = 0, y = 0;  ///< [px], y downwards
};

struct LineStyle {
  std::string color = "#000000";  ///< #rrggbb
  double width = 1;               ///< [px]
  std::string dash;               ///< lengths "6 3" [px]; empty = solid
};

struct TextStyle {
  double size = 12;              ///< [px]
  std::string anchor = "start";  ///< start, middle, end
  std::string color = "#222222";
  bool bold = false;
  double turn = 0;  ///< about the anchor point, clockwise [deg]
};

/// A piece of a text, raised or not: "x10" and a raised "-6".
struct TextPiece {
  std::string text;
  bool raised = false;
};

/// What plots are drawn on: an SVG text (svg_writer.h) or pixels (png_writer.h).
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void add_rectangle(PixelPoint corner, double width, double height, std::string_view color) = 0;
  virtual void add_line(PixelPoint from, PixelPoint to, const LineStyle& style) = 0;
  virtual void add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style) = 0;
  virtual void add_dot(PixelPoint center, double radius, std::string_view color) = 0;
  virtual void add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style) = 0;
  void add_text(PixelPoint at, std::string_view text, const TextStyle& style) {
    if (!text.empty()) add_text(at, std::vector<TextPiece>{{std::string(text)}}, style);
  }

  /// What follows is moved by this much: the place of a panel.
  void set_origin(PixelPoint origin) { origin_ = origin; }

 protected:
  PixelPoint moved(PixelPoint point) const { return {point.x + origin_.x, point.y + origin_.y}; }

 private:
  PixelPoint origin_;
};

/// Estimated width of a text in a sans-serif font [px]: an upper bound for the usual ones.
double estimate_text_width(std::string_view text, double size);

/// The text, or its beginning and "..." where it is wider than that.
std::string shorten_text(std::string_view text, double size, double max_width);

}  // namespace stiction
