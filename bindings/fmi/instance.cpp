#include "bindings/fmi/instance.h"

#include <cstdlib>

namespace stiction::fmi {

std::filesystem::path to_path(const char* location) {
  std::string text = location ? location : "";
  for (const char* prefix : {"file://localhost", "file://", "file:"}) {
    if (!text.starts_with(prefix)) continue;
    text.erase(0, std::string(prefix).size());
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '%' && i + 2 < text.size()) {
        decoded += static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
        i += 2;
      } else {
        decoded += text[i];
      }
    }
    return decoded;
  }
  return text;
}

}  // namespace stiction::fmi
