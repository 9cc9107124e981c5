#pragma once

#include <string>

namespace stiction {

/// The text in lines of at most 120 columns, each behind a margin of spaces; the first one has `first` in its margin.
std::string wrap_lines(const std::string& text, std::size_t margin, const std::string& first = "");

}  // namespace stiction
