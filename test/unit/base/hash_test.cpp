#include "stiction/base/hash.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stiction {
namespace {

std::string hash_of(std::string_view text) {
  Hash64 hash;
  hash.add_bytes(text.data(), text.size());
  return hash.text();
}

// Test vectors of FNV-1a, 64 bit: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm", appendix C.
TEST(Hash64, PublishedVectors) {
  EXPECT_EQ(hash_of(""), "cbf29ce484222325");
  EXPECT_EQ(hash_of("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_of("foobar"), "85944171f73967e8");
}

TEST(Hash64, InPiecesAsInOne) {
  Hash64 hash;
  hash.add_bytes("foo", 3);
  hash.add_bytes("bar", 3);
  EXPECT_EQ(hash.text(), hash_of("foobar"));
}

TEST(Hash64, TextHasSixteenDigits) {
  // Leading zeros stay. The value is from a few lines of Python with unbounded integers.
  EXPECT_EQ(hash_of("baa"), "0039231913392937");
}

}  // namespace
}  // namespace stiction
