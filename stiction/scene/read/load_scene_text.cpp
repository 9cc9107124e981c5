#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>

#include "stiction/base/text.h"
#include "stiction/scene/read/guard.h"
#include "stiction/scene/read/include.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

/// What stands in the way of reading a file as text, or nothing: a pipe or a device would be waited for.
std::string find_obstacle(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return "no such file";
  if (fs::is_directory(status)) return "it is a folder";
  if (!fs::is_regular_file(status)) return "not a regular file";
  return std::ifstream(file, std::ios::binary) ? "" : "permission denied";
}

/// At most one byte more than a scene may have, so that a huge file is neither read whole nor taken for a small one.
std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  std::string text(error ? largest_scene + 1 : std::min<std::uintmax_t>(size + 1, largest_scene + 1), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return {};
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// Symbolic links resolved, does the file lie in the folder?
bool lies_inside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return false;
  const fs::path real_file = fs::canonical(file, error);
  if (error) return false;
  const fs::path inside = real_file.lexically_relative(real_folder);
  return !inside.empty() && *inside.begin() != "..";
}

}  // namespace

SceneText load_scene_text(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  SceneText text;
  text.overrides = overrides;
  const std::string main_name = file.lexically_normal().generic_string();
  const std::string folder = folder_of(main_name);
  Sources sources;
  std::deque<std::string> kept;
  std::vector<Fault> faults;
  std::size_t size = 0;

  const auto open = [&](const std::string& name, const IncludeWord* include) -> std::optional<int> {
    const auto fail = [&](std::string message, std::string hint) {
      faults.push_back({sources.place(include->spot), "include", std::move(message), std::move(hint)});
    };
    std::string obstacle = find_obstacle(name);
    auto content = obstacle.empty() ? read_file(name) : std::nullopt;
    if (!content) {
      if (obstacle.empty()) obstacle = "reading failed";
      if (!include) throw IoError(fmt::format("cannot read the scene {}: {}", quote(name), obstacle));
      fail(fmt::format("cannot read {}: {}", quote(include->word), obstacle),
           "paths are relative to the including file");
      return {};
    }
    if (include && !lies_inside(name, folder)) {
      fail(fmt::format("{} leads out of the scene's folder", quote(include->word)),
           "a scene can only include files of its own folder");
      return {};
    }
    text.files.push_back({name, std::move(*content)});
    // Beyond the limit nothing more is looked at: read_scene refuses the whole.
    size += text.files.back().text.size();
    if (size > largest_scene) return {};
    // Without that word there is no need to parse the text twice.
    if (text.files.back().text.find("include") == std::string::npos) return {};
    return sources.add(name, kept.emplace_back(text.files.back().text));
  };
  // The tree itself is made again by read_scene, which also reports faults of the text; here only includes count.
  IncludeWalk(sources, faults, open).run(main_name);
  std::erase_if(faults, [](const Fault& fault) { return fault.path != "include"; });
  if (!faults.empty()) throw InputError(std::move(faults));
  return text;
}

}  // namespace stiction
