#include "stiction/scene/read/sources.h"

#include <algorithm>

namespace stiction {

namespace {
constexpr std::size_t longest_shown_line = 400;
}

int Sources::add(std::string name, std::string_view text) {
  Entry entry{std::move(name), text, {0}};
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    entry.line_starts.push_back(i + 1);
  }
  entries_.push_back(std::move(entry));
  return static_cast<int>(entries_.size()) - 1;
}

SourcePlace Sources::place(const Spot& spot) const {
  const Entry& entry = entries_[static_cast<std::size_t>(spot.source)];
  SourcePlace place{entry.name, spot.line, spot.column, std::max(spot.length, 1), {}};
  const auto line = static_cast<std::size_t>(std::max(spot.line, 1)) - 1;
  if (spot.line < 1 || line >= entry.line_starts.size()) return place;
  // The line without its end.
  const bool last = line + 1 == entry.line_starts.size();
  const std::size_t start = entry.line_starts[line], end = last ? entry.text.size() : entry.line_starts[line + 1] - 1;
  std::string_view text = entry.text.substr(start, end - start);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() <= longest_shown_line) place.line_text = text;
  return place;
}

}  // namespace stiction
