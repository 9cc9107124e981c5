#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>

#include "stiction/report/encode_page.h"
#include "stiction/report/report_page.h"

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

TEST(encode_page, the_verdict_of_the_run_and_its_remedies_are_there) {
  MadeRun made;
  made.description.rigid_contact = true;
  made.description.expected = "look closer";
  made.description.because = "it is a test";
  made.add_signal("x", "m", [](int) { return 0.0; });
  RunSummary summary = make_summary(RunStatus::completed);
  summary.measures.worst["first_order"] = {.value = 2, .time = 0.5, .place = "a/b"};
  const auto run = RunReader::open(made.write(4, summary));
  const nlohmann::json header = read_header(encode_page(collect_page(*run, "run")));
  EXPECT_EQ(header["verdict"]["level"], "look_closer");
  EXPECT_EQ(header["verdict"]["because"], "it is a test");
  ASSERT_EQ(header["verdict"]["reasons"].size(), 1u);
  EXPECT_EQ(header["verdict"]["reasons"][0]["place"], "a/b");
  EXPECT_EQ(header["verdict"]["reasons"][0]["remedy"], info_of(TrustMeasure::first_order).remedy);
  EXPECT_GT(header["checks"].size(), 5u);
}

TEST(collect_faults, a_number_that_is_not_finite_anywhere_is_not_trusted) {
  for (const double value : {std::nan(""), HUGE_VAL}) {
    MadeRun made;
    made.add_body("ball", [value](int i) { return i == 4 ? value : 0.1 * i; });
    const auto run = RunReader::open(made.write(10, make_summary(RunStatus::completed)));
    const PageData page = collect_page(*run, "run");
    EXPECT_EQ(find_judgement(page, "record").trust, Trust::do_not_trust);
    EXPECT_NEAR(find_judgement(page, "record").time, 0.04, 1e-12);
    EXPECT_EQ(page.verdict.trust, Trust::do_not_trust);
  }
}

// A run that is good but for what `spoil` does to it.
PageData judge_spoilt(const std::function<void(MadeRun&)>& spoil) {
  MadeRun made;
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

TEST(collect_faults, every_column_of_a_contact_counts) {
  EXPECT_EQ(judge_spoilt([](MadeRun&) {}).verdict.trust, Trust::trustworthy);
  const double nan = std::nan("");
  const std::function<void(ContactSample&)> spoilers[] = {[&](ContactSample& s) { s.contact.position.y() = nan; },
                                                          [&](ContactSample& s) { s.contact.normal.x() = nan; },
                                                          [&](ContactSample& s) { s.contact.gap = nan; },
                                                          [&](ContactSample& s) { s.contact.impulse.z() = nan; },
                                                          [&](ContactSample& s) { s.contact.moment_impulse.x() = nan; },
                                                          [&](ContactSample& s) { s.contact.slip.x() = HUGE_VAL; },
                                                          [&](ContactSample& s) { s.t = nan; },
                                                          [&](ContactSample& s) { s.t = 0; }};
  for (std::size_t k = 0; k < std::size(spoilers); ++k) {
    const PageData page = judge_spoilt([&](MadeRun& made) { spoilers[k](made.contacts[7]); });
    EXPECT_EQ(find_judgement(page, "record").trust, Trust::do_not_trust) << k;
    EXPECT_TRUE(find_judgement(page, "record").text.starts_with("the contact floor/ball")) << k;
  }
}

TEST(collect_faults, contacts_that_are_not_drawn_count_too) {
  MadeRun made;
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
  EXPECT_EQ(find_judgement(page, "record").trust, Trust::do_not_trust);
}

TEST(collect_faults, poses_that_cannot_be_are_not_called_good) {
  const auto far = judge_spoilt([](MadeRun& made) { made.add_body("ball", [](int i) { return i == 4 ? 1e300 : 0; }); });
  EXPECT_EQ(find_judgement(far, "poses").trust, Trust::look_closer);
  EXPECT_EQ(format_judgement(find_judgement(far, "poses")), "poses at 0.04 s: ball.position is beyond 1e9 m");
  const auto flat = judge_spoilt([](MadeRun& made) {
    made.model.bodies.push_back({"ball", false, {}});
    for (const char* axis : {"x", "y", "z"})
      made.add_signal(std::string("ball.position.") + axis, "m", [](int) { return 0; });
    for (const char* part : {"w", "x", "y", "z"})
      made.add_signal(std::string("ball.orientation.") + part, "1", [part](int i) { return *part == 'w' && i != 6; });
  });
  EXPECT_EQ(find_judgement(flat, "poses").trust, Trust::do_not_trust);
  EXPECT_NEAR(find_judgement(flat, "poses").time, 0.06, 1e-12);
}

}  // namespace
}  // namespace stiction
