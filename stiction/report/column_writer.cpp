#include "stiction/report/column_writer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "stiction/base/check.h"

namespace stiction {
namespace {

static_assert(std::endian::native == std::endian::little);

// The nearest float32 whose lower 4 bits of mantissa are 0; what is not finite stays as it is.
float round_mantissa(double value) {
  const auto single = static_cast<float>(value);
  if (!std::isfinite(single)) return single;
  auto bits = std::bit_cast<std::uint32_t>(single);
  bits = (bits + 8u) & ~15u;
  const auto rounded = std::bit_cast<float>(bits);
  return std::isfinite(rounded) ? rounded : single;
}

}  // namespace

const char* name_of(Column::Kind kind) {
  constexpr std::array names = {"f8", "f4", "d4", "u4", "u2", "u1"};
  return names[static_cast<std::size_t>(kind)];
}

template <class Number>
Column ColumnWriter::add(const std::vector<Number>& numbers, Column::Kind kind) {
  const Column column{.kind = kind, .offset = bytes_.size(), .count = numbers.size()};
  const auto* raw = reinterpret_cast<const char*>(numbers.data());
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    for (std::size_t i = 0; i < numbers.size(); ++i) bytes_ += raw[i * sizeof(Number) + byte];
  }
  return column;
}

Column ColumnWriter::add_f8(std::span<const double> values) {
  return add(std::vector<double>(values.begin(), values.end()), Column::Kind::f8);
}

Column ColumnWriter::add_f4(std::span<const double> values, double base) {
  std::vector<float> numbers;
  numbers.reserve(values.size());
  for (const double value : values) numbers.push_back(round_mantissa(value - base));
  Column column = add(numbers, Column::Kind::f4);
  column.base = base;
  return column;
}

Column ColumnWriter::add_rounded(std::span<const double> values, double resolution) {
  Column column;
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double base = *low;
    double scale = std::max(resolution, (*high - *low) / (1 << 30));
    if (!(scale > 0)) scale = 1;
    std::vector<std::int32_t> numbers;
    std::int32_t last = 0;
    for (const double value : values) {
      const auto number = static_cast<std::int32_t>(std::lround((value - base) / scale));
      numbers.push_back(number - last);
      last = number;
    }
    column = add(numbers, Column::Kind::d4);
    column.base = base;
    column.scale = scale;
  }
  column.kind = Column::Kind::d4;
  return column;
}

Column ColumnWriter::add_integers(std::span<const std::uint32_t> values, Column::Kind kind) {
  switch (kind) {
    case Column::Kind::u4:
      return add(std::vector<std::uint32_t>(values.begin(), values.end()), kind);
    case Column::Kind::u2:
      return add(std::vector<std::uint16_t>(values.begin(), values.end()), kind);
    default:
      return add(std::vector<std::uint8_t>(values.begin(), values.end()), Column::Kind::u1);
  }
}

std::string compress(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 6);
  STICTION_CHECK(code == Z_OK);
  packed.resize(size);
  return packed;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

}  // namespace stiction
