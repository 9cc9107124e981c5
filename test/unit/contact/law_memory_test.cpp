// What laws remember, as numbers: of a law made up here, and of all that there are.
#include "stiction/contact/law_memory.h"

#include <gtest/gtest.h>

#include <array>

#include "stiction/contact/contact_core.h"

namespace stiction {
namespace {

/// Nothing else in the program knows these names.
struct Wear {
  double depth = 0, energy = 0;
  Vec3 groove = Vec3::Zero();

  template <class Self>
  static auto entries(Self& m) {
    return std::tie(m.depth, m.groove, m.energy);
  }
};

TEST(LawMemory, FollowsFromItsList) {
  static_assert(memory_size<Wear> == 5 && memory_size<NoMemory> == 0);
  static_assert(HasEnergy<Wear> && !HasDeflection<Wear> && !HasDwell<Wear> && !HasOffset<Wear>);
  EXPECT_EQ(find_energy_entry<Wear>(), 4);
  EXPECT_EQ(find_energy_entry<NoMemory>(), -1);
  const std::array<double, 5> numbers = {1, 2, 3, 4, 5};
  const Wear wear = load_memory<Wear>(numbers.data());
  EXPECT_EQ(wear.depth, 1);
  EXPECT_EQ(wear.groove, Vec3(2, 3, 4));
  EXPECT_EQ(wear.energy, 5);
  std::array<double, 6> back = {0, 0, 0, 0, 0, -1};
  store_memory(wear, back.data());
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), back.begin()));
  EXPECT_EQ(back[5], -1);
}

// A contact takes as many numbers of a state as its laws remember, none where they remember nothing.
TEST(LawMemory, LaysOutAContact) {
  const auto lay_out = [](const NormalLaw& normal, const FrictionLaw& friction) {
    return calc_state_layout({normal, friction});
  };
  EXPECT_EQ(lay_out(NormalLinear{}, FrictionCoulomb{}).size(), 0);
  EXPECT_EQ(lay_out(NormalLinear{}, FrictionCoulomb{}).energy, -1);
  EXPECT_EQ(lay_out(NormalUser{}, FrictionNone{}).size(), 1);
  EXPECT_EQ(lay_out(NormalPower{}, FrictionSpring{}).size(), 5 + 4);
  EXPECT_EQ(lay_out(NormalPower{}, FrictionSpring{}).energy, 4);
  CompliantLaw patch{NormalPower{}, FrictionBristle{}};
  patch.volume = VolumeSettings{};
  EXPECT_EQ(calc_state_layout(patch).size(), 6 + 4 + 1);
  EXPECT_EQ(calc_state_layout(patch).energy, 5);
  EXPECT_EQ(calc_state_layout(patch).elastic(), 10);
}

// A contact that parts forgets, and gives back what its friction had stored; one that begins rested has its dwell.
TEST(LawMemory, BeginsAndEnds) {
  CompliantLaw law{NormalPower{.stiffness = 1e6, .relaxation = 1}, FrictionBristle{0.4, 0.3, 1e4, 200}};
  law.initial_dwell = 0.7;
  ContactState state;
  EXPECT_EQ(begin_contact(law, {.depth = 1e-3, .approach = 2}, state), 0);
  EXPECT_EQ(state.get<NormalPower>().offset, 1e-3);
  EXPECT_EQ(state.get<NormalPower>().impact_speed, 2);
  set_rested(law, state);
  EXPECT_EQ(state.get<NormalPower>().offset, 0);
  EXPECT_EQ(state.get<NormalPower>().stiffness, 1e6);
  state.set<FrictionBristle>({.deflection = Vec3(3e-6, 0, 4e-6), .dwell = 0.7, .energy = 0.25});
  EXPECT_EQ(observe_friction(law, view(state)).dwell, 0.7);
  EXPECT_NEAR(observe_friction(law, view(state)).deflection, 5e-6, 1e-20);
  EXPECT_EQ(end_contact(law, state), 0.25);
  EXPECT_FALSE(state.touching);
  EXPECT_EQ(state.get<FrictionBristle>().dwell, 0);
  EXPECT_EQ(state.get<NormalPower>().stiffness, 0);
}

}  // namespace
}  // namespace stiction
