#include "stiction/plot/png_writer.h"

#include <cairo.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "stiction/base/fault.h"
#include "stiction/plot/svg_writer.h"

namespace stiction {
namespace {

void set_color(cairo_t* context, std::string_view color) {
  const auto part = [&](std::size_t at) { return std::stoi(std::string(color.substr(at, 2)), nullptr, 16) / 255.0; };
  cairo_set_source_rgb(context, part(1), part(3), part(5));
}

void stroke(cairo_t* context, const LineStyle& style) {
  std::vector<double> dashes;
  std::istringstream lengths(style.dash);
  for (double length = 0; lengths >> length;) dashes.push_back(length);
  set_color(context, style.color);
  cairo_set_line_width(context, style.width);
  cairo_set_dash(context, dashes.data(), static_cast<int>(dashes.size()), 0);
  cairo_stroke(context);
}

cairo_status_t append(void* text, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

double calc_advance(cairo_t* context, const TextPiece& piece, double size) {
  cairo_set_font_size(context, piece.raised ? 0.75 * size : size);
  cairo_text_extents_t extents;
  cairo_text_extents(context, piece.text.c_str(), &extents);
  return extents.x_advance;
}

}  // namespace

struct PngWriter::Impl {
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;
};

PngWriter::PngWriter(double width, double height, double scale) : impl_(std::make_unique<Impl>()) {
  const auto pixels = [scale](double length) { return static_cast<int>(std::ceil(length * scale)); };
  impl_->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height));
  impl_->context = cairo_create(impl_->surface);
  if (cairo_status(impl_->context) != CAIRO_STATUS_SUCCESS) {
    throw IoError(std::string("the picture cannot be drawn: ") + cairo_status_to_string(cairo_status(impl_->context)));
  }
  cairo_scale(impl_->context, scale, scale);
  cairo_set_line_join(impl_->context, CAIRO_LINE_JOIN_ROUND);
}

PngWriter::~PngWriter() {
  cairo_destroy(impl_->context);
  cairo_surface_destroy(impl_->surface);
}

void PngWriter::add_rectangle(PixelPoint corner, double width, double height, std::string_view color) {
  corner = moved(corner);
  set_color(impl_->context, color);
  cairo_rectangle(impl_->context, corner.x, corner.y, width, height);
  cairo_fill(impl_->context);
}

void PngWriter::add_line(PixelPoint from, PixelPoint to, const LineStyle& style) {
  add_polyline({from, to}, style);
}

void PngWriter::add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style) {
  for (const PixelPoint& point : points) {
    const PixelPoint at = moved(point);
    cairo_line_to(impl_->context, at.x, at.y);
  }
  stroke(impl_->context, style);
}

void PngWriter::add_dot(PixelPoint center, double radius, std::string_view color) {
  center = moved(center);
  set_color(impl_->context, color);
  cairo_arc(impl_->context, center.x, center.y, radius, 0, 2 * std::numbers::pi);
  cairo_fill(impl_->context);
}

void PngWriter::add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style) {
  cairo_t* context = impl_->context;
  at = moved(at);
  cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  std::vector<TextPiece> clean;
  double width = 0;
  for (const TextPiece& piece : pieces) {
    // cairo fails for good on a text that is not UTF-8.
    clean.push_back({replace_broken_text(piece.text), piece.raised});
    width += calc_advance(context, clean.back(), style.size);
  }
  cairo_save(context);
  cairo_translate(context, at.x, at.y);
  cairo_rotate(context, style.turn * std::numbers::pi / 180);
  set_color(context, style.color);
  double x = style.anchor == "middle" ? -0.5 * width : style.anchor == "end" ? -width : 0;
  for (const TextPiece& piece : clean) {
    const double advance = calc_advance(context, piece, style.size);
    cairo_move_to(context, x, piece.raised ? -0.35 * style.size : 0);
    cairo_show_text(context, piece.text.c_str());
    x += advance;
  }
  cairo_restore(context);
  cairo_new_path(context);
}

std::string PngWriter::finish() const {
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(impl_->surface, append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    throw IoError(std::string("the picture cannot be written: ") + cairo_status_to_string(status));
  }
  return bytes;
}

}  // namespace stiction
