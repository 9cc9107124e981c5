#include "stiction/report/share_budget.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/report/page_data.h"

#include "test/unit/report/made_run.h"

namespace stiction {
namespace {

TEST(share_budget, the_least_leave_their_rest_to_others) {
  EXPECT_EQ(share_budget({}, 10), 0u);
  EXPECT_EQ(share_budget({3, 4}, 10), 4u);  // all fit
  // 1 + 2 are whole; the 97 left are shared by two.
  EXPECT_EQ(share_budget({1000, 1, 2, 50}, 100), 48u);
  EXPECT_EQ(share_budget({1000, 1, 2, 40}, 100), 57u);
}

TEST(thin_events, spread_over_the_run_and_rare_kinds_are_whole) {
  std::vector<StepEvent> events;
  for (int i = 0; i < 30'000; ++i)
    events.push_back({.t = 1e-3 * i, .kind = i % 10'000 == 5 ? "impact" : "stick", .name = "a"});
  const std::vector<StepEvent> kept = thin_events(events, 1003);
  ASSERT_EQ(kept.size(), 1003u);
  EXPECT_EQ(std::count_if(kept.begin(), kept.end(), [](const StepEvent& e) { return e.kind == "impact"; }), 3);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    EXPECT_LT(kept[i - 1].t, kept[i].t);
    // Every 30th of 29,997, of which at most one is an impact.
    EXPECT_LE(kept[i].t - kept[i - 1].t, 0.0311);
  }
  EXPECT_GE(kept.back().t, 30 - 0.0311);
}

TEST(collect_page, events_reach_to_the_end_of_the_run_and_the_rest_is_told) {
  MadeRun made;
  made.add_signal("x", "m", [](int i) { return 1.0 * i; });
  for (int i = 0; i < 500; ++i) made.events.push_back({.t = 0.01 * i, .kind = "stick", .name = "a"});
  PageLimits limits;
  limits.events = 50;
  const PageData page =
      collect_page(*RunReader::open(made.write(501, make_summary(RunStatus::completed))), "run", limits);
  EXPECT_EQ(page.event_count, 500);
  ASSERT_EQ(page.events.size(), 50u);
  EXPECT_NEAR(page.events.back().t, 4.9, 1e-9);  // every tenth
  const auto tells = [](const std::string& note) { return note.starts_with("50 of 500 events are listed"); };
  EXPECT_TRUE(std::any_of(page.notes.begin(), page.notes.end(), tells));
}

}  // namespace
}  // namespace stiction
