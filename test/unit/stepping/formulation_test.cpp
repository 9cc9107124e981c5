// What the formulations ask of a contact's normal velocity, by hand.
#include "stiction/stepping/rigid/formulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction {
namespace {

std::unique_ptr<Formulation> make(const std::string& type) {
  MethodSettings settings;
  settings.type = type;
  return make_formulation(settings, {});
}

double calc_bound(const std::unique_ptr<Formulation>& formulation, ContactAtS contact) {
  contact.gap_start = contact.gap - formulation->scheme(true).geometry * contact.h * contact.speed;
  return formulation->calc_bound(contact);
}

// Open by 2 mm at s, h = 1 ms: it may close at 2 m/s. On the way to s it closed at 1 m/s.
const ContactAtS open = {.gap = 2e-3, .speed = -1, .closed_gap = 1e-10, .h = 1e-3, .step = 1e-3};
// At rest at the start, s = q + h v/2 or q + h v.
const ContactAtS touching = {.gap = 0, .speed = 0, .closed_gap = 1e-10, .h = 1e-3, .step = 1e-3};

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
  EXPECT_TRUE(make("cone")->is_located(plastic));
  EXPECT_FALSE(make("stewart_trinkle")->is_located(plastic));
  EXPECT_FALSE(make("berard")->is_located(plastic));
  EXPECT_FALSE(make("anitescu_potra")->is_located(plastic));
  for (const char* type : {"cone", "stewart_trinkle", "berard", "anitescu_potra"})
    EXPECT_TRUE(make(type)->is_located(elastic));
}

// The table of docs/step.md.
TEST(Formulation, WhereContactsAndForcesAreTaken) {
  const auto scheme = [](const char* type, bool locating = true) { return make(type)->scheme(locating); };
  EXPECT_EQ(scheme("cone").theta, 0.5);
  EXPECT_EQ(scheme("cone").geometry, 0.5);
  EXPECT_EQ(scheme("cone").force_ahead, 0.5);
  EXPECT_FALSE(scheme("cone").is_at_end());
  // Where impacts are not located: of first order, at the start.
  EXPECT_EQ(scheme("cone", false).theta, 1);
  EXPECT_EQ(scheme("cone", false).geometry, 0);
  EXPECT_TRUE(scheme("stewart_trinkle").is_at_end());
  EXPECT_TRUE(scheme("geometric_implicit").is_at_end());
  EXPECT_TRUE(scheme("geometric_implicit").implicit);
  for (const char* type : {"stewart_trinkle", "berard", "anitescu_potra"}) {
    EXPECT_EQ(scheme(type).theta, 1);
    EXPECT_EQ(scheme(type).force_ahead, 0);
    EXPECT_FALSE(scheme(type).implicit);
  }
  for (const char* type : {"berard", "anitescu_potra"}) EXPECT_EQ(scheme(type).geometry, 0);
}

TEST(Formulation, WhichOverlapsAreCorrected) {
  EXPECT_EQ(make("anitescu_potra")->allowed_overlap(0).overlap, RigidTolerances{}.rounding_overlap);
  EXPECT_FALSE(make("anitescu_potra")->allowed_overlap(0).roughly);
  EXPECT_EQ(make("cone")->allowed_overlap(0).part, RigidTolerances{}.deep_overlap_part);
  for (const char* type : {"stewart_trinkle", "berard", "geometric_implicit"})
    EXPECT_TRUE(std::isinf(make(type)->allowed_overlap(0).overlap));
  // Jammed islands: beyond the slack.
  for (const char* type : {"cone", "stewart_trinkle", "berard", "geometric_implicit"})
    EXPECT_EQ(make(type)->allowed_overlap(1e-8).overlap, 1e-8);
}

}  // namespace
}  // namespace stiction
