#pragma once

#include <algorithm>
#include <exception>
#include <new>

#include "stiction/base/fault.h"

#include "bindings/fmi/fmu.h"

namespace stiction::fmi {

/// The statuses of both versions of the standard have these numbers.
enum Status : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4 };

/// One FMU in use: the model, and how to tell the environment what went wrong.
struct Instance {
  std::unique_ptr<Model> model;
  std::filesystem::path resources;
  bool model_exchange = false, early_return = false;
  std::string name;
  void* environment = nullptr;
  void (*log)(const Instance& instance, int status, const char* message) = nullptr;
  void* logger = nullptr;  ///< the environment's function, as `log` knows it
};

/// A saved state, as the environment holds it.
struct SavedState {
  std::string bytes;
};
/// InputError where the environment gives none.
inline SavedState& need_state(void* state) {
  if (!state) throw InputError("there is no FMU state: it is NULL");
  return *static_cast<SavedState*>(state);
}

/// file:///folder/resources, or a plain path.
std::filesystem::path to_path(const char* location);

inline void copy_to(const VecX& from, double* to) {
  std::copy(from.begin(), from.end(), to);
}

/// Calls `work` with the instance; whatever it throws is logged and becomes the status error.
template <class Work>
int guard(void* component, const Work& work) noexcept {
  if (!component) return error;
  auto& instance = *static_cast<Instance*>(component);
  const auto fail = [&](const char* message) {
    if (instance.log) instance.log(instance, error, message);
    return static_cast<int>(error);
  };
  try {
    if constexpr (std::is_void_v<decltype(work(instance))>) {
      work(instance);
      return ok;
    } else {
      return work(instance);
    }
  } catch (const std::exception& caught) {
    return fail(caught.what());
  } catch (...) {
    return fail("unknown fault");
  }
}

}  // namespace stiction::fmi
