#pragma once

#include <string>

#include "stiction/scene/read/node.h"

namespace stiction {

/// A table as a TOML document: [tables] in their order, small ones inline, numbers at full precision. It parses to the
/// same values. InputError with the path of a number that is not finite.
std::string format_toml(const Node& root);

}  // namespace stiction
