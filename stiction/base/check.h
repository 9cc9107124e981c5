#pragma once

/// Faults of our own: a broken invariant throws InternalError with its place (internal_error.h). Never used for bad
/// input or for numerical failure.

namespace stiction {

[[noreturn]] void fail_check(const char* condition, const char* file, int line);

}  // namespace stiction

#define STICTION_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::stiction::fail_check(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define STICTION_DCHECK(condition) static_cast<void>(0)
#else
#define STICTION_DCHECK(condition) STICTION_CHECK(condition)
#endif
