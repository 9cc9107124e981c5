#include "stiction/scene/write/write_scene.h"

#include "stiction/base/hash.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/scene/write/format_toml.h"

namespace stiction {
namespace {

bool says(const SceneText& text, const std::string& written) {
  if (text.files.empty()) return false;
  try {
    return write_scene(read_scene(text)) == written;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string write_scene(const Scene& scene, bool all) {
  return format_toml(describe_scene().write(scene, all));
}

std::string calc_hash(const Scene& scene) {
  const std::string text = write_scene(scene);
  Hash64 hash;
  hash.add_bytes(text.data(), text.size());
  return hash.text();
}

SceneText find_text(const Scene& scene) {
  std::string written;
  try {
    written = write_scene(scene);
  } catch (const InputError&) {
    return {};
  }
  return says(scene.text, written) ? scene.text : SceneText{.files = {{"scene.toml", written}}, .overrides = {}};
}

}  // namespace stiction
