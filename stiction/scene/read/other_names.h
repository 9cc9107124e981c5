#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/scene/read/node.h"

namespace stiction {

/// What users of other programs, and readers of textbooks, call a key, a type or a unit of scenes. One list serves the
/// hints for unknown words and `stiction explain`. It holds only words that scenes do not use in the same place.
struct OtherName {
  std::string_view word;         ///< what is written, in lower case
  std::string_view name;         ///< what it is called here
  std::string_view remark = {};  ///< how the two differ; may be empty
};

std::string lower_case(std::string_view text);

std::span<const OtherName> list_other_names();
/// All entries for the word, upper and lower case alike.
std::vector<OtherName> find_other_names(std::string_view word);

/// The hint for a word that is none of the candidates but another name of some of them, such as
/// `here this is called "radius": half of the diameter`; empty if it is not.
std::string make_other_name_hint(std::string_view word, const std::vector<std::string>& candidates);

/// Is the word another name of this one?
bool stands_for(std::string_view word, std::string_view name);
/// Does the table have the key, under this or another name? The fault of the other name tells of it: the key is not
/// told as missing, too.
bool means_member(const Node& table, std::string_view key);

}  // namespace stiction
