#include "stiction/scene/read/other_names.h"

#include <gtest/gtest.h>

#include <set>

#include "stiction/scene/describe/topics.h"
#include "stiction/scene/read/unit.h"

namespace stiction {
namespace {

TEST(OtherNames, LeadToWhatScenesHave) {
  std::set<std::pair<std::string_view, std::string_view>> entries;
  for (const OtherName& entry : list_other_names()) {
    const bool is_unit = std::holds_alternative<Quantity>(parse_quantity("1 " + std::string(entry.name)));
    EXPECT_TRUE(is_unit || !find_topics(entry.name).empty()) << entry.name;
    EXPECT_EQ(lower_case(entry.word), entry.word);
    EXPECT_TRUE(entries.insert({entry.word, entry.name}).second) << entry.word << " twice";
  }
}

TEST(OtherNames, HintsNameOnlyCandidates) {
  EXPECT_EQ(make_other_name_hint("Body_A", {"a", "b"}), "here this is called \"a\"");
  EXPECT_EQ(make_other_name_hint("body_a", {"parent", "child"}), "here this is called \"parent\"");
  EXPECT_EQ(make_other_name_hint("limits", {"lower", "upper"}), "here this is called \"lower\" and \"upper\"");
  EXPECT_EQ(make_other_name_hint("diameter", {"radius"}), "here this is called \"radius\": half of the diameter");
  EXPECT_EQ(make_other_name_hint("diameter", {"size"}), "");
  EXPECT_EQ(make_other_name_hint("radius", {"radius"}), "");
}

TEST(OtherNames, UnitsOfEverydayLeadToUnitsOfScenes) {
  const auto hint_of = [](const std::string& text) { return std::get<QuantityFault>(parse_quantity(text)).hint; };
  EXPECT_EQ(hint_of("5 mph"), "here this is called \"km/h\": 1 mph = 1.609344 km/h");
  EXPECT_EQ(hint_of("5 kmh"), "here this is called \"km/h\"");
}

}  // namespace
}  // namespace stiction
