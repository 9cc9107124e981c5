#include <gtest/gtest.h>

#include <cmath>

#include "stiction/report/collect_contact_sums.h"
#include "stiction/report/page_data.h"

#include "test/unit/report/made_run.h"

namespace stiction {
namespace {

const std::vector<double>& find_sum(const PageData& page, const std::string& name) {
  for (const PageSignal& signal : page.contacts.sums.signals) {
    if (signal.info.name == name) return signal.values;
  }
  throw std::runtime_error("no sum " + name);
}

ContactSample make_contact(double t, int shape_b, const Vec3& impulse, double gap) {
  ContactSample sample{.t = t, .contact = {}};
  sample.contact.shape_b = shape_b;
  sample.contact.normal = Vec3::UnitZ();
  sample.contact.impulse = impulse;
  sample.contact.slip = Vec3(0, 10 * std::abs(gap), 0);
  sample.contact.gap = gap;
  return sample;
}

// At sample 1: 100 contacts of the ball with (3, 4, 2) N s each and one of the box with (0, 0, 7) N s, in all a normal
// impulse of 207 and a tangential one of 500 N s.
MadeRun& fill(MadeRun& made) {
  made.shapes = {"floor", "ball", "box"};
  made.add_body("ball", [](int i) { return 0.1 * i; });
  for (int i = 0; i < 100; ++i) made.contacts.push_back(make_contact(0.01, 1, Vec3(3, 4, 2), -1e-3 * i));
  made.contacts.push_back(make_contact(0.01, 2, Vec3(0, 0, 7), 0.5));
  return made;
}

TEST(collect_contact_sums, count_contacts_that_are_not_drawn) {
  MadeRun made;
  PageLimits limits;
  limits.contacts = 10;
  const auto run = RunReader::open(fill(made).write(3, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run", limits);
  ASSERT_EQ(page.contacts.shown, 10);
  EXPECT_EQ(find_sum(page, "contact:all contacts:normal force"), (std::vector<double>{0, 207, 0}));
  EXPECT_EQ(find_sum(page, "contact:all contacts:friction force"), (std::vector<double>{0, 500, 0}));
  EXPECT_EQ(find_sum(page, "contact:floor / ball:normal force"), (std::vector<double>{0, 200, 0}));
  EXPECT_EQ(find_sum(page, "contact:floor / box:normal force"), (std::vector<double>{0, 7, 0}));
  const std::vector<double>& gap = find_sum(page, "contact:floor / ball:gap");
  EXPECT_TRUE(std::isnan(gap[0]) && std::isnan(gap[2]));
  EXPECT_EQ(gap[1], -1e-3 * 99);
  EXPECT_EQ(find_sum(page, "contact:floor / ball:slip speed")[1], 10 * 1e-3 * 99);
}

TEST(collect_contact_sums, are_not_needed_where_everything_is_drawn) {
  MadeRun made;
  const auto run = RunReader::open(fill(made).write(3, make_summary(RunStatus::completed)));
  EXPECT_TRUE(collect_page(*run, "run").contacts.sums.signals.empty());
}

// A spike of one sample in a run whose frames miss it.
TEST(collect_contact_sums, keep_peaks_between_frames) {
  constexpr int samples = 100'000, spike = 77'777;
  MadeRun made;
  made.shapes = {"floor", "ball"};
  made.add_body("ball", [](int i) { return 1e-3 * i; });
  for (int i = 0; i < samples; i += 7) made.contacts.push_back(make_contact(0.01 * i, 1, Vec3(0, 0, 1), 0));
  made.contacts[std::size_t{spike} / 7].contact.impulse.z() = 5;
  made.contacts[std::size_t{spike} / 7 + 1].contact.gap = -0.25;
  PageLimits limits;
  limits.frames = 1000;
  const auto run = RunReader::open(made.write(samples, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run", limits);
  const std::vector<double>& force = find_sum(page, "contact:all contacts:normal force");
  ASSERT_EQ(force.size(), 8192u);
  ASSERT_EQ(page.contacts.sums.times.size(), force.size());
  const auto peak = std::max_element(force.begin(), force.end());
  EXPECT_EQ(*peak, 5);
  // Within the interval of about 24.4 samples that it belongs to.
  EXPECT_NEAR(page.contacts.sums.times[static_cast<std::size_t>(peak - force.begin())], 0.01 * spike, 0.25);
  const std::vector<double>& gap = find_sum(page, "contact:floor / ball:gap");
  EXPECT_EQ(*std::min_element(gap.begin(), gap.end()), -0.25);
}

TEST(collect_contact_sums, pairs_that_have_no_room_are_told) {
  MadeRun made;
  PageLimits limits;
  limits.contacts = 10;
  limits.contact_sum_numbers = 2 * 4 * 3;  // two groups of four measures at three samples
  const auto run = RunReader::open(fill(made).write(3, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run", limits);
  EXPECT_EQ(page.contacts.sums.signals.size(), 8u);
  EXPECT_EQ(page.notes.back(),
            "Curves of all contacts and of 1 pair include every recorded contact; curves of other pairs include the "
            "drawn contacts only, and say so.");
}

// One frame of a thousand, 99 of one: the budget of 500 leaves the crowded one 401.
TEST(collect_page, crowded_frames_get_what_sparse_ones_leave) {
  MadeRun made;
  made.shapes = {"floor", "ball"};
  made.add_body("ball", [](int i) { return 0.1 * i; });
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < (i == 50 ? 1000 : 1); ++k) made.contacts.push_back(make_contact(0.01 * i, 1, Vec3(0, 0, k), 0));
  }
  PageLimits limits;
  limits.contacts = 500;
  const auto run = RunReader::open(made.write(100, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run", limits);
  EXPECT_EQ(page.contacts.frames[50].size(), 401u);
  EXPECT_EQ(page.contacts.shown, 500);
}

}  // namespace
}  // namespace stiction
