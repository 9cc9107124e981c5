#pragma once

#include <stdexcept>

namespace stiction {

/// A fault of this library: an invariant that does not hold (STICTION_CHECK). What the object at hand computes after it
/// cannot be trusted; other objects are not affected. A program that embeds the library goes on, or ends as it likes.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace stiction
