#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

/// Where a column of numbers stands in the bytes of a page, and how it is written. The bytes of a column are shuffled:
/// first the lowest byte of every number, then the next, and so on, which is what makes them compress.
struct Column {
  enum class Kind {
    f8,  ///< float64
    f4,  ///< float32
    d4,  ///< int32, each as its difference from the one before; value = base + scale * number
    u4,  ///< uint32
    u2,
    u1
  };
  Kind kind = Kind::f4;
  std::size_t offset = 0, count = 0;  ///< [bytes], [numbers]
  double base = 0, scale = 1;
};
const char* name_of(Column::Kind kind);

/// Collects the columns of a page.
class ColumnWriter {
 public:
  Column add_f8(std::span<const double> values);
  /// value - base, rounded to 20 bits of mantissa: six digits.
  Column add_f4(std::span<const double> values, double base = 0);
  /// Rounded to multiples of `resolution`, or of what the range allows in 30 bits where that is more. All finite.
  Column add_rounded(std::span<const double> values, double resolution);
  Column add_integers(std::span<const std::uint32_t> values, Column::Kind kind);

  const std::string& bytes() const { return bytes_; }

 private:
  template <class Number>
  Column add(const std::vector<Number>& numbers, Column::Kind kind);

  std::string bytes_;
};

/// A zlib stream (RFC 1950); the same bytes for the same input.
std::string compress(std::string_view bytes);
/// RFC 4648.
std::string encode_base64(std::string_view bytes);

}  // namespace stiction
