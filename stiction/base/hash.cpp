#include "stiction/base/hash.h"

#include <fmt/format.h>

namespace stiction {

std::string Hash64::text() const {
  return fmt::format("{:016x}", value_);
}

}  // namespace stiction
