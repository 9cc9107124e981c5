#include "stiction/results/event_pairing.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

std::vector<StepEvent> impacts(const std::vector<double>& times, const std::string& name = "ball/floor") {
  std::vector<StepEvent> events;
  for (const double t : times) events.push_back({t, "impact", name});
  return events;
}

using PairedTimes = std::vector<std::optional<double>>;

TEST(EventPairing, AnAdditionalEventLeavesThePairsOfTheOthersAlone) {
  // The second run has an impact more, at 0.5 s; by count all later ones would be paired with their neighbours.
  const auto rows = pair_events({impacts({0.1, 1.0, 2.0}), impacts({0.11, 0.5, 1.01, 2.02})}, 1e-3);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].times, (PairedTimes{0.1, 0.11}));
  EXPECT_EQ(rows[1].times, (PairedTimes{std::nullopt, 0.5}));
  EXPECT_EQ(rows[2].times, (PairedTimes{1.0, 1.01}));
  EXPECT_EQ(rows[3].times, (PairedTimes{2.0, 2.02}));
  EXPECT_FALSE(rows[1].is_complete());
  EXPECT_NEAR(rows[3].calc_spread(), 0.02, 1e-15);
  EXPECT_EQ(rows[3].number, 4);
}

TEST(EventPairing, KindAndElementMustAgree) {
  const auto rows = pair_events(
      {{{0.1, "impact", "a/b"}, {0.2, "stick", "a/b"}}, {{0.1, "impact", "a/c"}, {0.2, "slip", "a/b"}}}, 1e-3);
  ASSERT_EQ(rows.size(), 4u);
  for (const EventRow& row : rows) EXPECT_FALSE(row.is_complete());
}

TEST(EventPairing, EventsThatTheFirstRunLacksArePairedAmongTheOthers) {
  const auto rows = pair_events({impacts({1}), impacts({1.1, 3}), impacts({0.9, 3.2})}, 1e-3);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].times, (PairedTimes{1.0, 1.1, 0.9}));
  EXPECT_EQ(rows[1].times, (PairedTimes{std::nullopt, 3.0, 3.2}));
}

// An event may come twice at one time; so it does in a copy of the run.
TEST(EventPairing, EventsOfOneTimeFindTheirOwn) {
  for (const EventRow& row : pair_events({impacts({1, 1, 1, 2}), impacts({1, 1, 1, 2})}, 0))
    EXPECT_TRUE(row.is_complete());
  // Both runs have two, a little later in the second: in order, not the last of one with the first of the other.
  const auto rows = pair_events({impacts({1, 1.0001}), impacts({1.0002, 1.0003})}, 1e-3);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].times, (PairedTimes{1, 1.0002}));
  EXPECT_EQ(rows[1].times, (PairedTimes{1.0001, 1.0003}));
}

// The fourth flight of the second run is later than half of the next of the first: by their times alone release 4 would
// stay without a partner, and release 5 take its place.
TEST(EventPairing, AReleaseIsPairedAsItsImpactIs) {
  const auto bounces = [](const std::vector<std::pair<double, double>>& touches) {
    std::vector<StepEvent> events;
    for (const auto& [impact, release] : touches) {
      events.push_back({impact, "impact", "ball/floor"});
      events.push_back({release, "release", "ball/floor"});
    }
    return events;
  };
  const auto rows =
      pair_events({bounces({{1, 1.01}, {2, 2.01}, {2.5, 2.51}}), bounces({{1, 1.02}, {2.1, 2.4}, {2.6, 2.61}})}, 1e-3);
  ASSERT_EQ(rows.size(), 6u);
  for (const EventRow& row : rows) EXPECT_TRUE(row.is_complete()) << row.kind << row.number;
  EXPECT_EQ(rows[3].kind, "release");
  EXPECT_EQ(rows[3].times, (PairedTimes{2.01, 2.4}));
  EXPECT_EQ(rows[5].times, (PairedTimes{2.51, 2.61}));
  // A rebound within a step has both events at one time; a contact of the start ends without a beginning.
  const auto other = pair_events({{{0.5, "release", "a/b"}, {1, "impact", "a/b"}, {1, "release", "a/b"}},
                                  {{0.6, "release", "a/b"}, {1.1, "impact", "a/b"}, {1.1, "release", "a/b"}}},
                                 1e-3);
  ASSERT_EQ(other.size(), 3u);
  for (const EventRow& row : other) EXPECT_TRUE(row.is_complete()) << row.kind << row.number;
}

TEST(EventPairing, APairOfBodiesIsTheSameInEitherOrder) {
  const auto rows = pair_events({impacts({1}, "ball/floor"), impacts({1}, "floor/ball")}, 1e-3);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].is_complete());
  EXPECT_EQ(rows[0].name, "ball/floor");
}

// Shifted by less than half of the smallest distance every event finds its own; and no pairs cross.
TEST(EventPairing, FindsShiftedEventsAgainWhateverIsMissing) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> a, b;
    double t = 0;
    int both = 0;
    for (int i = 0; i < 30; ++i) {
      t += random.uniform(0.1, 1);
      const bool in_a = random.uniform(0, 1) < 0.8, in_b = random.uniform(0, 1) < 0.8;
      if (in_a) a.push_back(t);
      if (in_b) b.push_back(t + random.uniform(-0.04, 0.04));
      both += in_a && in_b ? 1 : 0;
    }
    int found = 0;
    double last_a = -1, last_b = -1;
    for (const EventRow& row : pair_events({impacts(a), impacts(b)}, 1e-3)) {
      if (!row.is_complete()) continue;
      found += row.calc_spread() <= 0.04 ? 1 : 0;
      EXPECT_GT(*row.times[0], last_a);
      EXPECT_GT(*row.times[1], last_b);
      last_a = *row.times[0], last_b = *row.times[1];
    }
    EXPECT_EQ(found, both);
  }
}

}  // namespace
}  // namespace stiction
