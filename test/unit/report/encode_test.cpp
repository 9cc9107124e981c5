#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>

#include "stiction/report/encode_page.h"
#include "stiction/report/report_page.h"
#include "stiction/report/verdict.h"

#include "test/unit/report/made_run.h"

namespace stiction {
namespace {

nlohmann::json read_header(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), 4);
  return nlohmann::json::parse(bytes.substr(4, length));
}

TEST(encode_page, names_of_any_bytes_become_json) {
  MadeRun made;
  const std::string evil = "</script><script>alert(1)</script>\"'/\\\x01\xff";
  made.add_body(evil, [](int i) { return 0.1 * i; });
  const auto run = RunReader::open(made.write(4, make_summary(RunStatus::completed)));
  const nlohmann::json header = read_header(encode_page(collect_page(*run, evil)));
  const std::string name = header["bodies"][1]["name"];
  EXPECT_TRUE(name.starts_with("</script><script>alert(1)</script>\"'/\\\x01"));
}

TEST(encode_page, numbers_that_are_not_finite_are_null) {
  MadeRun made;
  made.add_signal("bad", "m", [](int) { return std::numeric_limits<double>::infinity(); });
  const auto run = RunReader::open(made.write(4, make_summary(RunStatus::completed)));
  EXPECT_TRUE(read_header(encode_page(collect_page(*run, "run")))["signals"]["data"][0].is_null());
}

TEST(make_report, no_name_can_leave_its_place_and_the_same_run_gives_the_same_bytes) {
  if (!has_report_page()) GTEST_SKIP() << "built without npm";
  MadeRun made("title = \"</title><script>alert(1)</script>\"\n");
  made.add_body("</script><b>", [](int i) { return 0.1 * i; });
  const std::filesystem::path folder = made.write(4, make_summary(RunStatus::completed));
  const std::string page = make_report({folder});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_EQ(make_report({folder}), page);
  // One file under a megabyte beside its data.
  EXPECT_LT(page.size(), 1'000'000u);
}

// The scale of the energy is the largest kinetic energy, 2 J: 1e-4 J is a 5e-5 of it, 0.05 J a 2.5e-2, 0.2 J a tenth.
TEST(judge_run, energy_is_judged_by_what_changed_hands) {
  for (const auto& [residual, level] : {std::pair{1e-4, PageCheck::Level::good},
                                        {0.05, PageCheck::Level::doubtful},
                                        {0.2, PageCheck::Level::bad},
                                        {std::nan(""), PageCheck::Level::bad}}) {
    MadeRun made(smooth_scene);
    made.add_signal("energy.kinetic", "J", [](int i) { return i == 3 ? 2.0 : 1.0; });
    made.add_signal("energy.residual", "J", [r = residual](int i) { return i == 5 ? -r : 0; });
    const auto run = RunReader::open(made.write(10, make_summary(RunStatus::completed)));
    const PageData page = collect_page(*run, "run");
    const PageCheck& check = find_check(page.checks, "energy");
    EXPECT_EQ(check.level, level) << residual;
    EXPECT_NEAR(check.time, 0.05, 1e-12);
    EXPECT_EQ(sum_up(page.checks).level, level);
  }
}

