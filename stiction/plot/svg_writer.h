#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/plot/canvas.h"

namespace stiction {

/// Builds one SVG picture, element by element. Pixels are written with two decimals, so that equal input gives equal
/// bytes.
class SvgWriter final : public Canvas {
 public:
  SvgWriter(double width, double height, std::string_view title);

  using Canvas::add_text;
  void add_rectangle(PixelPoint corner, double width, double height, std::string_view color) override;
  void add_line(PixelPoint from, PixelPoint to, const LineStyle& style) override;
  void add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style) override;
  void add_dot(PixelPoint center, double radius, std::string_view color) override;
  void add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style) override;

  /// The whole picture.
  std::string finish() const;

 private:
  std::string body_;
};

/// Safe inside XML text and attributes: < > & quotes become entities; what XML 1.0 forbids (control characters, broken
/// UTF-8) becomes U+FFFD.
std::string escape_xml(std::string_view text);

/// Control characters and what is no UTF-8 become U+FFFD.
std::string replace_broken_text(std::string_view text);

}  // namespace stiction
