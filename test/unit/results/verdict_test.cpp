// The verdict on made-up runs: every measure on both sides of each of its limits, and what joins them.
#include "stiction/results/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "stiction/results/signals.h"

namespace stiction {
namespace {

/// A run in which every measure has its own scale: no two measures, and no two scales, are told apart by chance.
RunDescription make_described() {
  RunDescription description;
  description.rigid_contact = description.compliant_contact = description.constraints = description.limits = true;
  description.smallest_size = 0.25;
  description.smallest_shape = "ball";
  description.thickness = 0.01;
  description.thinnest_shape = "plate";
  return description;
}
constexpr double energy = 8, impulse = 3, steps = 1000;

RunSummary make_sound() {
  RunSummary summary;
  summary.status = RunStatus::completed;
  summary.measures.exchanged = {.energy = energy, .total = 100, .impulse = impulse, .steps = steps};
  for (const MeasureInfo& info : trust_measures) summary.measures.worst[info.name] = {};
  return summary;
}

/// What a share of 1 is, by hand.
double find_scale(TrustMeasure measure) {
  switch (measure) {
    case TrustMeasure::finite:
    case TrustMeasure::restitution:
      return 1;
    case TrustMeasure::energy:
    case TrustMeasure::energy_rise:
    case TrustMeasure::stabilisation:
      return energy;
    case TrustMeasure::drift:
      return 0.25;
    case TrustMeasure::penetration:
      return 2;  // given with the value
    case TrustMeasure::passage:
      return 0.01;
    case TrustMeasure::complementarity:
      return 0.25 * impulse;
    case TrustMeasure::cone:
      return impulse;
    case TrustMeasure::unconverged:
    case TrustMeasure::first_order:
    case TrustMeasure::uncertified:
      return steps;
    case TrustMeasure::joint_limit:
      return 2;  // given with the value
  }
  return 0;
}

Verdict judge_one(TrustMeasure measure, double value) {
  RunSummary summary = make_sound();
  summary.measures.worst[info_of(measure).name] = {.value = value, .time = 0.5, .place = "a/b", .scale = 2};
  return judge(summary, make_described());
}

TEST(Verdict, ARunWithinAllLimitsIsTrustworthy) {
  const Verdict verdict = judge(make_sound(), make_described());
  EXPECT_EQ(verdict.trust, Trust::trustworthy);
  EXPECT_TRUE(verdict.reasons().empty());
  EXPECT_EQ(verdict.judgements.size(), 1u + measure_count);  // the status stands first
}

TEST(Verdict, WhatTheMethodLeavesOutIsAReason) {
  RunDescription description = make_described();
  description.unmodelled = "the contact tables do not act";
  const Verdict verdict = judge(make_sound(), description);
  EXPECT_EQ(verdict.trust, Trust::look_closer);
  ASSERT_EQ(verdict.reasons().size(), 1u);
  EXPECT_EQ(verdict.reasons()[0].measure, "scene");
}

// A strict run that was stopped is no worse than its measures.
TEST(Verdict, AStrictStopIsJudgedByItsCause) {
  RunSummary summary = make_sound();
  summary.status = RunStatus::failed;
  summary.message = std::string(strict_prefix) + "energy";
  EXPECT_EQ(judge(summary, make_described()).trust, Trust::look_closer);
  summary.message = "energy";
  EXPECT_EQ(judge(summary, make_described()).trust, Trust::do_not_trust);
}

TEST(Verdict, EveryMeasureChangesSidesAtItsLimits) {
  for (const MeasureInfo& info : trust_measures) {
    const double scale = find_scale(info.measure);
    const auto level = [&](double share) { return judge_one(info.measure, share * scale).trust; };
    // Counts have no share between 0 and the first.
    const double above = info.look_closer > 0 ? 1.001 * info.look_closer : 1 / scale;
    EXPECT_EQ(level(0.999 * info.look_closer), Trust::trustworthy) << info.name;
    if (info.do_not_trust > above) {
      EXPECT_EQ(level(above), Trust::look_closer) << info.name;
    }
    if (std::isfinite(info.do_not_trust)) {
      if (info.do_not_trust > info.look_closer) {
        EXPECT_EQ(level(0.999 * info.do_not_trust), Trust::look_closer) << info.name;
      }
      EXPECT_EQ(level(1.001 * info.do_not_trust + 1 / scale * (info.do_not_trust == 0)), Trust::do_not_trust)
          << info.name;
    } else {
      EXPECT_EQ(level(1e9), Trust::look_closer) << info.name;
    }
    EXPECT_EQ(level(std::nan("")), Trust::do_not_trust) << info.name;
  }
}

TEST(Verdict, AReasonSaysWhatWhenWhereAndWhatToDo) {
  const Verdict verdict = judge_one(TrustMeasure::penetration, 0.008);
  ASSERT_EQ(verdict.reasons().size(), 1u);
  const Judgement reason = verdict.reasons().front();
  EXPECT_EQ(reason.measure, "penetration");
  EXPECT_EQ(reason.value, 0.008);
  EXPECT_EQ(reason.unit, "m");
  EXPECT_DOUBLE_EQ(reason.limit, 2 * 1e-3);
  EXPECT_EQ(reason.time, 0.5);
  EXPECT_EQ(reason.place, "a/b");
  EXPECT_EQ(format_judgement(reason),
            "penetration at 0.5 s, a/b: 0.008 m, 0.004 of the thickness of the thinner shape (2 m) (look closer "
            "beyond 0.001, do not trust beyond 0.01)");
  EXPECT_EQ(reason.remedy, info_of(TrustMeasure::penetration).remedy);
}

TEST(Verdict, TheWorstReasonStandsFirst) {
  RunSummary summary = make_sound();
  summary.measures.worst["first_order"].value = 3;
  summary.measures.worst["penetration"].value = 1;
  const Verdict verdict = judge(summary, make_described());
  EXPECT_EQ(verdict.trust, Trust::do_not_trust);
  ASSERT_EQ(verdict.reasons().size(), 2u);
  EXPECT_EQ(verdict.reasons()[0].measure, "penetration");
  EXPECT_EQ(verdict.reasons()[1].measure, "first_order");
  EXPECT_EQ(verdict.reasons()[1].text, "3 parts in 1000 steps");
}

TEST(Verdict, MeasuresOfWhatARunHasNotAreLeftOut) {
  const auto names = [](const RunDescription& description) {
    std::set<std::string> found;
    for (const Judgement& judged : judge(make_sound(), description).judgements) found.insert(judged.measure);
    return found;
  };
  RunDescription smooth;
  EXPECT_EQ(names(smooth), (std::set<std::string>{"status", "finite", "energy", "energy_rise", "stabilisation"}));
  smooth.limits = smooth.constraints = true;
  EXPECT_TRUE(names(smooth).contains("joint_limit"));
  EXPECT_TRUE(names(smooth).contains("drift"));
  RunDescription compliant;
  compliant.compliant_contact = true;
  // Compliant contact is pressed in, by its law.
  EXPECT_FALSE(names(compliant).contains("penetration"));
  EXPECT_TRUE(names(compliant).contains("uncertified"));
}

TEST(Verdict, WhatWasNotMeasuredAsksForACloserLook) {
  RunSummary summary = make_sound();
  summary.measures.worst.erase("energy");
  EXPECT_EQ(judge(summary, make_described()).trust, Trust::look_closer);
}

TEST(Verdict, ARunThatStoppedEarlyIsNeverTrustworthy) {
  const std::pair<RunStatus, Trust> cases[] = {{RunStatus::running, Trust::look_closer},
                                               {RunStatus::limit, Trust::look_closer},
                                               {RunStatus::interrupted, Trust::look_closer},
                                               {RunStatus::diverged, Trust::do_not_trust},
                                               {RunStatus::failed, Trust::do_not_trust}};
  for (const auto& [status, trust] : cases) {
    RunSummary summary = make_sound();
    summary.status = status;
    EXPECT_EQ(judge(summary, make_described()).trust, trust) << name_of(status);
  }
}

// Where nothing moves the rounding of the total, 6.867 J, is all there is: 2e-15 J; 1e-6 J is more than that.
TEST(Verdict, RoundingOfEnergyAtRestPasses) {
  RunSummary summary = make_sound();
  summary.measures.exchanged.energy = 1e-26;
  summary.measures.exchanged.total = 6.867;
  summary.measures.worst["energy"].value = 2e-15;
  EXPECT_EQ(judge(summary, make_described()).trust, Trust::trustworthy);
  summary.measures.worst["energy"].value = 1e-6;
  EXPECT_EQ(judge(summary, make_described()).trust, Trust::do_not_trust);
  // With a weight energy of 2 J, lifting all bodies by a millionth of their size, 2e-6 J, is the scale.
  RunDescription heavy = make_described();
  heavy.weight_energy = 2;
  summary.measures.worst["energy"].value = 1e-9;
  EXPECT_EQ(judge(summary, heavy).trust, Trust::trustworthy);
  summary.measures.worst["energy"].value = 1e-8;
  EXPECT_EQ(judge(summary, heavy).trust, Trust::look_closer);
}

TEST(Verdict, EveryMeasureStandsAtItsPlaceWithWordsForAll) {
  std::set<std::string> names;
  for (int i = 0; i < measure_count; ++i) {
    const MeasureInfo& info = trust_measures[static_cast<std::size_t>(i)];
    EXPECT_EQ(static_cast<int>(info.measure), i);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_LE(info.look_closer, info.do_not_trust) << info.name;
    for (const char* words : {info.meaning, info.origin, info.effect, info.remedy})
      EXPECT_NE(*words, '\0') << info.name;
  }
  for (const TrustName& name : trust_names) EXPECT_EQ(std::string(word_of(name.trust)), name.word);
}

TEST(Verdict, ThePageInDocsHasTheTable) {
  std::ifstream stream(STICTION_SOURCE_FOLDER "/docs/verdict.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(page.find(format_measures_reference()), std::string::npos)
      << "put what `stiction reference --verdict` prints into docs/verdict.md";
}

/// A step that ends at t, with one contact of shapes 0 and 1.
StepReport make_step() {
  StepReport report;
  report.h = 0.01;
  return report;
}

std::optional<TrustMeasure> find_cause_of(const StepReport& report, const LimitExcess& limit = {}) {
  Extremes extremes({}, 0.25);
  extremes.add(0.01, report, {}, limit);
  return find_cause(extremes, make_described());
}

TEST(StrictCause, EachOneThatAStepShowsIsFound) {
  EXPECT_EQ(find_cause_of(make_step()), std::nullopt);
  StepReport report = make_step();
  report.contact.unconverged = 1;
  EXPECT_EQ(find_cause_of(report), TrustMeasure::unconverged);
  report = make_step(), report.contact.first_order = 1;
  EXPECT_EQ(find_cause_of(report), TrustMeasure::first_order);
  report = make_step(), report.contact.uncertified = 2;
  EXPECT_EQ(find_cause_of(report), TrustMeasure::uncertified);
  report = make_step(), report.contact.restitution_lost = 0.5;
  EXPECT_EQ(find_cause_of(report), TrustMeasure::restitution);
  report = make_step(), report.contact.penetration = 0.25 * 1.1e-3;
  EXPECT_EQ(find_cause_of(report), TrustMeasure::penetration);
  report = make_step(), report.contact.note_passage(0.01 * 1.1e-2, 0, 1);
  EXPECT_EQ(find_cause_of(report), TrustMeasure::passage);
  report.contact.passage = 0.01 * 0.9e-2;
  report.contact.penetration = 0.25 * 0.9e-3;
  EXPECT_EQ(find_cause_of(report), std::nullopt);
  EXPECT_EQ(find_cause_of(make_step(), {.excess = 2e-3, .scale = 1, .joint = 0, .component = 0}),
            TrustMeasure::joint_limit);
}

TEST(StrictCause, EnergyIsComparedWithTheWeightWhileLittleHasChangedHands) {
  RunDescription description = make_described();
  description.weight_energy = 10;
  const auto find = [&](const EnergyBalance& now) {
    Extremes extremes;
    extremes.add(0, EnergyBalance{});
    extremes.add(0.01, now);
    return find_cause(extremes, description);
  };
  EXPECT_EQ(find({.kinetic = 1e-3, .total = 1e-3}), std::nullopt);  // 1e-4 of 10 J
  EXPECT_EQ(find({.kinetic = 0.02, .total = 0.02}), TrustMeasure::energy_rise);
  EXPECT_EQ(find({.kinetic = 0.02, .input = 0.02, .total = 0.02}), std::nullopt);
  EXPECT_EQ(find({.projection = -0.02}), TrustMeasure::stabilisation);
}

}  // namespace
}  // namespace stiction
