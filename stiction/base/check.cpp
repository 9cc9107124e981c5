#include "stiction/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stiction {

void fail_check(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal fault: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace stiction
