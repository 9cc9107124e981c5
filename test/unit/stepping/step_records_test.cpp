#include "stiction/stepping/rigid/step_records.h"

#include "one_island.h"

namespace stiction {
namespace {

const char* const ball_on_floor = R"(
[contact.default]
friction = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 1
position = [0, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
)";

ContactRecord make_record(int shape_a, int shape_b, int point) {
  ContactRecord record{.shape_a = shape_a, .shape_b = shape_b, .point = point};
  record.certified = true;
  return record;
}

// Two islands whose shapes lie between one another's: records are sorted, and each keeps its impulse.
TEST(StepRecords, AreSortedAndMeasured) {
  const test::OneIsland island(ball_on_floor, "cone", 1e-3);
  IslandResult first, second;
  first.records = {make_record(0, 1, 0), make_record(0, 3, 0)};
  first.resting_impulses = {1, 3};
  second.records = {make_record(0, 2, 0), make_record(0, 2, 1)};
  second.resting_impulses = {2, 20};
  StepRecords records;
  records.append(first);
  records.append(second);
  records.sort();
  ASSERT_EQ(records.list().size(), 4u);
  EXPECT_EQ(records.list()[1].shape_b, 2);
  EXPECT_EQ(records.list()[2].point, 1);
  EXPECT_EQ(records.list()[3].shape_b, 3);

  // One contact was found at the end, 1 um deep, with a record, one 2 um deep without.
  Contact shallow, deep;
  shallow.shape_a = 0, shallow.shape_b = 2, shallow.point = 1, shallow.gap = -1e-6;
  deep.shape_a = 0, deep.shape_b = 2, deep.point = 7, deep.gap = -2e-6;
  ContactAudit audit;
  records.measure(island.model, {{shallow, deep}, {}}, audit);
  EXPECT_EQ(records.list()[2].gap, -1e-6);
  EXPECT_EQ(audit.penetration, 2e-6);
  EXPECT_EQ(audit.worst_b, 2);
  EXPECT_DOUBLE_EQ(audit.complementarity, 20e-6);
  records.clear();
  EXPECT_TRUE(records.list().empty());
}

// A pair within reach whose gap is not known counts, whether a contact was found there or not, and once. So does a
// contact that bore an impulse on the way while its gap was not known.
TEST(StepRecords, CountPairsThatAreNotCertified) {
  const test::OneIsland island(ball_on_floor, "cone", 1e-3);
  const auto make_loaded = [](int shape_b, int point, double impulse) {
    ContactRecord record{.shape_a = 0, .shape_b = shape_b, .point = point, .impulse = Vec3(0, 0, impulse)};
    record.certified = false;
    return record;
  };
  IslandResult result;
  result.records = {make_loaded(2, 0, 1), make_loaded(2, 1, 1), make_loaded(4, 0, 1), make_loaded(5, 0, 0)};
  result.resting_impulses = {0, 0, 0, 0};
  StepRecords records;
  records.append(result);
  const auto make_pair = [](int b, bool certified) { return FoundPair{.a = 0, .b = b, .certified = certified}; };
  ContactAudit audit;
  records.measure(island.model, {{}, {make_pair(1, false), make_pair(2, false), make_pair(3, true)}}, audit);
  EXPECT_EQ(audit.uncertified, 3);  // 0-1, 0-2 and 0-4
  EXPECT_EQ(audit.uncertified_b, 1);
}

}  // namespace
}  // namespace stiction
