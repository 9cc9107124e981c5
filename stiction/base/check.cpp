#include "stiction/base/check.h"

#include <string>

#include "stiction/base/internal_error.h"

namespace stiction {

void fail_check(const char* condition, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": internal fault: " + condition +
                      " does not hold");
}

}  // namespace stiction
