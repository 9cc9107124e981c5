// The smallest motion that separates bodies, in closed form.
#include "stiction/stepping/rigid/position_correction.h"

#include <gtest/gtest.h>

#include "one_island.h"

namespace stiction {
namespace {

PositionCorrection::Outcome take_round(PositionCorrection& correction, IslandState& state) {
  const AllowedOverlap allowed{.overlap = 1e-12, .roughly = false};
  if (!correction.pose_round(state, allowed)) return PositionCorrection::Outcome::done;
  correction.solve_round(allowed);
  return correction.apply(state, 1e-12);
}

// Masses of 1 and 3 kg: in the kinetic metric they share an overlap of 0.02 m as 3 to 1.
TEST(PositionCorrection, SharesAnOverlapByInverseMasses) {
  test::OneIsland island(R"(
[contact.default]
friction = 0.5
[body.light]
mass = 1
position = [0, 0, 0]
velocity = [0, 1, 0]
shape = { type = "sphere", radius = 0.1 }
[body.heavy]
mass = 3
position = [0.18, 0, 0]
shape = { type = "sphere", radius = 0.1 }
)",
                         "anitescu_potra", 1e-3);
  PositionCorrection correction(island.work);
  IslandState state = island.state;
  ASSERT_EQ(take_round(correction, state), PositionCorrection::Outcome::moved);
  // The solver's tolerance on 0.02 m.
  EXPECT_NEAR(island.position_of(1, state).x(), -0.015, 1e-11);
  EXPECT_NEAR(island.position_of(2, state).x(), 0.185, 1e-11);
  EXPECT_EQ(state.v, island.state.v);
  EXPECT_EQ(state.ledger[ledger_projection], 0);
  EXPECT_EQ(take_round(correction, state), PositionCorrection::Outcome::done);
}

// Lifting 2 kg by 0.01 m takes m g d, which stands in the ledger.
TEST(PositionCorrection, BooksWhatItTakesAgainstGravity) {
  test::OneIsland island(R"(
[world]
gravity = [0, 0, -10]
[contact.default]
friction = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.ball]
mass = 2
position = [0, 0, 0.09]
shape = { type = "sphere", radius = 0.1 }
)",
                         "anitescu_potra", 1e-3);
  PositionCorrection correction(island.work);
  IslandState state = island.state;
  ASSERT_EQ(take_round(correction, state), PositionCorrection::Outcome::moved);
  EXPECT_NEAR(island.position_of(2, state).z(), 0.1, 1e-11);
  EXPECT_NEAR(state.ledger[ledger_projection], 2 * 10 * 0.01, 1e-9);
  EXPECT_EQ(island.work.audit.unconverged, 0);
}

// A ball in a slot narrower than itself cannot be freed: it stays where it is, and that is counted.
TEST(PositionCorrection, RefusesWhatCannotBeSeparated) {
  test::OneIsland island(R"(
[contact.default]
friction = 0.5
[body.left]
fixed = true
shape = { type = "halfspace", normal = [1, 0, 0] }
[body.right]
fixed = true
position = [0.18, 0, 0]
shape = { type = "halfspace", normal = [-1, 0, 0] }
[body.ball]
mass = 2
position = [0.09, 0, 0]
shape = { type = "sphere", radius = 0.1 }
)",
                         "anitescu_potra", 1e-3);
  PositionCorrection correction(island.work);
  IslandState state = island.state;
  EXPECT_EQ(take_round(correction, state), PositionCorrection::Outcome::refused);
  EXPECT_EQ(state.q, island.state.q);
  EXPECT_GE(island.work.audit.unconverged, 1);
}

}  // namespace
}  // namespace stiction
