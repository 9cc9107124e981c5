#pragma once

#include <variant>

#include "stiction/scene/read/sources.h"

namespace stiction {

/// One text as a tree, or the fault that stopped it: absurd input (guard.h) or no valid TOML.
std::variant<Node, Fault> parse_toml(const Sources& sources, int source);

}  // namespace stiction
