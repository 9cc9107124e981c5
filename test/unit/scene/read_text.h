#pragma once

#include <string>
#include <vector>

#include "stiction/scene/read/read_scene.h"

namespace stiction {

/// A scene from one text named "scene.toml".
inline Scene read_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_scene({{{"scene.toml", text}}, overrides});
}

/// The faults of a text; empty if it has none.
inline std::vector<Fault> list_faults(const SceneText& text) {
  try {
    read_scene(text);
    return {};
  } catch (const InputError& error) {
    return error.faults();
  }
}
inline std::vector<Fault> list_faults(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return list_faults(SceneText{{{"scene.toml", text}}, overrides});
}

/// "3:8 body.a.mass: must be ..." of the only fault; tells if there are more or none.
inline std::string only_fault(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const std::vector<Fault> faults = list_faults(text, overrides);
  if (faults.size() != 1) return std::to_string(faults.size()) + " faults\n" + format_faults(faults);
  const Fault& fault = faults.front();
  return std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column) + " " + fault.path + ": " +
         fault.message;
}

}  // namespace stiction
