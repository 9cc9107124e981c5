// Ledger, events and records of a ball on a floor, whose impulses are known in closed form.
#include "stiction/stepping/rigid/step_book.h"

#include <gtest/gtest.h>

#include "one_island.h"

namespace stiction {
namespace {

const char* const book_scene = R"(
[world]
gravity = [0, 0, -10]
[contact.default]
friction = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 2
position = [0, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
)";

/// The row of that contact, and impulses and velocities along it as given.
struct StepBookTest : testing::Test {
  StepBookTest() : island(book_scene, "cone", 1e-3), book(island.work) {
    book.begin(result);
    StepRows& rows = island.work.rows;
    Kinematics& kinematics = island.work.kinematics;
    update_positions(island.system, island.state.q, kinematics);
    rows.A().update({island.system, kinematics, 0, island.state.q, island.state.v, island.work.free.z()});
    rows.J().clear();
    solved.contacts = island.work.tracker.start().contacts;
    EXPECT_EQ(solved.contacts.size(), 1u);
    rows.J().add_contact(0, solved.contacts[0], kinematics);
    EXPECT_EQ(rows.dimension(), 3);
    solved.r = solved.u_start = solved.u_end = solved.turned = VecX::Zero(3);
    solved.restored = solved.impact_time = VecX::Zero(1);
    v_mean = VecX::Zero(island.island().nv);
  }
  std::vector<std::string> list_events() const {
    std::vector<std::string> kinds;
    for (const StepEvent& event : result.events) kinds.push_back(event.kind + " " + event.name);
    return kinds;
  }
  test::OneIsland island;
  StepBook book;
  IslandResult result;
  SolvedContacts solved;
  VecX v_mean;
};

// 2 kg at 3 m/s, e = 0.5: the impulse m u (1 + e) takes m u^2 (1 - e^2) / 2 = 6.75 J.
TEST_F(StepBookTest, AnImpactTakesWhatItsRestitutionSays) {
  solved.r << 2 * 3 * 1.5, 0, 0;
  solved.u_start << -3, 0, 0;
  solved.u_end << 1.5, 0, 0;
  book.book_impulses(solved, v_mean, 0, island.state);
  EXPECT_NEAR(island.state.ledger[ledger_impact], 6.75, 1e-14);
  EXPECT_NEAR(island.state.ledger[ledger_dissipated], 6.75, 1e-14);
  EXPECT_EQ(island.state.ledger[ledger_friction], 0);
  book.add_audit();
  EXPECT_NEAR(result.audit.dissipation, 6.75, 1e-14);
  EXPECT_EQ(island.work.audit.dissipation, 0);
}

// Slip that slows from 4 to 3 m/s under mu r_n = 0.1 N s: work 0.1 * 3.5 J; by the law, at the end, 0.1 * 3 J.
TEST_F(StepBookTest, FrictionTakesItsWork) {
  solved.r << 0.2, -0.1, 0;
  solved.u_start << 0, 4, 0;
  solved.u_end << 0, 3, 0;
  book.book_impulses(solved, v_mean, 1e-3, island.state);
  EXPECT_NEAR(island.state.ledger[ledger_friction], 0.35, 1e-15);
  EXPECT_NEAR(island.state.ledger[ledger_dissipated], 0.35, 1e-15);
  EXPECT_EQ(island.state.ledger[ledger_impact], 0);
  EXPECT_NEAR(island.work.audit.dissipation, 0.3, 1e-15);
  EXPECT_NEAR(island.work.audit.cone, 0, 1e-16);
  // Beyond the cone by 0.02 N s.
  solved.r << 0.2, -0.12, 0;
  book.book_impulses(solved, v_mean, 1e-3, island.state);
  EXPECT_NEAR(island.work.audit.cone, 0.02, 1e-15);
}

TEST_F(StepBookTest, EventsAreWhatChanged) {
  const double h = 1e-3;
  solved.r << 9, 0, 0;
  solved.u_start << -3, 0, 0;
  book.remember(solved, 0.1, 0, false);
  EXPECT_EQ(list_events(), std::vector<std::string>{"impact floor/ball"});
  // Loaded on, it sticks, then slips, then lifts off.
  solved.r << 0.02, 0, 0;
  solved.u_start << 0, 0, 0;
  book.remember(solved, 0.2, h, false);
  solved.r << 0.02, -0.01, 0;
  solved.u_end << 0, 1, 0;
  book.remember(solved, 0.3, h, false);
  ASSERT_EQ(island.work.tracker.memory().size(), 1u);
  EXPECT_NEAR(island.work.tracker.memory()[0].force[0], 20, 1e-12);  // the impulse over h
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].mode, ContactMode::slip);
  // All impulses of the step, along the normal and against the slip.
  EXPECT_NEAR(result.records[0].impulse.z(), 9.04, 1e-13);
  EXPECT_NEAR(result.resting_impulses[0], 0.02, 0);
  solved.r.setZero();
  solved.u_end << 1, 1, 0;
  book.remember(solved, 0.4, h, false);
  EXPECT_EQ(list_events(), (std::vector<std::string>{"impact floor/ball", "slip floor/ball", "release floor/ball"}));
  EXPECT_EQ(result.events.back().t, 0.4);
}

// Parts of one step follow each other: the largest problem counts. Islands are beside each other: problems add.
TEST(StepBookAudit, PartsAndIslandsAreMerged) {
  ContactAudit a, b;
  a.contacts = 3, a.unknowns = 9, a.iterations = 5, a.residual = 1e-12, a.dissipation = 2, a.unconverged = 1;
  b.contacts = 4, b.unknowns = 7, b.iterations = 6, b.residual = 1e-11, b.dissipation = 3;
  b.note_lost_restitution(0.25, 1, 2);
  ContactAudit parts = a, islands = a;
  merge_parts(b, parts);
  merge_islands(b, islands);
  EXPECT_EQ(parts.contacts, 4);
  EXPECT_EQ(parts.unknowns, 9);
  EXPECT_EQ(islands.contacts, 7);
  EXPECT_EQ(islands.unknowns, 16);
  for (const ContactAudit& whole : {parts, islands}) {
    EXPECT_EQ(whole.iterations, 11);
    EXPECT_EQ(whole.residual, 1e-11);
    EXPECT_EQ(whole.dissipation, 5);
    EXPECT_EQ(whole.unconverged, 1);
    EXPECT_EQ(whole.restitution_lost, 0.25);
    EXPECT_EQ(whole.lost_b, 2);
  }
}

TEST(StepBookRecords, StandInOrderOnceEach) {
  std::vector<ContactRecord> records;
  std::vector<double> resting;
  const auto find = [&](int a, int b, int point) -> ContactRecord& {
    return find_record({.shape_a = a, .shape_b = b, .point = point}, records, resting);
  };
  find(1, 2, 0).gap = 1;
  find(0, 2, 1).gap = 2;
  find(1, 2, 1).gap = 3;
  find(0, 2, 0).gap = 4;
  EXPECT_EQ(find(1, 2, 0).gap, 1);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(resting.size(), 4u);
  const double expected[] = {4, 2, 1, 3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(records[i].gap, expected[i]);
}

}  // namespace
}  // namespace stiction
