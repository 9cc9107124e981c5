// Masses and constraints of clusters against dense matrices of the whole system.
#include "stiction/stepping/rigid/cluster_inertia.h"

#include "test/unit/stepping/rows_scene.h"

namespace stiction {
namespace {

using ClusterInertiaTest = test::RowsTest;

// The rope makes one cluster of all 10 coordinates: A is (2) of cluster_constraints.h.
TEST_F(ClusterInertiaTest, InverseLeavesNoMotionAgainstConstraints) {
  ASSERT_EQ(G.rows(), 1);
  ASSERT_EQ(rows.A().constraints().count(), 1);
  const MatX& inverse = rows.A().A(0);
  EXPECT_LT((inverse - A).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff());
  EXPECT_LT((G * inverse).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff());
}

// Without the rope there are an arm of 4 coordinates and a box: M^-1 = L L' of each.
TEST(ClusterInertia, FactorsAreThoseOfTheInverse) {
  std::string text = test::rows_scene;
  text.erase(text.find("[constraint.rope]"), text.find("[contact.default]") - text.find("[constraint.rope]"));
  const System system = test::make_rows_system(text);
  const State& state = system.initial;
  Kinematics kinematics{system};
  update_positions(system, state.q, kinematics);
  TreeDynamics dynamics{system};
  MatX M;
  calc_mass_matrix(system, kinematics, dynamics, M);
  test::WholeIsland island(system);
  ClusterInertia& inertia = island.rows.A();
  inertia.update({system, kinematics, 0, state.q, state.v, state.z});
  const MatX Mi = M.inverse();
  ASSERT_EQ(island.finder.list().front().clusters.size(), 2u);
  for (const auto& [cluster, start, n] : island.finder.list().front().clusters) {
    const MatX expected = Mi.block(start, start, n, n);
    const double rounding = 1e-12 * expected.cwiseAbs().maxCoeff();
    const auto L = inertia.L(cluster).topLeftCorner(n, n);
    EXPECT_LT((inertia.A(cluster) - expected).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((L * L.transpose() - expected).cwiseAbs().maxCoeff(), rounding);
  }
}

TEST_F(ClusterInertiaTest, ConstraintsAreBroughtToTheirTarget) {
  // Half of the rate that the velocities have now, and a tenth of a second for the error in position.
  constraints.update_velocities(instant);
  const double offset = 0.5 * constraints.rate()[0];
  rows.A().constraints().set_offset(instant, 0.5);
  VecX kept = v;
  rows.A().constraints().satisfy(instant, 10, kept);
  EXPECT_NEAR((G * kept).value(), offset - 10 * constraints.phi()[0], 1e-12);
  // Then to a rate of 0.
  rows.A().constraints().clear_offset();
  update_velocities(system, kept, kinematics);
  const Instant now{system, kinematics, 0, state.q, kept, state.z};
  rows.A().constraints().satisfy(now, 0, kept);
  EXPECT_NEAR((G * kept).value(), 0, 1e-12);
}

}  // namespace
}  // namespace stiction
