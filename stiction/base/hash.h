#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace stiction {

/// FNV-1a, 64 bit: small, portable, and the same on every machine of the same byte order. Not cryptographic.
class Hash64 {
 public:
  void add_bytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3ull;
  }
  std::uint64_t value() const { return value_; }
  /// 16 lower-case hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace stiction
