#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/fault.h"
#include "stiction/report/collect_frames.h"
#include "stiction/report/collect_signals.h"
#include "stiction/report/page_data.h"

#include "test/unit/report/made_run.h"

namespace stiction {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> make_times(int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(0.001 * i);
  return times;
}

TEST(thin_samples, few_samples_are_all_kept) {
  EXPECT_EQ(thin_samples({3, 1, 2}, 4), (std::vector<double>{3, 1, 2}));
}

TEST(thin_samples, every_interval_keeps_its_extremes_in_their_order) {
  std::vector<double> samples;
  for (int i = 0; i < 100000; ++i) samples.push_back(std::sin(0.37 * i) * std::cos(0.00013 * i));
  samples[77777] = 5;  // spikes of one sample
  samples[33333] = -5;
  const std::vector<double> thinned = thin_samples(samples, 1000);
  ASSERT_EQ(thinned.size(), 1000u);
  for (std::size_t k = 0; k < 500; ++k) {
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(200 * k), end = begin + 200;
    const auto low = std::min_element(begin, end), high = std::max_element(begin, end);
    EXPECT_EQ(thinned[2 * k], low < high ? *low : *high);
    EXPECT_EQ(thinned[2 * k + 1], low < high ? *high : *low);
  }
}

TEST(thin_samples, a_gap_stays_a_gap) {
  std::vector<double> samples(1000, 1.0);
  samples[500] = nan;
  const std::vector<double> thinned = thin_samples(samples, 100);
  EXPECT_EQ(std::count_if(thinned.begin(), thinned.end(), [](double v) { return std::isnan(v); }), 1);
}

TEST(thin_times, ascend_and_keep_both_ends) {
  const std::vector<double> times = make_times(12345), thinned = thin_times(times, 1000);
  ASSERT_EQ(thinned.size(), 1000u);
  EXPECT_EQ(thinned.front(), times.front());
  EXPECT_EQ(thinned.back(), times.back());
  EXPECT_TRUE(std::is_sorted(thinned.begin(), thinned.end()));
}

TEST(choose_frames, spread_evenly_and_with_those_that_are_wanted) {
  const std::vector<double> times = make_times(10001);
  const std::vector<std::size_t> frames = choose_frames(times, 101, {0.12345});
  ASSERT_EQ(frames.size(), 102u);
  EXPECT_EQ(frames.front(), 0u);
  EXPECT_EQ(frames.back(), 10000u);
  // The sample at or after 0.12345 s is number 124.
  EXPECT_EQ(std::count(frames.begin(), frames.end(), 124u), 1);
}

TEST(collect_page, a_scene_that_nobody_can_read_changes_nothing) {
  MadeRun made("[of a later version");
  made.add_body("a", [](int i) { return 0.1 * i; });
  made.add_signal("energy.kinetic", "J", [](int i) { return 1.0 * i; });
  const auto run = RunReader::open(made.write(11, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run");
  ASSERT_EQ(page.bodies.size(), 2u);
  EXPECT_EQ(page.bodies[1].name, "a");
  EXPECT_EQ(page.bodies[1].track.positions.size(), 11u);
  EXPECT_EQ(page.signals.signals.size(), 8u);
  EXPECT_TRUE(page.notes.empty());
  EXPECT_EQ(page.verdict.trust, Trust::trustworthy);
}

TEST(collect_page, what_is_not_finite_keeps_its_last_place_and_is_told) {
  MadeRun made;
  made.add_body("a", [](int i) { return i < 5 ? 0.1 * i : i < 8 ? nan : 1e200; });
  const auto run = RunReader::open(made.write(11, make_summary(RunStatus::diverged)));
  const PageData page = collect_page(*run, "run");
  for (const Vec3& p : page.bodies[1].track.positions) EXPECT_TRUE(p.allFinite());
  EXPECT_EQ(page.bodies[1].track.positions.back().x(), 0.4);
  const auto tells = [](const std::string& note) { return note.starts_with("At 0.05 s a.position is not finite"); };
  EXPECT_TRUE(std::any_of(page.notes.begin(), page.notes.end(), tells));
}

TEST(collect_page, very_many_contacts_at_one_instant_are_cut_to_the_largest) {
  MadeRun made;
  made.shapes = {"a", "b"};
  made.add_body("a", [](int i) { return 0.1 * i; });
  made.contacts.resize(100'000);
  for (std::size_t i = 0; i < made.contacts.size(); ++i) {
    made.contacts[i].t = 0.01;
    made.contacts[i].contact.shape_b = 1;
    // Each impulse once, in a scrambled order: 7919 is a prime that does not divide their number.
    made.contacts[i].contact.impulse = Vec3(0, 0, static_cast<double>(i * 7919 % 100'000));
  }
  const auto run = RunReader::open(made.write(3, make_summary(RunStatus::completed)));
  const PageContacts contacts = collect_page(*run, "run").contacts;
  EXPECT_EQ(contacts.recorded, 100'000);
  EXPECT_EQ(contacts.peak_impulse, 99'999);
  ASSERT_EQ(contacts.frames[1].size(), 20'000u);
  for (const PageContact& contact : contacts.frames[1]) EXPECT_GE(contact.record.impulse.z(), 80'000);
}

TEST(collect_page, contacts_of_impossible_shapes_and_numbers_are_kept_apart) {
  MadeRun made;
  made.shapes = {"only"};
  made.add_body("a", [](int i) { return 0.1 * i; });
  ContactSample sample{.t = 0, .contact = {}};
  sample.contact.shape_a = 7;
  sample.contact.impulse = Vec3::Constant(nan);
  made.contacts = {sample};
  const auto run = RunReader::open(made.write(2, make_summary(RunStatus::completed)));
  const PageContacts contacts = collect_page(*run, "run").contacts;
  ASSERT_EQ(contacts.pairs.size(), 1u);
  EXPECT_EQ(contacts.pairs[0].a, "unknown shape");
  EXPECT_EQ(contacts.pairs[0].b, "only");
  EXPECT_EQ(contacts.peak_impulse, 0);
}

TEST(collect_page, times_that_do_not_ascend_end_the_page_there) {
  MadeRun made;
  made.add_signal("x", "m", [](int i) { return 1.0 * i; });
  const std::filesystem::path folder = made.write(5, make_summary(RunStatus::completed));
  // A second part that begins anew.
  auto writer = RunWriter::create(folder.parent_path() / "second", {}, {{"x", "m", "output"}}, {}, made.model);
  MatX block = MatX::Zero(2, 1);
  for (const std::vector<double>& times : {std::vector<double>{0, 1}, std::vector<double>{1, 2}}) {
    writer->write_part({times, block, {}, {}}, nullptr);
    writer->close_part();
  }
  writer->finish(make_summary(RunStatus::completed));
  const PageData page = collect_page(*RunReader::open(folder.parent_path() / "second"), "second");
  EXPECT_EQ(page.samples, 2);
  ASSERT_FALSE(page.notes.empty());
  EXPECT_EQ(find_judgement(page, "times").trust, Trust::do_not_trust);
}

TEST(collect_page, a_truncated_database_is_an_error_of_files) {
  MadeRun made;
  made.add_body("a", [](int i) { return 0.1 * i; });
  const std::filesystem::path folder = made.write(2000, make_summary(RunStatus::completed));
  const std::filesystem::path file = folder / "run.sqlite";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THROW((void)collect_page(*RunReader::open(folder), "run"), IoError);
}

// What the scene was warned of stands among the notes, and is not judged.
TEST(collect_page, warnings_of_the_scene_are_told) {
  MadeRun run;
  run.description.warnings = {"nothing sleeps"};
  run.add_signal("energy.residual", "J", [](int) { return 0.0; });
  const PageData page = collect_page(*RunReader::open(run.write(4, make_summary(RunStatus::completed))), "run");
  const auto found = std::find(page.notes.begin(), page.notes.end(), "Warned of before the run: nothing sleeps.");
  EXPECT_NE(found, page.notes.end());
  EXPECT_EQ(page.verdict.trust, Trust::trustworthy);
}

}  // namespace
}  // namespace stiction
