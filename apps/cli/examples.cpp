#include "apps/cli/examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction::cli {

const EmbeddedExample& find_example(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedExample& example : embedded_examples()) {
    if (example.name == name) return example;
    names.emplace_back(example.name);
  }
  std::string nearest = find_nearest_word(name, names);
  // "fall" is the start of "falling_rod".
  if (nearest.empty() && name.size() > 1) {
    const auto start = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.starts_with(name); });
    const auto part =
        std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.find(name) != std::string::npos; });
    nearest = start != names.end() ? *start : part != names.end() ? *part : "";
  }
  throw InputError(fmt::format("there is no example \"{}\"", name),
                   nearest.empty() ? "stiction examples lists them" : fmt::format("did you mean \"{}\"?", nearest));
}

Scene read_example(const EmbeddedExample& example, const std::vector<std::string>& overrides) {
  SceneText text;
  text.files = {{.name = std::string(example.name) + ".toml", .text = std::string(example.text)}};
  text.overrides = overrides;
  std::vector<Fault> faults;
  Scene scene = read_scene(text, faults);
  // Faulty overrides: everything else that is wrong belongs to the answer.
  if (!faults.empty()) (void)compile(scene, std::move(faults));
  return scene;
}

}  // namespace stiction::cli
