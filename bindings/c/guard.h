#pragma once

#include <exception>
#include <new>
#include <string>

#include "stiction/base/fault.h"

#include "bindings/c/stiction.h"

namespace stiction::capi {

/// The message of this thread's last failure.
std::string& last_error();

/// Calls `work`, which returns a status or nothing; every exception becomes a status and a message.
template <class Work>
stiction_status guard(const Work& work) noexcept {
  const auto fail = [](stiction_status status, const char* message) {
    try {
      last_error() = message;
    } catch (...) {
      last_error().clear();
    }
    return status;
  };
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return STICTION_OK;
    } else {
      return work();
    }
  } catch (const InputError& error) {
    return fail(STICTION_BAD_INPUT, error.what());
  } catch (const IoError& error) {
    return fail(STICTION_IO, error.what());
  } catch (const std::bad_alloc&) {
    return fail(STICTION_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(STICTION_INTERNAL, error.what());
  } catch (...) {
    return fail(STICTION_INTERNAL, "unknown fault");
  }
}

/// A pointer that must be given.
template <class T>
T& need(T* pointer, const char* name) {
  if (!pointer) throw InputError(std::string(name) + " is NULL");
  return *pointer;
}

}  // namespace stiction::capi
