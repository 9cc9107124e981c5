#include "stiction/multibody/coordinate.h"

#include <gtest/gtest.h>

#include <numbers>

#include "stiction/multibody/pair_measure.h"

#include "test/unit/multibody/element_systems.h"

namespace stiction {
namespace {

const std::vector<JointKind> with_coordinates = {JointRevolute{},    JointPrismatic{}, JointScrew{0.3},
                                                 JointCylindrical{}, JointUniversal{}, JointPlanar{},
                                                 JointTranslation{}};

TEST(Coordinate, WhichJointsOfferThem) {
  for (const JointKind& kind : make_all_joint_kinds()) {
    const bool listed = std::any_of(with_coordinates.begin(), with_coordinates.end(),
                                    [&](const auto& k) { return k.index() == kind.index(); });
    EXPECT_EQ(has_coordinates(kind), listed) << name_of(kind);
  }
}

TEST(Coordinate, BothFormsMeasureTheSame) {
  Random random(1);
  for (const JointKind& kind : with_coordinates)
    for (int trial = 0; trial < 20; ++trial) {
      const TwoForms forms(random, kind, 3);
      Equations tree(forms.tree), free(forms.free);
      tree.evaluate(forms.tree_state);
      free.evaluate(forms.free_state);
      for (int joint = 0; joint < 3; ++joint)
        for (int k = 0; k < calc_nq(kind); ++k) {
          const auto value = [&](const System& system, const Equations& e, const State& s) {
            return calc_coordinate(system, e.kinematics(), s.q, s.v, s.z, {joint, k});
          };
          const CoordinateValue a = value(forms.tree, tree, forms.tree_state);
          const CoordinateValue b = value(forms.free, free, forms.free_state);
          EXPECT_EQ(a.position, forms.tree_state.q[forms.tree.joints[joint + 1].q_start + k]);
          EXPECT_NEAR(a.position, b.position, 1e-13) << name_of(kind);
          EXPECT_NEAR(a.velocity, b.velocity, 1e-12) << name_of(kind);
        }
    }
}

TEST(Coordinate, WholeTurnsAreCounted) {
  Random random(2);
  TwoForms forms(random, JointRevolute{}, 1);
  const int turns = forms.free.named_joints[0].turns_start;
  const double angle = forms.tree_state.q[0];
  Equations free(forms.free);
  for (const int n : {-3, 0, 1, 1000}) {
    // z may lag behind the angle by up to half a turn.
    forms.free_state.z[turns] = angle + 2 * std::numbers::pi * n + 2.5;
    free.evaluate(forms.free_state);
    const State& s = forms.free_state;
    EXPECT_NEAR(calc_coordinate_position(forms.free, free.kinematics(), s.q, s.z, {0, 0}),
                angle + 2 * std::numbers::pi * n, 1e-11);
    // The projection sets z to the angle itself.
    State projected = s;
    ASSERT_TRUE(free.project(projected).converged);
    EXPECT_NEAR(projected.z[turns], angle + 2 * std::numbers::pi * n, 1e-11);
  }
}

/// Measures of a pair of frames on two free bodies in general position: the joint's rows need not hold.
TEST(Coordinate, RowBiasAndForceOfAJointInConstraintFormAwayFromItsRows) {
  Random random(3);
  for (const JointKind& kind : with_coordinates)
    for (int trial = 0; trial < 20; ++trial) {
      const TwoForms forms(random, kind, 2);
      const System& system = forms.free;
      State state = forms.free_state;
      state.v = make_random_values(random, system.nv);
      // Off the rows by half a radian and half a metre.
      add_displacement(TreePlan(system), 0.25 * make_random_values(random, system.nv), state.q);
      const VecX a = make_random_values(random, system.nv);
      for (int k = 0; k < calc_nq(kind); ++k) {
        const CoordinateRef ref{1, k};
        Kinematics kinematics(system);
        const auto value_at = [&](double s) {
          VecX q = state.q;
          const VecX v = state.v + s * a;
          add_displacement(TreePlan(system), s * state.v, q);
          update_positions(system, q, kinematics);
          update_velocities(system, v, kinematics);
          return calc_coordinate(system, kinematics, q, v, state.z, ref);
        };
        const double velocity = calc_derivative([&](double s) { return value_at(s).position; });
        const double acceleration = calc_derivative([&](double s) { return value_at(s).velocity; });
        EXPECT_NEAR(value_at(0).velocity, velocity, 1e-8) << name_of(kind);
        // velocity = row . v,   acceleration = row . a + bias
        VecX row = VecX::Zero(system.nv);
        add_coordinate_row(system, kinematics, ref, 2, row);
        EXPECT_NEAR(row.dot(state.v), 2 * velocity, 1e-8) << name_of(kind);
        EXPECT_NEAR(0.5 * row.dot(a) + calc_coordinate_bias(system, kinematics, ref), acceleration, 1e-7)
            << name_of(kind);
        // The force does the work force * velocity.
        ForceSum sum(system);
        add_coordinate_force(system, kinematics, ref, 3, sum.F, sum.tau);
        double power = sum.tau.dot(state.v);
        for (int b = 0; b < system.n_bodies(); ++b) power += sum.F[b].dot(kinematics.V_WB[b]);
        EXPECT_NEAR(power, 3 * velocity, 1e-7) << name_of(kind);
      }
    }
}

TEST(Coordinate, RowAndForceOfAJointInTreeForm) {
  Random random(4);
  const TwoForms forms(random, JointCylindrical{}, 2);
  Equations equations(forms.tree);
  equations.evaluate(forms.tree_state);
  VecX row = VecX::Zero(4), tau = VecX::Zero(4);
  std::vector<Vec6> F(3, Vec6::Zero());
  add_coordinate_row(forms.tree, equations.kinematics(), {1, 1}, 2, row);
  add_coordinate_force(forms.tree, equations.kinematics(), {1, 0}, 5, F, tau);
  EXPECT_EQ(row, Eigen::Vector4d(0, 0, 0, 2));
  EXPECT_EQ(tau, Eigen::Vector4d(0, 0, 5, 0));
  EXPECT_EQ(calc_coordinate_bias(forms.tree, equations.kinematics(), {1, 0}), 0);
}

TEST(Coordinate, WholeTurnsNearest) {
  const double turn = 2 * std::numbers::pi;
  EXPECT_DOUBLE_EQ(add_whole_turns(0.1, 0), 0.1);
  EXPECT_DOUBLE_EQ(add_whole_turns(3.1, -3.1), 3.1 - turn);
  EXPECT_DOUBLE_EQ(add_whole_turns(-0.2, 7 * turn + 1), 7 * turn - 0.2);
}

}  // namespace
}  // namespace stiction
