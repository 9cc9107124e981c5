#include "bindings/c/guard.h"

namespace stiction::capi {

std::string& last_error() {
  thread_local std::string message;
  return message;
}

}  // namespace stiction::capi

const char* stiction_last_error(void) {
  return stiction::capi::last_error().c_str();
}
