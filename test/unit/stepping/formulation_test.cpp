// What the formulations ask of a contact's normal velocity, by hand.
#include "stiction/stepping/rigid/formulation.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

Formulation make(const std::string& type) {
  MethodSettings settings;
  settings.type = type;
  return make_formulation(settings, {});
}

double calc_bound(const Formulation& formulation, const ContactAtS& contact) {
  return formulation.calc_bound(formulation, contact);
}

// Open by 2 mm at s, h = 1 ms: it may close at 2 m/s. On the way to s it closed at 1 m/s.
constexpr ContactAtS open = {.gap = 2e-3, .speed = -1, .closed_gap = 1e-10, .h = 1e-3, .step = 1e-3};
// At rest at the start, s = q + h v/2 or q + h v.
constexpr ContactAtS touching = {.gap = 0, .speed = 0, .closed_gap = 1e-10, .h = 1e-3, .step = 1e-3};

TEST(Formulation, GapsBoundTheVelocityAtTheEnd) {
  EXPECT_NEAR(calc_bound(make("cone"), open), -2, 1e-12);
  EXPECT_NEAR(calc_bound(make("anitescu_potra"), open), -2, 1e-12);
  // cooking-complementarity-2006, eq. 31: Psi_n/h + u_n+ >= 0
  EXPECT_NEAR(calc_bound(make("berard"), open), -2, 1e-12);
  // stewart-trinkle-2000, eq. 15: gap(q + h v) + h (u_n+ - u_n(v)) >= 0
  EXPECT_NEAR(calc_bound(make("stewart_trinkle"), open), -3, 1e-12);
  for (const char* type : {"cone", "stewart_trinkle", "berard", "anitescu_potra"})
    EXPECT_EQ(calc_bound(make(type), touching), 0);
}

TEST(Formulation, OverlapsAreOpenedAtThePaceOfWholeSteps) {
  // 1 um deep at the start of a tenth of a step, at rest: 1 mm/s, not 10.
  const ContactAtS overlap{.gap = -1e-6, .speed = 0, .closed_gap = 1e-10, .h = 1e-4, .step = 1e-3};
  EXPECT_NEAR(calc_bound(make("cone"), overlap), 1e-3, 1e-15);
  EXPECT_NEAR(calc_bound(make("stewart_trinkle"), overlap), 1e-3, 1e-15);
  EXPECT_NEAR(calc_bound(make("berard"), overlap), 1e-3, 1e-15);
  // The velocity level leaves it to the position correction.
  EXPECT_EQ(calc_bound(make("anitescu_potra"), overlap), 0);
}

TEST(Formulation, JammedIslandsLeaveGapsWithinTheirSlack) {
  ContactAtS contact{.gap = 4e-9, .speed = 0, .closed_gap = 1e-10, .h = 1e-3, .step = 1e-3, .slack = 1e-8};
  contact.touching = contact.slack;
  EXPECT_EQ(calc_bound(make("cone"), contact), 0);
  contact.gap = 3e-8;  // closed to the slack
  EXPECT_NEAR(calc_bound(make("cone"), contact), -2e-5, 1e-12);
  contact.gap = -1e-6;
  EXPECT_EQ(calc_bound(make("cone"), contact), 0);
  contact.gap = 3e-8, contact.touching = 1e-7;  // it was loaded in the step before
  EXPECT_EQ(calc_bound(make("cone"), contact), 0);
}

TEST(Formulation, WhichImpactsAreLocated) {
  RigidLaw plastic, elastic;
  elastic.restitution = 0.5;
  EXPECT_TRUE(make("cone").is_located(plastic));
  EXPECT_FALSE(make("stewart_trinkle").is_located(plastic));
  EXPECT_FALSE(make("berard").is_located(plastic));
  EXPECT_FALSE(make("anitescu_potra").is_located(plastic));
  for (const char* type : {"cone", "stewart_trinkle", "berard", "anitescu_potra"})
    EXPECT_TRUE(make(type).is_located(elastic));
}

}  // namespace
}  // namespace stiction
