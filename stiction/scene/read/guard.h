#pragma once

#include <optional>
#include <string>

#include "stiction/scene/read/sources.h"

namespace stiction {

/// Limits beyond which no text is parsed: no scene is like that, and parsers are not made for it.
inline constexpr std::size_t largest_scene = 64 * 1024 * 1024;  ///< bytes, all files together
inline constexpr int deepest_nesting = 64;                     ///< brackets within brackets
inline constexpr int most_key_parts = 32;                      ///< parts of a dotted key
inline constexpr int most_files = 64;                          ///< main file and includes

/// What the text must satisfy before it is parsed: nesting and dotted keys within the limits, valid UTF-8 without NUL.
/// One pass over the bytes that knows strings and comments, and allocates little.
std::optional<Fault> find_absurdity(const Sources& sources, int source);

/// For a text that could not be parsed at `line`: the array or inline table that is not closed, if that is why.
std::optional<Fault> find_unclosed(const Sources& sources, int source, int line);

}  // namespace stiction
