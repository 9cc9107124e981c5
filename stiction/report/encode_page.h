#pragma once

#include <string>

#include "stiction/report/page_data.h"

namespace stiction {

/// A run as the page reads it (viewer/src/data), before compression:
///     length of the JSON text (uint32, little-endian), the JSON text, the bytes of all columns
/// The JSON describes everything and says of each column where it is: {"k": kind, "o": offset, "n": count} and, where
/// they are not 0 and 1, "b": base, "s": scale (column_writer.h). A number that is not finite is null.
std::string encode_page(const PageData& page);

}  // namespace stiction
