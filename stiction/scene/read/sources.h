#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/fault.h"
#include "stiction/scene/read/node.h"

namespace stiction {

/// The texts that a scene is made of (files and overrides), and the way from a Spot to a place that can be shown.
class Sources {
 public:
  /// The text must outlive this. Returns the index that spots carry.
  int add(std::string name, std::string_view text);
  const std::string& name(int source) const { return entries_[static_cast<std::size_t>(source)].name; }
  std::string_view text(int source) const { return entries_[static_cast<std::size_t>(source)].text; }
  /// With the text of the line; left out where the line is too long to be shown.
  SourcePlace place(const Spot& spot) const;

 private:
  struct Entry {
    std::string name;
    std::string_view text;
    std::vector<std::size_t> line_starts;
  };
  std::deque<Entry> entries_;
};

}  // namespace stiction
