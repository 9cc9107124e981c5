#pragma once

#include <memory>
#include <string>

#include "stiction/plot/canvas.h"

namespace stiction {

/// Draws one picture in pixels, by cairo, with the sans-serif font of the machine.
class PngWriter final : public Canvas {
 public:
  /// Width and height as for SVG; `scale` pixels of the file for each. IoError if there is no memory for them.
  PngWriter(double width, double height, double scale);
  ~PngWriter() override;

  using Canvas::add_text;
  void add_rectangle(PixelPoint corner, double width, double height, std::string_view color) override;
  void add_line(PixelPoint from, PixelPoint to, const LineStyle& style) override;
  void add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style) override;
  void add_dot(PixelPoint center, double radius, std::string_view color) override;
  void add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style) override;

  /// The bytes of the PNG file.
  std::string finish() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
