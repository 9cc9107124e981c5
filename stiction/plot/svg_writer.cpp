#include "stiction/plot/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stiction {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

// Pixels with at most two decimals: 12.5, 0, -3.07.
std::string px(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

struct CodePoint {
  std::uint32_t value = replacement;
  std::size_t length = 1;  // bytes used
};

// The code point at the front of a non-empty text; a byte that is no valid UTF-8 yields the replacement character.
CodePoint decode_front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 ? 2 : 1;
  if (lead >= 0xF5 || length == 1 || text.size() < length) return {};
  std::uint32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return overlong || surrogate || value > 0x10FFFF ? CodePoint{} : CodePoint{value, length};
}

bool is_allowed_in_xml(std::uint32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0x7F && c != 0xFFFE && c != 0xFFFF);
}

// Width of a glyph in units of the font size.
double glyph_width(std::uint32_t c) {
  if (c < 0x80) {
    const std::string_view narrow = "ijl.,:;'|![]() tfr/", wide = "mwMW@%&";
    if (narrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.38;
    if (wide.find(static_cast<char>(c)) != std::string_view::npos) return 0.98;
    return c >= 'A' && c <= 'Z' ? 0.74 : 0.62;
  }
  return c < 0x2E80 ? 0.7 : 1.05;
}

std::string format_stroke(const LineStyle& style) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{}\"", style.color, px(style.width));
  if (!style.dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", style.dash);
  return text;
}

}  // namespace

SvgWriter::SvgWriter(double width, double height, std::string_view title)
    : body_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\""
          " font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n",
          px(width), px(height))) {
  if (!title.empty()) body_ += fmt::format("<title>{}</title>\n", escape_xml(title));
}

void SvgWriter::add_rectangle(PixelPoint corner, double width, double height, std::string_view color) {
  corner = moved(corner);
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", px(corner.x), px(corner.y),
                       px(width), px(height), color);
}

void SvgWriter::add_line(PixelPoint from, PixelPoint to, const LineStyle& style) {
  from = moved(from);
  to = moved(to);
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", px(from.x), px(from.y), px(to.x),
                       px(to.y), format_stroke(style));
}

void SvgWriter::add_polyline(const std::vector<PixelPoint>& points, const LineStyle& style) {
  body_ += "<polyline fill=\"none\" stroke-linejoin=\"round\" " + format_stroke(style) + " points=\"";
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) body_ += ' ';
    const PixelPoint point = moved(points[i]);
    body_ += px(point.x) + ',' + px(point.y);
  }
  body_ += "\"/>\n";
}

void SvgWriter::add_dot(PixelPoint center, double radius, std::string_view color) {
  center = moved(center);
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", px(center.x), px(center.y), px(radius),
                       color);
}

void SvgWriter::add_text(PixelPoint at, const std::vector<TextPiece>& pieces, const TextStyle& style) {
  if (pieces.empty()) return;
  at = moved(at);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", px(at.x), px(at.y), px(style.size),
                       style.color);
  if (style.anchor != "start") body_ += fmt::format(" text-anchor=\"{}\"", style.anchor);
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.turn != 0) body_ += fmt::format(" transform=\"rotate({} {} {})\"", px(style.turn), px(at.x), px(at.y));
  body_ += '>';
  // A raised piece moves up, the next one back down.
  double raise = 0;
  for (const TextPiece& piece : pieces) {
    const double wanted = piece.raised ? 0.35 * style.size : 0;
    if (wanted == raise) {
      body_ += escape_xml(piece.text);
    } else {
      body_ += fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", px(raise - wanted),
                           px(piece.raised ? 0.75 * style.size : style.size), escape_xml(piece.text));
    }
    raise = wanted;
  }
  body_ += "</text>\n";
}

std::string SvgWriter::finish() const {
  return body_ + "</svg>\n";
}

std::string replace_broken_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const CodePoint c = decode_front(text);
    const bool allowed = c.value != replacement && is_allowed_in_xml(c.value);
    clean += allowed ? text.substr(0, c.length) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(c.length);
  }
  return clean;
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : replace_broken_text(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

double estimate_text_width(std::string_view text, double size) {
  double width = 0;
  while (!text.empty()) {
    const CodePoint c = decode_front(text);
    width += glyph_width(c.value);
    text.remove_prefix(c.length);
  }
  return width * size;
}

std::string shorten_text(std::string_view text, double size, double max_width) {
  if (estimate_text_width(text, size) <= max_width) return std::string(text);
  constexpr std::string_view dots = "\xE2\x80\xA6";
  double width = estimate_text_width(dots, size);
  std::size_t kept = 0;
  while (kept < text.size()) {
    const CodePoint c = decode_front(text.substr(kept));
    width += glyph_width(c.value) * size;
    if (width > max_width) break;
    kept += c.length;
  }
  return std::string(text.substr(0, kept)) + std::string(dots);
}

}  // namespace stiction