TEST(judge_run, the_worst_penetration_names_its_contact) {
  MadeRun made;
  made.shapes = {"floor", "ball", "box"};
  made.add_body("ball", [](int i) { return 0.1 * i; });
  made.add_signal("audit.penetration", "m", [](int i) { return i == 2 ? 1e-3 : 1e-6; });
  for (int shape : {1, 2}) {
    ContactSample sample{.t = 0.02, .contact = {}};
    sample.contact.shape_b = shape;
    sample.contact.gap = shape == 2 ? -1e-3 : -1e-5;
    made.contacts.push_back(sample);
  }
  const auto run = RunReader::open(made.write(5, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run");
  const PageCheck& check = find_check(page.checks, "penetration");
  EXPECT_EQ(check.contact, "floor/box");
  EXPECT_NEAR(check.time, 0.02, 1e-12);
  EXPECT_EQ(check.worst, 1e-3);
}

TEST(judge_run, the_deepest_contact_of_all_steps_is_named_also_where_it_was_not_recorded) {
  MadeRun made;
  made.shapes = {"floor", "ball", "box"};
  // At sample 3 the audit tells of a step between samples 2 and 3: floor and box.
  made.add_signal("audit.penetration", "m", [](int i) { return i == 3 ? 2e-3 : 1e-5; });
  made.add_signal("audit.worst_a", "1", [](int) { return 0.0; });
  made.add_signal("audit.worst_b", "1", [](int i) { return i == 3 ? 2.0 : 1.0; });
  made.add_signal("audit.iterations", "1", [](int i) { return i == 1 ? 17.0 : 3.0; });
  const auto run = RunReader::open(made.write(5, make_summary(RunStatus::completed)));
  const PageData page = collect_page(*run, "run");
  const PageCheck& check = find_check(page.checks, "penetration");
  EXPECT_EQ(check.contact, "floor/box");
  EXPECT_NEAR(check.time, 0.03, 1e-12);
  const PageCheck& iterations = find_check(page.checks, "iterations");
  EXPECT_EQ(iterations.worst, 17);
  EXPECT_NEAR(iterations.time, 0.01, 1e-12);
  EXPECT_EQ(iterations.level, PageCheck::Level::good);
}

TEST(judge_run, rounding_of_energy_where_nothing_moves_is_good_and_more_than_that_is_bad) {
  const std::pair<double, PageCheck::Level> cases[] = {{2e-15, PageCheck::Level::good}, {1e-6, PageCheck::Level::bad}};
  for (const auto& [residual, level] : cases) {
    MadeRun made;
    made.add_signal("energy.kinetic", "J", [](int) { return 1e-26; });
    made.add_signal("energy.total", "J", [](int) { return 6.867; });
    made.add_signal("energy.residual", "J", [residual = residual](int i) { return i == 3 ? residual : 0; });
    const auto run = RunReader::open(made.write(5, make_summary(RunStatus::completed)));
    const PageData page = collect_page(*run, "run");
    EXPECT_EQ(find_check(page.checks, "energy").level, level) << residual;
  }
}

TEST(judge_run, a_number_that_is_not_finite_anywhere_is_bad) {
  for (const double value : {std::nan(""), HUGE_VAL}) {
    MadeRun made;
    made.add_signal("energy.residual", "J", [](int) { return 0.0; });
    made.add_signal("audit.penetration", "m", [](int) { return 0.0; });
    made.add_body("ball", [value](int i) { return i == 4 ? value : 0.1 * i; });
    RunSummary summary = make_summary(RunStatus::completed);
    summary.audit["penetration"] = 0;
    const auto run = RunReader::open(made.write(10, summary));
    const PageData page = collect_page(*run, "run");
    EXPECT_EQ(find_check(page.checks, "finite").level, PageCheck::Level::bad);
    EXPECT_NEAR(find_check(page.checks, "finite").time, 0.04, 1e-12);
    EXPECT_EQ(sum_up(page.checks).level, PageCheck::Level::bad);
  }
}

// A run that is good but for what `spoil` does to it.
PageData judge_spoilt(const std::function<void(MadeRun&)>& spoil, const char* scene = smooth_scene) {
  MadeRun made(scene);
  made.shapes = {"floor", "ball"};
  made.add_signal("energy.residual", "J", [](int) { return 0.0; });
  made.add_signal("energy.kinetic", "J", [](int) { return 1.0; });
  for (int i = 0; i < 10; ++i) {
    ContactSample sample{.t = 0.01 * i, .contact = {}};
    sample.contact.shape_b = 1;
    sample.contact.normal = Vec3::UnitZ();
    made.contacts.push_back(sample);
  }
  spoil(made);
  return collect_page(*RunReader::open(made.write(10, make_summary(RunStatus::completed))), "run");
}

TEST(judge_run, every_column_of_a_contact_counts) {
  EXPECT_EQ(sum_up(judge_spoilt([](MadeRun&) {}).checks).level, PageCheck::Level::good);
  const double nan = std::nan("");
  const std::function<void(ContactSample&)> spoilers[] = {[&](ContactSample& s) { s.contact.position.y() = nan; },
                                                          [&](ContactSample& s) { s.contact.normal.x() = nan; },
                                                          [&](ContactSample& s) { s.contact.gap = nan; },
                                                          [&](ContactSample& s) { s.contact.impulse.z() = nan; },
                                                          [&](ContactSample& s) { s.contact.spin_impulse = nan; },
                                                          [&](ContactSample& s) { s.contact.slip.x() = HUGE_VAL; },
                                                          [&](ContactSample& s) { s.t = nan; },
                                                          [&](ContactSample& s) { s.t = 0; }};
  for (std::size_t k = 0; k < std::size(spoilers); ++k) {
    const PageData page = judge_spoilt([&](MadeRun& made) { spoilers[k](made.contacts[7]); });
    EXPECT_EQ(find_check(page.checks, "finite").level, PageCheck::Level::bad) << k;
    EXPECT_TRUE(find_check(page.checks, "finite").reason.starts_with("the contact floor/ball")) << k;
  }
}

TEST(judge_run, contacts_that_are_not_drawn_count_too) {
  MadeRun made(smooth_scene);
  made.shapes = {"floor", "ball"};
  made.add_signal("energy.residual", "J", [](int) { return 0.0; });
  made.contacts.resize(100);
  for (ContactSample& sample : made.contacts) sample.contact.impulse.z() = 1;
  made.contacts[50].contact.impulse.z() = 0;
  made.contacts[50].contact.gap = std::nan("");
  const auto run = RunReader::open(made.write(3, make_summary(RunStatus::completed)));
  PageLimits limits;
  limits.contacts = 10;
  const PageData page = collect_page(*run, "run", limits);
  EXPECT_EQ(page.contacts.shown, 10);
  EXPECT_EQ(find_check(page.checks, "finite").level, PageCheck::Level::bad);
}

TEST(judge_run, poses_that_cannot_be_are_not_called_good) {
  const auto far = judge_spoilt([](MadeRun& made) { made.add_body("ball", [](int i) { return i == 4 ? 1e300 : 0; }); });
  EXPECT_EQ(find_check(far.checks, "poses").level, PageCheck::Level::doubtful);
  EXPECT_EQ(sum_up(far.checks).reason, "poses: ball.position is beyond 1e9 m");
  const auto flat = judge_spoilt([](MadeRun& made) {
    for (const char* axis : {"x", "y", "z"})
      made.add_signal(std::string("ball.position.") + axis, "m", [](int) { return 0; });
    for (const char* part : {"w", "x", "y", "z"})
      made.add_signal(std::string("ball.orientation.") + part, "1", [part](int i) { return *part == 'w' && i != 6; });
  });
  EXPECT_EQ(find_check(flat.checks, "poses").level, PageCheck::Level::bad);
  EXPECT_NEAR(find_check(flat.checks, "poses").time, 0.06, 1e-12);
}

TEST(judge_run, a_scene_that_is_not_understood_is_doubtful) {
  for (const char* scene : {"", "no scene at all"}) {
    const PageData page = judge_spoilt([](MadeRun&) {}, scene);
    EXPECT_EQ(find_check(page.checks, "scene").level, PageCheck::Level::doubtful) << scene;
    EXPECT_TRUE(sum_up(page.checks).reason.starts_with("scene: this program does not understand it")) << scene;
  }
}

TEST(sum_up, tells_every_reason_of_the_worst_level_once) {
  const auto make = [](const char* name, PageCheck::Level level, const char* reason) {
    return PageCheck{.name = name, .level = level, .reason = reason};
  };
  using Level = PageCheck::Level;
  const Verdict verdict = sum_up(
      {make("status", Level::good, "the run reached its end"), make("penetration", Level::doubtful, "not recorded"),
       make("energy", Level::doubtful, "2e-3 of it"), make("cone", Level::doubtful, "not recorded")});
  EXPECT_EQ(verdict.level, Level::doubtful);
  EXPECT_EQ(verdict.reason, "penetration and cone: not recorded; energy: 2e-3 of it");
}

TEST(judge_run, without_a_ledger_a_run_is_not_called_good) {
  MadeRun made;
  made.add_body("ball", [](int i) { return 0.1 * i; });
  const auto run = RunReader::open(made.write(10, make_summary(RunStatus::completed)));
  EXPECT_EQ(sum_up(collect_page(*run, "run").checks).level, PageCheck::Level::doubtful);
}

TEST(judge_run, a_run_that_stopped_early_is_never_good) {
  const std::pair<RunStatus, PageCheck::Level> cases[] = {{RunStatus::limit, PageCheck::Level::doubtful},
                                                          {RunStatus::interrupted, PageCheck::Level::doubtful},
                                                          {RunStatus::diverged, PageCheck::Level::bad},
                                                          {RunStatus::failed, PageCheck::Level::bad}};
  for (const auto& [status, level] : cases) {
    MadeRun made;
    made.add_signal("x", "m", [](int) { return 0.0; });
    const auto run = RunReader::open(made.write(3, make_summary(status)));
    EXPECT_EQ(sum_up(collect_page(*run, "run").checks).level, level);
  }
}

}  // namespace
}  // namespace stiction
