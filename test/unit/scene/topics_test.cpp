#include "stiction/scene/describe/topics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/results/audit.h"
#include "stiction/results/trust_measures.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"
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

// A pair is no joint: names have no slash.
TEST(Topics, ASignalOfAPairIsThatOfAPairOnly) {
  const std::vector<Topic> found = find_topics("contact.ball/floor.force");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "contact.A/B.force");
  EXPECT_EQ(find_topics("hinge.force").at(0).name, "JOINT.force");
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
      const std::string before_link = field.sentence.substr(0, field.sentence.find('['));
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Topic& t) {
        return t.meaning.starts_with(before_link);
      })) << field.name;
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

TEST(Topics, EveryMeasureHasItsLimitsAndRemedy) {
  for (const MeasureInfo& info : trust_measures) {
    const Topic* topic = find_of_kind(info.name, "measure");
    ASSERT_NE(topic, nullptr) << info.name;
    EXPECT_FALSE(topic->limits.empty() || topic->remedy.empty() || topic->meaning.empty()) << info.name;
  }
  EXPECT_TRUE(find_of_kind("penetration", "measure")
                  ->limits.starts_with(
                      "Look closer beyond 0.001 of the thickness of the thinner shape, do not trust beyond 0.01."));
  EXPECT_TRUE(find_of_kind("finite", "measure")->limits.starts_with("Do not trust where there is any."));
}

TEST(Topics, ASignalIsFoundByItsLastPart) {
  for (const char* word : {"peak_force", "gap", "depth", "tilt", "residual", "stabilisation"})
    EXPECT_NE(find_of_kind(word, "signal"), nullptr) << word;
  EXPECT_NE(find_of_kind("peak_force", "signal")->meaning.find(".impulse is the physical number"), std::string::npos);
}

TEST(Topics, AWordOfAChoiceLeadsToItsKey) {
  for (const auto& [word, key] : {std::pair{"monotone", "interpolation"},
                                  {"hold", "interpolation"},
                                  {"linear", "interpolation"},
                                  {"poisson", "hypothesis"},
                                  {"tension", "acts"},
                                  {"tree", "joints"}}) {
    const std::vector<Topic> found = find_topics(word);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Topic& t) { return t.name == key; })) << word;
  }
  // A method is explained itself, not by the list of methods.
  for (const Topic& topic : find_topics("cone")) EXPECT_NE(topic.name, "type");
}

// A word of several tables is first that of contact; names as scenes and plots write them are found.
TEST(Topics, ContactComesFirst) {
  for (const char* word : {"mu", "friction", "e", "restitution"}) {
    const std::vector<Topic> found = find_topics(word);
    ASSERT_FALSE(found.empty()) << word;
    EXPECT_EQ(found.front().where, "[contact.\"A/B\"]") << word;
  }
  EXPECT_EQ(find_topics(".peak_force").front().name, "contact.A/B.peak_force");
  const std::vector<Topic> tables = find_topics("contact.default");
  EXPECT_TRUE(std::any_of(tables.begin(), tables.end(), [](const Topic& t) { return t.kind == "table"; }));
}

// Words of other programs lead to what they are called here.
TEST(Topics, OtherNamesAreFound) {
  EXPECT_EQ(find_topics("hinge").front().name, "revolute");
  EXPECT_EQ(find_topics("cube").front().name, "box");
  EXPECT_EQ(find_topics("dt").front().name, "step");
  // A word with a meaning of its own keeps it.
  EXPECT_EQ(find_topics("plane").front().where, "[contact.\"A/B\"]");
}

TEST(Topics, NoneHasLinks) {
  for (const Topic& topic : list_topics()) EXPECT_EQ(topic.meaning.find("]("), std::string::npos) << topic.meaning;
}

// What `check` prints can be pasted behind `explain`.
TEST(Topics, EveryNoticeIsExplained) {
  const std::string spring = R"([body.mass]
mass = 1
inertia = 1
shape = { type = "sphere", radius = 0.1 }
[joint.guide]
type = "prismatic"
child = "mass"
lower = -1
upper = 1
friction = 1
[spring.coil]
type = "linear"
b = "mass"
stiffness = 1
at_a = [0, 0, 3]
damping = 4e4
[time]
step = 1e-3
output = 1.5e-3
)";
  const std::string floor = R"([body.floor]
fixed = true
position = [0, 0, -9]
shape = { type = "halfspace" }
)";
  const std::string bristle = R"([contact.default]
friction = { law = "bristle", static = 0.5, damping = 1e-3 }
normal = { law = "hertz", stiffness = 1e6, restitution = 0.5 }
)";
  const std::string door = R"([body.door]
mass = 1
inertia = 1
[joint.hinge]
type = "revolute"
child = "door"
upper = 90
)";
  std::size_t count = 0;
  for (const std::string method :
       {"[method]\ntype = \"smooth\"\nsleep_speed = 0.1\n",
        "[method]\ntype = \"compliant\"\nintegrator = \"cvode_bdf\"\n", "[method]\ntype = \"cone\"\nsleep = 1\n"}) {
    const Scene scene = read_text(spring + floor + bristle + door + method);
    for (const Notice& notice : list_notices(scene, compile(scene))) {
      const bool warns = notice.kind == Notice::Kind::warning;
      EXPECT_NE(find_of_kind(notice.text, warns ? "warning" : "note"), nullptr) << notice.text;
      ++count;
    }
  }
  EXPECT_GE(count, 9u);
  EXPECT_NE(find_of_kind("warnings", "warning"), nullptr);
  // Both act in every method.
  EXPECT_EQ(find_of_kind("limits do not act", "warning"), nullptr);
  EXPECT_EQ(find_of_kind("friction does not act", "warning"), nullptr);
}

TEST(Topics, WordsBesideOneAreOffered) {
  EXPECT_TRUE(find_topics("frction").empty());
  const std::vector<std::string> near = find_near_topics("frction");
  EXPECT_NE(std::find(near.begin(), near.end(), "friction"), near.end());
  EXPECT_TRUE(find_near_topics("qqqqqqqqqqqq").empty());
  EXPECT_TRUE(find_near_topics("foo").empty());
  const std::vector<std::string> longer = find_near_topics("mas");
  EXPECT_NE(std::find(longer.begin(), longer.end(), "mass"), longer.end());
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
