#include "stiction/scene/read/read_scene.h"

#include <fmt/format.h>

#include "stiction/base/text.h"
#include "stiction/scene/compile/complete.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/guard.h"
#include "stiction/scene/read/include.h"
#include "stiction/scene/read/override.h"

namespace stiction {
namespace {

void refuse_if_too_large(const SceneText& text) {
  if (text.files.empty()) throw InputError("the scene has no text");
  std::size_t size = 0;
  for (const SceneText::File& file : text.files) size += file.text.size();
  for (const std::string& override_text : text.overrides) size += override_text.size();
  if (size <= largest_scene) return;
  throw InputError({Fault{{text.files.front().name, 1, 1, 1, {}},
                          {},
                          fmt::format("the scene has more than {} MiB of text", largest_scene / (1024 * 1024)),
                          {}}});
}

/// The files as one tree; throws if one is not valid TOML.
Node merge(const SceneText& text, Sources& sources, std::vector<Fault>& faults) {
  const auto open = [&](const std::string& name, const IncludeWord* include) -> std::optional<int> {
    for (const SceneText::File& file : text.files) {
      if (file.name == name || !include) return sources.add(file.name, file.text);
    }
    faults.push_back({sources.place(include->spot),
                      "include",
                      fmt::format("{} is not among the scene's files", quote(include->word)),
                      {}});
    return {};
  };
  IncludeWalk walk(sources, faults, open);
  Node root = walk.run(text.files.front().name);
  if (!walk.complete()) throw InputError(std::move(faults));
  return root;
}

}  // namespace

Scene read_scene(const SceneText& text) {
  std::vector<Fault> faults;
  Scene scene = read_scene(text, faults);
  if (!faults.empty()) throw InputError(std::move(faults));
  return scene;
}

Scene read_scene(const SceneText& text, std::vector<Fault>& faults) {
  refuse_if_too_large(text);
  Sources sources;
  Node root = merge(text, sources, faults);
  std::vector<Fault> override_faults;
  for (const std::string& override_text : text.overrides) apply_override(root, override_text, sources, override_faults);

  SourceMap source;
  ReadContext context(sources, root, source, faults);
  Scene scene = describe_scene().read(context, root);
  faults.insert(faults.end(), override_faults.begin(), override_faults.end());
  if (faults.empty()) {
    scene = complete(std::move(scene));
  } else {
    complete_method(scene);
  }
  scene.source = std::move(source);
  scene.text = text;
  return scene;
}

}  // namespace stiction
