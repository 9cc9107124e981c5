#include "stiction/results/audit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

StepReport make_report(double drift, double h, int evaluations, int rejected) {
  StepReport report;
  report.drift = drift;
  report.drift_rate = 10 * drift;
  report.h = h;
  report.evaluations = evaluations;
  report.rejected = rejected;
  return report;
}

TEST(Audit, KeepsTheLargestMeasuresAndTheSumsOfCounts) {
  Audit audit;
  audit.add(make_report(1e-12, 0.1, 4, 0), 1e-16);
  audit.add(make_report(3e-12, 0.3, 6, 1), 3e-16);
  audit.add(make_report(2e-12, 0.2, 7, 2), 2e-16);
  EXPECT_EQ(audit.since_sample().drift, 3e-12);
  EXPECT_EQ(audit.since_sample().drift_rate, 10 * 3e-12);
  EXPECT_EQ(audit.since_sample().quaternion, 3e-16);
  EXPECT_EQ(audit.since_sample().step, 0.3);
  EXPECT_EQ(audit.since_sample().evaluations, 17);
  EXPECT_EQ(audit.since_sample().rejected, 3);

  audit.close_sample();
  EXPECT_EQ(audit.since_sample().drift, 0);
  EXPECT_EQ(audit.since_sample().evaluations, 0);
  audit.add(make_report(1e-12, 0.1, 4, 4), 0);
  audit.close_sample();
  EXPECT_EQ(audit.worst().drift, 3e-12);
  EXPECT_EQ(audit.worst().rejected, 4);
  EXPECT_EQ(audit.worst().evaluations, 17);
  EXPECT_EQ(audit.evaluations(), 21);
}

TEST(Audit, OfAFailedStepOnlyTheCountsCount) {
  Audit audit;
  StepReport report = make_report(std::numeric_limits<double>::quiet_NaN(), 1e9, 4, 2);
  report.status = StepStatus::diverged;
  audit.add(report, 1);
  EXPECT_EQ(audit.since_sample().drift, 0);
  EXPECT_EQ(audit.since_sample().step, 0);
  EXPECT_EQ(audit.since_sample().quaternion, 0);
  EXPECT_EQ(audit.since_sample().evaluations, 4);
  EXPECT_EQ(audit.since_sample().rejected, 2);
}

TEST(Audit, NotANumberIsTheWorst) {
  double worst = 1;
  update_worst(worst, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(worst));
  update_worst(worst, 2);
  EXPECT_TRUE(std::isnan(worst));
}

TEST(Audit, ItsMemoryHoldsEverything) {
  Audit audit;
  audit.add(make_report(3e-12, 0.3, 6, 1), 3e-16);
  audit.close_sample();
  audit.add(make_report(1e-12, 0.1, 4, 0), 1e-16);
  std::vector<double> memory;
  audit.save(memory);
  Audit other;
  ASSERT_TRUE(other.restore(memory));
  std::vector<double> again;
  other.save(again);
  EXPECT_EQ(again, memory);
  EXPECT_EQ(other.evaluations(), 10);
  EXPECT_EQ(other.worst().drift, 3e-12);
  EXPECT_EQ(other.since_sample().step, 0.1);
  memory.pop_back();
  EXPECT_FALSE(other.restore(memory));
}

TEST(Audit, NamesTheContactOfTheLargestPenetration) {
  Audit audit;
  const auto add = [&](double penetration, int a, int b) {
    StepReport report = make_report(0, 0.1, 1, 0);
    report.contact.penetration = penetration;
    report.contact.worst_a = a, report.contact.worst_b = b;
    audit.add(report, 0);
  };
  EXPECT_EQ(audit.since_sample().worst_a, -1);
  add(1e-6, 3, 7);
  add(3e-6, 1, 2);
  add(2e-6, 5, 6);
  EXPECT_EQ(audit.since_sample().worst_a, 1);
  EXPECT_EQ(audit.since_sample().worst_b, 2);
  audit.close_sample();
  EXPECT_EQ(audit.since_sample().worst_a, -1);
  // Shapes with larger numbers and a smaller penetration are not worse.
  add(1e-6, 8, 9);
  audit.close_sample();
  EXPECT_EQ(audit.worst().penetration, 3e-6);
  EXPECT_EQ(audit.worst().worst_a, 1);
  EXPECT_EQ(audit.worst().worst_b, 2);
}

TEST(Audit, CountsFallbacksAndKeepsTheLargestLossOfRestitution) {
  Audit audit;
  const auto add = [&](int first_order, int uncertified, double lost) {
    StepReport report = make_report(0, 0.1, 1, 0);
    report.contact.first_order = first_order;
    report.contact.uncertified = uncertified;
    report.contact.restitution_lost = lost;
    audit.add(report, 0);
  };
  add(1, 2, 0.25);
  add(2, 1, 0.5);
  add(0, 0, 0.125);
  EXPECT_EQ(audit.since_sample().first_order, 3);
  EXPECT_EQ(audit.since_sample().uncertified, 3);
  EXPECT_EQ(audit.since_sample().restitution_lost, 0.5);
}

}  // namespace
}  // namespace stiction
