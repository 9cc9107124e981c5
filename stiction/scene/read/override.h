#pragma once

#include <string>
#include <vector>

#include "stiction/scene/read/sources.h"

namespace stiction {

/// Puts `--set key.path=value` into the tree, creating tables on the way. The value is read as TOML; what is no TOML
/// value is taken as text, so that `time.step=20 us` needs no quotes. Faults are added to the list.
void apply_override(Node& root, const std::string& text, Sources& sources, std::vector<Fault>& faults);

}  // namespace stiction
