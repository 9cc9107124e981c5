#include "stiction/report/column_writer.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace stiction {
namespace {

// The numbers of a column, read by the words of its header, not by its code.
template <class Number>
std::vector<Number> unshuffle(const std::string& bytes, const Column& column) {
  std::vector<Number> numbers(column.count);
  for (std::size_t i = 0; i < column.count; ++i) {
    char raw[sizeof(Number)];
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
      raw[byte] = bytes[column.offset + byte * column.count + i];
    std::memcpy(&numbers[i], raw, sizeof(Number));
  }
  return numbers;
}

TEST(column_writer, float64_comes_back_bit_for_bit) {
  ColumnWriter writer;
  const std::vector<double> values = {0, -0.0, 1.0 / 3, 1e308, std::numeric_limits<double>::infinity()};
  (void)writer.add_f8(std::vector<double>{7});
  const Column column = writer.add_f8(values);
  EXPECT_EQ(column.offset, 8u);
  EXPECT_EQ(unshuffle<double>(writer.bytes(), column), values);
}

// 20 bits of mantissa: rounding is at most 2^-20 of the number, after that to 24 bits, 2^-24.
TEST(column_writer, float32_has_six_digits) {
  ColumnWriter writer;
  std::vector<double> values;
  for (int i = -300; i <= 300; ++i) values.push_back(std::exp(0.1 * i) * (i % 2 == 0 ? 1 : -1));
  const Column column = writer.add_f4(values);
  const std::vector<float> read = unshuffle<float>(writer.bytes(), column);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_LE(std::abs(static_cast<double>(read[i]) - values[i]),
              (std::ldexp(1, -20) + std::ldexp(1, -24)) * std::abs(values[i]));
}

TEST(column_writer, what_is_not_finite_stays_so) {
  ColumnWriter writer;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<float> read = unshuffle<float>(writer.bytes(), writer.add_f4(std::vector<double>{nan, inf, -inf}));
  EXPECT_TRUE(std::isnan(read[0]));
  EXPECT_EQ(read[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(read[2], -std::numeric_limits<float>::infinity());
}

TEST(column_writer, rounded_numbers_are_within_half_their_resolution) {
  ColumnWriter writer;
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(1000 + std::sin(0.1 * i));
  const Column column = writer.add_rounded(values, 1e-5);
  double sum = 0;
  const std::vector<std::int32_t> steps = unshuffle<std::int32_t>(writer.bytes(), column);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += steps[i];
    // Half a step, and the rounding of 1000 + 1e-5 n itself.
    EXPECT_LE(std::abs(column.base + column.scale * sum - values[i]), 0.5e-5 + 1e-12);
  }
}

TEST(column_writer, a_range_too_wide_for_its_resolution_is_coarsened) {
  ColumnWriter writer;
  const Column column = writer.add_rounded(std::vector<double>{0, 1e9}, 1e-6);
  EXPECT_GE(column.scale, 1e9 / (1 << 30));
  const std::vector<std::int32_t> steps = unshuffle<std::int32_t>(writer.bytes(), column);
  EXPECT_NEAR(column.scale * steps[1], 1e9, column.scale);
}

// RFC 4648, section 10.
TEST(base64, test_vectors_of_the_standard) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, code] : vectors) EXPECT_EQ(encode_base64(text), code);
}

TEST(compress, zlib_reads_it_back) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += static_cast<char>(i * i / 100);
  const std::string packed = compress(text);
  std::string back(text.size(), '\0');
  uLongf size = back.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  EXPECT_EQ(back, text);
  EXPECT_EQ(compress(text), packed);
}

}  // namespace
}  // namespace stiction
