#include "stiction/base/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "stiction/base/noise.h"

namespace stiction {
namespace {

const std::vector<std::string> fields = {"mass", "density", "position", "orientation", "velocity", "angular_velocity"};

TEST(FindNearestWord, OneEdit) {
  EXPECT_EQ(find_nearest_word("mas", fields), "mass");
  EXPECT_EQ(find_nearest_word("masss", fields), "mass");
  EXPECT_EQ(find_nearest_word("mess", fields), "mass");
}

TEST(FindNearestWord, SwapCountsOnce) {
  // One swap, against two replacements for the word that stands first.
  EXPECT_EQ(find_nearest_word("abcd", {"abxy", "abdc"}), "abdc");
  EXPECT_EQ(find_nearest_word("posiiton", fields), "position");
}

TEST(FindNearestWord, CaseDoesNotCount) {
  EXPECT_EQ(find_nearest_word("VELOCITY", fields), "velocity");
}

TEST(FindNearestWord, NothingNear) {
  EXPECT_EQ(find_nearest_word("colour", fields), "");
  EXPECT_EQ(find_nearest_word("", fields), "");
  EXPECT_EQ(find_nearest_word("mass", {}), "");
  // All letters differ: a word of one letter is near to nothing.
  EXPECT_EQ(find_nearest_word("x", {"y"}), "");
}

TEST(FindNearestWord, LongerWordsAllowMoreEdits) {
  // A third of 15 letters is 5 edits; here 4 letters are missing.
  EXPECT_EQ(find_nearest_word("semi_implicit_e", {"semi_implicit_euler"}), "semi_implicit_euler");
}

TEST(FindNearestWord, AbsurdlyLongWordIsNotCompared) {
  EXPECT_EQ(find_nearest_word(std::string(65, 'a'), {std::string(65, 'a')}), "");
}

TEST(JoinWords, Commas) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a"}), "a");
  EXPECT_EQ(join_words({"a", "b"}), "a and b");
  EXPECT_EQ(join_words({"a", "b", "c"}, " or "), "a, b or c");
}

TEST(Quote, ControlCharactersAreVisible) {
  EXPECT_EQ(quote("a\nb\x01"), "\"a\\nb\\x01\"");
}

TEST(Quote, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(quote(std::string(61, 'a')), fmt::format("\"{:a>60}...\"", ""));
  EXPECT_EQ(quote(std::string(60, 'a')), fmt::format("\"{:a>60}\"", ""));
  // Byte 60 is the second of a two-byte character.
  EXPECT_EQ(quote(std::string(59, 'a') + "\u00e9b"), fmt::format("\"{:a>59}...\"", ""));
}

TEST(MatchesGlob, Patterns) {
  EXPECT_TRUE(matches_glob("ball.position.x", "*"));
  EXPECT_TRUE(matches_glob("ball.position.x", "ball.*"));
  EXPECT_TRUE(matches_glob("ball.position.x", "*.position.?"));
  EXPECT_TRUE(matches_glob("ball.position.x", "b*p*n.x"));
  EXPECT_TRUE(matches_glob("", "*"));
  EXPECT_TRUE(matches_glob("aab", "*ab"));
  EXPECT_FALSE(matches_glob("ball.position.x", "ball.position"));
  EXPECT_FALSE(matches_glob("ball", "ball?"));
  EXPECT_FALSE(matches_glob("", "?"));
  EXPECT_FALSE(matches_glob("a", ""));
}

/// The definition of a pattern, tried without cleverness.
bool matches_slowly(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return matches_slowly(text, pattern.substr(1)) || (!text.empty() && matches_slowly(text.substr(1), pattern));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches_slowly(text.substr(1), pattern.substr(1));
}

RC_GTEST_PROP(MatchesGlob, AgreesWithDefinition, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b'));
  const auto pattern = *rc::gen::resize(8, rc::gen::container<std::string>(rc::gen::element('a', 'b', '*', '?')));
  RC_ASSERT(matches_glob(text.substr(0, 12), pattern) == matches_slowly(text.substr(0, 12), pattern));
}

TEST(FormatNumber, ShortestText) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1e-9), "1e-9");
  EXPECT_EQ(format_number(1e7), "1e7");
  EXPECT_EQ(format_number(-2.5e12), "-2.5e12");
  EXPECT_EQ(format_number(100000), "100000");
  EXPECT_EQ(format_number(1234567), "1234567");
  EXPECT_EQ(format_number(-3), "-3");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), "inf");
}

TEST(FormatNumber, HidesRoundingInTheLastPlace) {
  EXPECT_EQ(format_number(41 * 0.01), "0.41");  // 0.41000000000000003
  EXPECT_EQ(format_number(0.1 + 0.2), "0.3");
  EXPECT_EQ(format_number(1.0 / 3), "0.333333333333333");
  EXPECT_EQ(format_number(299792458), "299792458");
}

TEST(FormatDigits, RoundsAndWritesPowersShortly) {
  EXPECT_EQ(format_digits(1153.2, 3), "1150");
  EXPECT_EQ(format_digits(463337123.0, 6), "4.63337e8");
  EXPECT_EQ(format_digits(2.34e-7, 2), "2.3e-7");
  EXPECT_EQ(format_digits(0, 3), "0");
}

TEST(RoundTime, FreesPointsOfAGridFromRounding) {
  EXPECT_EQ(round_time(175 * 1e-3), 0.175);
  EXPECT_EQ(round_time(286 * 1e-3), 0.286);
  for (int k = 0; k < 100000; k += 7) EXPECT_EQ(round_time(k * 1e-3), k / 1000.0) << k;
  // Other times keep their bits.
  EXPECT_EQ(round_time(1.0 / 3), 1.0 / 3);
  EXPECT_EQ(round_time(0.3302395312345678), 0.3302395312345678);
  EXPECT_EQ(round_time(0), 0);
}

// Half a unit in the 15th digit.
RC_GTEST_PROP(FormatNumber, ReadsBackToFifteenDigits, (double value)) {
  const double back = std::strtod(format_number(value).c_str(), nullptr);
  RC_ASSERT(std::abs(back - value) <= 5.1e-15 * std::abs(value));
}

TEST(DropNoise, IsRelativeToWhatStandsBeside) {
  EXPECT_EQ(drop_noise(6e-17, 1), 0);
  EXPECT_EQ(drop_noise(-6e-17, -1), 0);
  EXPECT_EQ(drop_noise(6e-17, 1e-9), 6e-17);
  EXPECT_EQ(drop_noise(2e-13, 1), 2e-13);
  EXPECT_FALSE(std::signbit(drop_noise(-0.0, 1)));
}

TEST(FormatDuration, UnitsFollowLength) {
  EXPECT_EQ(format_duration(0.85), "850 ms");
  EXPECT_EQ(format_duration(12.34), "12.3 s");
  EXPECT_EQ(format_duration(245), "4 min 05 s");
  EXPECT_EQ(format_duration(7800), "2 h 10 min");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
}

TEST(FormatDuration, RoundingDoesNotLeaveTheUnit) {
  // What rounds up to the next unit is written in it: never "1000 ms", "60.0 s" or "60 min".
  EXPECT_EQ(format_duration(0.9996), "1.0 s");
  EXPECT_EQ(format_duration(59.96), "1 min 00 s");
  EXPECT_EQ(format_duration(3599.7), "1 h 00 min");
}

}  // namespace
}  // namespace stiction
