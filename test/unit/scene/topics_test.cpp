#include "stiction/scene/describe/topics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/results/audit.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/describe/new_scene.h"
#include "stiction/stepping/ode/integrators.h"
#include "stiction/stepping/stepper.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

const Topic* find_of_kind(std::string_view word, std::string_view kind) {
  static std::vector<Topic> found;
  found = find_topics(word);
  const auto topic = std::find_if(found.begin(), found.end(), [&](const Topic& t) { return t.kind == kind; });
  return topic == found.end() ? nullptr : &*topic;
}

TEST(Topics, EveryMethodHasItsFormulaAndSource) {
  for (const std::string& name : formulation_names()) {
    const Topic* topic = find_of_kind(name, "method");
    ASSERT_NE(topic, nullptr) << name;
    EXPECT_FALSE(topic->formula.empty()) << name;
    EXPECT_FALSE(topic->paper.empty()) << name;
  }
  for (const IntegratorInfo& info : integrators())
    EXPECT_NE(find_of_kind(info.name, "integrator"), nullptr) << info.name;
}

TEST(Topics, EveryContactLawHasItsFormula) {
  for (const auto& [table, kind] :
       {std::pair{&describe_normal().info(), "normal contact law"}, {&describe_friction().info(), "friction law"}}) {
    for (const TypeInfo& type : table->types) {
      const Topic* topic = find_of_kind(type.name, kind);
      ASSERT_NE(topic, nullptr) << type.name;
      if (type.name != "none") {
        EXPECT_FALSE(topic->formula.empty()) << type.name;
      }
    }
  }
  for (const char* law : {"hertz", "power", "bristle", "spring", "coulomb"})
    EXPECT_TRUE(std::any_of(list_topics().begin(), list_topics().end(), [&](const Topic& t) {
      return t.name == law && !t.paper.empty();
    })) << law;
}

TEST(Topics, EveryKeyIsExplainedAloneAndWithItsTable) {
  for (const TableInfo* table : list_tables()) {
    for (const FieldInfo& field : table->fields) {
      const std::vector<Topic> found = find_topics(field.name);
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Topic& t) { return t.meaning == field.sentence; }))
          << field.name;
    }
  }
  const std::vector<Topic> mass = find_topics("body.mass");
  ASSERT_EQ(mass.size(), 1u);
  EXPECT_EQ(mass[0].where, "[body.NAME]");
  EXPECT_EQ(mass[0].range, "> 0");
  EXPECT_EQ(find_topics("Method.Theta").size(), 1u);
}

TEST(Topics, EveryAuditSignalIsExplainedWithItsUnit) {
  for (const AuditField& field : audit_fields) {
    const Topic* topic = find_of_kind(std::string("audit.") + field.name, "signal");
    ASSERT_NE(topic, nullptr) << field.name;
    EXPECT_TRUE(topic->value.starts_with(field.unit)) << field.name;
  }
}

TEST(Topics, WordsBesideOneAreOffered) {
  EXPECT_TRUE(find_topics("frction").empty());
  const std::vector<std::string> near = find_near_topics("frction");
  EXPECT_NE(std::find(near.begin(), near.end(), "friction"), near.end());
  EXPECT_TRUE(find_near_topics("qqqqqqqqqqqq").empty());
}

TEST(NewScene, IsValidAndSaysWhatItsKeysMean) {
  const std::string text = make_new_scene("first");
  EXPECT_EQ(format_faults(list_faults(text)), "") << text;
  const Scene scene = read_text(text);
  EXPECT_EQ(scene.title, "first");
  EXPECT_EQ(scene.method.type, "cone");
  const System system = compile(scene);
  EXPECT_TRUE(system.contact.in_use);
  // The sentence of the description, as far as its first stop.
  EXPECT_NE(text.find("mass = 1.0 "), std::string::npos);
  EXPECT_NE(text.find("# Mass [kg]"), std::string::npos) << text;
}

}  // namespace
}  // namespace stiction
