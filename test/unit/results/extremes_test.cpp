#include "stiction/results/extremes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/results/signals.h"

namespace stiction {
namespace {

ContactRecord make_contact(int a, int b, double gap, const Vec3& impulse) {
  ContactRecord contact;
  contact.shape_a = a, contact.shape_b = b;
  contact.gap = gap;
  contact.impulse = impulse;
  return contact;
}

TEST(Extremes, TheWorstIsKeptWithItsTimeAndPlace) {
  Extremes extremes;
  const auto add = [&](double t, double penetration, int a, int b) {
    StepReport report;
    report.h = 0.1;
    report.contact.penetration = penetration;
    report.contact.worst_a = a, report.contact.worst_b = b;
    extremes.add(t, report, {}, {});
  };
  EXPECT_EQ(extremes.of(TrustMeasure::penetration).time, -1);
  add(0.1, 1e-6, 3, 7);
  add(0.2, 3e-6, 1, 2);
  add(0.3, 2e-6, 5, 6);
  const Extreme& worst = extremes.of(TrustMeasure::penetration);
  EXPECT_EQ(worst.value, 3e-6);
  EXPECT_EQ(worst.time, 0.2);
  EXPECT_EQ(worst.a, 1);
  EXPECT_EQ(worst.b, 2);
  EXPECT_EQ(extremes.exchanged().steps, 3);
  add(0.4, std::nan(""), 8, 9);
  EXPECT_TRUE(std::isnan(extremes.of(TrustMeasure::penetration).value));
  add(0.5, 1, 1, 2);
  EXPECT_EQ(extremes.of(TrustMeasure::penetration).time, 0.4);
}

// 0.04 mm of a plate of 4 mm is 1 %, 0.3 mm of a ball of 0.1 m is 0.3 %: the plate is worse, whichever comes first.
TEST(Extremes, OverlapsAreJudgedByTheThinnerShapeOfTheirPair) {
  for (const bool plate_first : {true, false}) {
    Extremes extremes({0, 0.1, 4e-3});  // a floor, a ball, a plate
    for (const bool plate : {plate_first, !plate_first}) {
      StepReport report;
      report.h = 0.1;
      report.contact.penetration = plate ? 4e-5 : 3e-4;
      report.contact.worst_a = 0, report.contact.worst_b = plate ? 2 : 1;
      extremes.add(0.1, report, {}, {});
    }
    const Extreme& worst = extremes.of(TrustMeasure::penetration);
    EXPECT_EQ(worst.value, 4e-5);
    EXPECT_EQ(worst.scale, 4e-3);
    EXPECT_EQ(worst.b, 2);
  }
}

TEST(Extremes, CountsAreSummedFromTheirFirstTimeOn) {
  Extremes extremes;
  for (int i = 1; i <= 3; ++i) {
    StepReport report;
    report.h = 0.1;
    report.contact.unconverged = i == 1 ? 0 : i;
    report.contact.uncertified = i == 1 ? 0 : i;  // several contacts of one step are one step
    report.contact.uncertified_b = i;
    extremes.add(0.1 * i, report, {}, {});
  }
  EXPECT_EQ(extremes.of(TrustMeasure::unconverged).value, 5);
  EXPECT_EQ(extremes.of(TrustMeasure::unconverged).time, 0.2);
  EXPECT_EQ(extremes.of(TrustMeasure::uncertified).value, 2);
  EXPECT_EQ(extremes.of(TrustMeasure::uncertified).b, 2);
}

TEST(Extremes, TheContactsOfTheWorstStepSayWhere) {
  Extremes extremes;
  StepReport report;
  report.h = 0.1;
  report.contact.complementarity = 2e-3;
  report.contact.cone = 1e-3;
  const std::vector<ContactRecord> contacts = {make_contact(0, 1, 1e-3, Vec3(0, 0, 1)),
                                               make_contact(0, 2, 1e-3, Vec3(0, 0, 2)),
                                               make_contact(0, 3, 0, Vec3(4, 0, 3))};
  extremes.add(0.1, report, contacts, {});
  EXPECT_EQ(extremes.of(TrustMeasure::complementarity).b, 2);  // the largest gap times impulse
  EXPECT_EQ(extremes.of(TrustMeasure::cone).b, 3);             // the largest friction
  EXPECT_EQ(extremes.exchanged().impulse, 5);
}

TEST(Extremes, OfAFailedStepNothingIsTaken) {
  Extremes extremes;
  StepReport report;
  report.status = StepStatus::diverged;
  report.contact.penetration = std::nan("");
  extremes.add(0.1, report, {}, {});
  EXPECT_EQ(extremes.of(TrustMeasure::penetration).value, 0);
}

// Total minus input falls from 5 J to 2 and rises to 2.5: by 0.5 J, wherever it was before.
TEST(Extremes, ARiseCountsFromTheLowestEnergyBefore) {
  Extremes extremes;
  const double totals[] = {5, 3, 4, 4.5, 1}, inputs[] = {0, 1, 2, 2, 2};
  for (int i = 0; i < 5; ++i)
    extremes.add(i, EnergyBalance{.kinetic = totals[i], .input = inputs[i], .total = totals[i]});
  EXPECT_EQ(extremes.of(TrustMeasure::energy_rise).value, 0.5);
  EXPECT_EQ(extremes.of(TrustMeasure::energy_rise).time, 3);
  EXPECT_EQ(extremes.exchanged().energy, 5);
}

// Settling lifts a body by 2 J, which is asked for; 0.5 J more is not.
TEST(Extremes, SettlingIsNoError) {
  Extremes extremes;
  extremes.add(0, EnergyBalance{.total = 1});
  extremes.set_settled(2);
  extremes.add(0.1, EnergyBalance{.projection = 2.5, .total = 3.5});
  EXPECT_EQ(extremes.of(TrustMeasure::stabilisation).value, 0.5);
  EXPECT_EQ(extremes.of(TrustMeasure::energy_rise).value, 0.5);
}

TEST(Extremes, AJointIsJudgedByItsOwnScale) {
  Extremes extremes;
  StepReport report;
  // 0.01 m of 0.1 m is worse than 0.05 rad of 1 rad.
  extremes.add(0.1, report, {}, {.excess = 0.05, .scale = 1, .joint = 0, .component = 0});
  extremes.add(0.2, report, {}, {.excess = 0.01, .scale = 0.1, .joint = 1, .component = 0});
  extremes.add(0.3, report, {}, {.excess = 0.09, .scale = 1, .joint = 2, .component = 0});
  EXPECT_EQ(extremes.of(TrustMeasure::joint_limit).a, 1);
}

TEST(Extremes, ItsMemoryHoldsEverything) {
  Extremes extremes;
  StepReport report;
  report.h = 0.1;
  report.drift = 1e-9;
  report.contact.penetration = 1e-6;
  extremes.add(0.1, report, {make_contact(0, 1, 0, Vec3(1, 2, 2))},
               {.excess = 1, .scale = 2, .joint = 3, .component = 1});
  extremes.add(0.1, EnergyBalance{.kinetic = 1, .total = 2, .residual = 3});
  extremes.add_not_finite(0.2, 5);
  std::vector<double> memory;
  extremes.save(memory);
  Extremes other;
  std::span<const double> numbers = memory;
  ASSERT_TRUE(other.restore(numbers));
  EXPECT_TRUE(numbers.empty());
  std::vector<double> again;
  other.save(again);
  EXPECT_EQ(again, memory);
  numbers = std::span<const double>(memory).first(memory.size() - 1);
  EXPECT_FALSE(other.restore(numbers));
}

}  // namespace
}  // namespace stiction
