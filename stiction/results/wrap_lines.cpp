#include "stiction/results/wrap_lines.h"

#include <algorithm>

namespace stiction {

std::string wrap_lines(const std::string& text, std::size_t margin, const std::string& first) {
  constexpr std::size_t columns = 120;
  const std::size_t room = columns - margin;
  std::string lines;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.size() - start <= room ? text.size() : text.rfind(' ', start + room);
    // A word longer than a line has one of its own.
    if (end == std::string::npos || end <= start) end = std::min(text.find(' ', start), text.size());
    const std::string head = start == 0 ? first : "";
    lines += head + std::string(margin - std::min(margin, head.size()), ' ') + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return lines;
}

}  // namespace stiction
