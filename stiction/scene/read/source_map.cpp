#include "stiction/scene/scene.h"

namespace stiction {

SourcePlace SourceMap::find(const std::string& path) const {
  std::string part = path;
  while (true) {
    const auto found = places.find(part);
    if (found != places.end()) return found->second;
    const std::size_t dot = part.rfind('.');
    if (dot == std::string::npos) return {};
    part.resize(dot);
  }
}

}  // namespace stiction
