#include "stiction/scene/read/guard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

std::string find_message(std::string_view text) {
  Sources sources;
  const auto fault = find_absurdity(sources, sources.add("scene.toml", text));
  if (!fault) return "";
  return std::to_string(fault->place.line) + ":" + std::to_string(fault->place.column) + " " + fault->message;
}

std::string nested(int depth) {
  const auto count = static_cast<std::size_t>(depth);
  return "x = " + std::string(count, '[') + std::string(count, ']');
}

std::string dotted(int parts, const std::string& part) {
  std::string key = part;
  for (int i = 1; i < parts; ++i) key += fmt::format(".{}", part);
  return key + " = 1";
}

TEST(FindAbsurdity, NestingUpToTheLimit) {
  EXPECT_EQ(find_message(nested(64)), "");
  EXPECT_EQ(find_message(nested(65)), "1:69 brackets are nested deeper than 64");
  EXPECT_EQ(find_message("a = 1\n" + nested(65)), "2:69 brackets are nested deeper than 64");
}

TEST(FindAbsurdity, BracketsInStringsAndCommentsDoNotCount) {
  const std::string many(100, '[');
  EXPECT_EQ(find_message("# " + many), "");
  EXPECT_EQ(find_message("a = \"" + many + "\""), "");
  EXPECT_EQ(find_message("a = '" + many + "'"), "");
  EXPECT_EQ(find_message("a = \"\"\"\n" + many + "\n\"\"\""), "");
  EXPECT_EQ(find_message("a = '''\n" + many + "\n'''"), "");
  EXPECT_EQ(find_message("a = \"\\\"" + many + "\""), "");
  // A single-quoted string knows no escapes: it ends at the second quote, and what follows counts.
  EXPECT_EQ(find_message("a = '\\' " + many).substr(5), "brackets are nested deeper than 64");
  EXPECT_EQ(find_message("a = \"\"\" \\\"\"\" " + many + "\"\"\""), "");
}

TEST(FindAbsurdity, DottedKeysUpToTheLimit) {
  EXPECT_EQ(find_message(dotted(32, "a")), "");
  EXPECT_EQ(find_message(dotted(33, "a")), "1:64 a key has more than 32 parts");
  EXPECT_EQ(find_message(dotted(33, "\"a.b\"")).substr(6), "a key has more than 32 parts");
  EXPECT_EQ(find_message(fmt::format("[{}]", dotted(33, "a"))).substr(5), "a key has more than 32 parts");
  // Dots of numbers in an array do not add up.
  std::string numbers = "x = [";
  for (int i = 0; i < 100; ++i) numbers += "1.5, ";
  EXPECT_EQ(find_message(numbers + "]"), "");
}

TEST(FindAbsurdity, OnlyUtf8) {
  EXPECT_EQ(find_message("title = \"\u00e9\u20ac\U0001F600\""), "");
  EXPECT_EQ(find_message("a = \"\xe9\""), "1:6 the text is not UTF-8");
  // Overlong slash, a surrogate, beyond U+10FFFF, a lone continuation, a cut character.
  for (const std::string bad :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\x80", "\xe2\x82"}) {
    EXPECT_EQ(find_message("# " + bad), "1:3 the text is not UTF-8");
  }
  EXPECT_EQ(find_message(std::string("a\0b", 3)), "1:2 the text contains a NUL byte");
}

TEST(ReadScene, SizeUpToTheLimit) {
  const std::string line = "# a comment\n";
  std::string text;
  while (text.size() + line.size() <= largest_scene) text += line;
  text.resize(largest_scene, '#');
  EXPECT_EQ(list_faults(text).size(), 0u);
  EXPECT_EQ(only_fault(text + "#"), "1:1 : the scene has more than 64 MiB of text");
  // All files and overrides count together.
  EXPECT_EQ(list_faults(text, {"title=x"}).size(), 1u);
}

TEST(ReadScene, ManyFaultsAreCutShort) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "key" + std::to_string(i) + " = 1\n";
  const std::vector<Fault> faults = list_faults(text);
  ASSERT_EQ(faults.size(), 100u);
  EXPECT_EQ(faults.back().hint, "there are more errors; the first 100 are shown");
}

}  // namespace
}  // namespace stiction
