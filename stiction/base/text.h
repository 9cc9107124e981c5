#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

/// The candidate nearest to `word` by edit distance (insert, delete, replace, swap of neighbours; upper and lower case
/// are alike), or "" if none is within 2 edits or a third of the word's length. Of equals the first wins.
std::string find_nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b and c"
std::string join_words(const std::vector<std::string>& words, std::string_view last_separator = " and ");

/// The text in double quotes, for messages: control characters as \n or \x01, cut with ... after 60 characters.
std::string quote(std::string_view text);

/// True if the text matches a pattern in which * stands for any run of characters and ? for one.
bool matches_glob(std::string_view text, std::string_view pattern);

/// A number for people, of at most 15 digits: 0.41, not 0.41000000000000003. Does not read back as the same bits.
std::string format_number(double value);

/// A number for people, rounded to so many significant digits: 1150, 4.63337e8, 2.3e-7.
std::string format_digits(double value, int digits);

/// "850 ms", "12.3 s", "4 min 05 s", "2 h 10 min"
std::string format_duration(double seconds);

}  // namespace stiction
