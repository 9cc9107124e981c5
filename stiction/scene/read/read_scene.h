#pragma once

#include <filesystem>

#include "stiction/scene/scene.h"

namespace stiction {

/// Read the main file and, inside its folder only, the files it includes. IoError if a file cannot be read, InputError
/// if an include leaves the folder, is missing or includes itself. Overrides "key.path=value" are kept with the text.
SceneText load_scene_text(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// Parse and check: everything that can be said of the text alone (syntax, unknown keys, types, units, ranges).
/// Throws InputError with ALL faults. Absurd input (over 64 MiB, nested deeper than 64, keys of more than 32 parts) is
/// refused before it is parsed.
Scene read_scene(const SceneText& text);
/// The same, but faults are only noted, so that compile() can add its own. Throws if the text is not TOML.
Scene read_scene(const SceneText& text, std::vector<Fault>& faults);

/// The whole user-visible format as Markdown, from the same description that the reader uses.
std::string format_scene_reference();

}  // namespace stiction
