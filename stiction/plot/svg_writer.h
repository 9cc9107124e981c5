#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct PixelPoint {
  double x = 0, y = 0;  ///< [px], y downwards
};

struct LineStyle {
  std::string color = "#000000";
  double width = 1;  ///< [px]
  std::string dash;  ///< lengths "6 3" [px]; empty = solid
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

/// Builds one SVG picture, element by element. Pixels are written with two decimals, so that equal input gives equal
/// bytes.
class SvgWriter {
 public:
  SvgWriter(double width, double height, std::string_view title);

  void add_rectangle(PixelPoint corner, double width, double height, std::string_view color);
  void add_line(PixelPoint from, PixelPoint to, const LineStyle& style);
  void add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style);
  void add_dot(PixelPoint center, double radius, std::string_view color);
  void add_text(PixelPoint at, std::string_view text, const TextStyle& style);
  void add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style);

  /// The whole picture.
  std::string finish() const;

 private:
  std::string body_;
};

/// Safe inside XML text and attributes: < > & quotes become entities; what XML 1.0 forbids (control characters, broken
/// UTF-8) becomes U+FFFD.
std::string escape_xml(std::string_view text);

/// Estimated width of a text in a sans-serif font [px]: an upper bound for the usual ones.
double estimate_text_width(std::string_view text, double size);

/// The text, or its beginning and "..." where it is wider than that.
std::string shorten_text(std::string_view text, double size, double max_width);

}  // namespace stiction
