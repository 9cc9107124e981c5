#pragma once

#include <string>

#include "stiction/scene/scene.h"

namespace stiction {

/// A scene as TOML, from the description of its fields: one file without includes and overrides, plain SI numbers at
/// full precision, defaults left out (`all`: written, too). It reads back as the same scene, bit for bit, and its run
/// ends in the same state. A scene that was read is complete (compile/complete.h): copies are bodies of their own.
/// InputError for what has no text: a parametric shape, a number that is not finite.
std::string write_scene(const Scene& scene, bool all = false);

/// Of its text as write_scene gives it: equal for scenes that describe the same in different words, units or files.
std::string calc_hash(const Scene& scene);

/// The text of a scene as it stands: the one it was read from while that still says the same, else write_scene. Empty
/// for what has no text.
SceneText find_text(const Scene& scene);

}  // namespace stiction
