#include "stiction/base/fault.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

Fault make_fault(const std::string& file, int line, int column, const std::string& message) {
  return {{file, line, column, 1, {}}, {}, message, {}};
}

TEST(FormatFault, PlaceLineUnderlineAndHint) {
  const Fault fault{
      {"top.toml", 14, 8, 2, "mass = -1"}, "body.top.mass", "must be > 0 kg, got -1 kg", "give a positive mass"};
  EXPECT_EQ(format_fault(fault),
            "top.toml:14:8: error: body.top.mass: must be > 0 kg, got -1 kg\n"
            "    14 | mass = -1\n"
            "       |        ^~\n"
            "  hint: give a positive mass\n");
}

TEST(FormatFault, WithoutPlace) {
  EXPECT_EQ(format_fault({{}, {}, "there is no signal \"x\"", {}}), "error: there is no signal \"x\"\n");
}

TEST(FormatFault, FileWithoutLine) {
  EXPECT_EQ(format_fault(make_fault("a.toml", 0, 0, "bad")), "a.toml: error: bad\n");
}

TEST(FormatFault, TabsAreRepeatedBelow) {
  const Fault fault{{"a.toml", 1, 3, 1, "\t\tx"}, {}, "bad", {}};
  EXPECT_NE(format_fault(fault).find("       | \t\t^\n"), std::string::npos);
}

TEST(FormatFault, CharactersOfSeveralBytesTakeOneColumn) {
  // "tü = x": the x is the 6th character and the 7th byte.
  const Fault fault{{"a.toml", 1, 6, 1, "t\u00fc = x"}, {}, "bad", {}};
  EXPECT_NE(format_fault(fault).find("       |      ^\n"), std::string::npos);
}

TEST(FormatFault, ColumnBehindTheLine) {
  const Fault fault{{"a.toml", 1, 9, 1, "ab"}, {}, "bad", {}};
  EXPECT_NE(format_fault(fault).find("       |   ^\n"), std::string::npos);
}

TEST(InputError, FaultsStandInOrderOfPlace) {
  const InputError error({make_fault("b.toml", 2, 1, "third"), make_fault("b.toml", 1, 9, "second"),
                          make_fault("a.toml", 1, 1, "fourth"), make_fault("b.toml", 1, 3, "first")});
  ASSERT_EQ(error.faults().size(), 4u);
  EXPECT_EQ(error.faults()[0].message, "first");
  EXPECT_EQ(error.faults()[1].message, "second");
  EXPECT_EQ(error.faults()[2].message, "third");
  EXPECT_EQ(error.faults()[3].message, "fourth");
  EXPECT_NE(std::string(error.what()).find("4 errors"), std::string::npos);
}

TEST(InputError, OneFaultNeedsNoCount) {
  const InputError error("bad", "mend it");
  ASSERT_EQ(error.faults().size(), 1u);
  EXPECT_STREQ(error.what(), "error: bad\n  hint: mend it\n");
}

}  // namespace
}  // namespace stiction
