#include "stiction/stepping/rigid/step_rows.h"

#include "test/unit/stepping/rows_scene.h"

namespace stiction {
namespace {

using StepRowsTest = test::RowsTest;

// Closed form with dense matrices: W = J A J'.
TEST_F(StepRowsTest, DelassusMatrixEqualsTheDenseOne) {
  ASSERT_EQ(rows.dimension(), 3);
  add_three();
  const MatX expected = J * A * J.transpose();
  EXPECT_LT((rows.W().calc_dense() - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());

  // The rope makes one cluster of 10 coordinates: that is no body.
  EXPECT_FALSE(rows.has_body_form({0, 1, 2}));

  // Velocities that impulses make.
  const VecX r = VecX::LinSpaced(9, 0.3, -0.2);
  VecX after = v;
  rows.add_impulses(r, after);
  EXPECT_LT((after - v - A * J.transpose() * r).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(std::abs((G * (after - v)).value()), 1e-12);  // the constraint is not violated by impulses
}

// As contacts between bodies, the arm without the rope being one of 4 coordinates: H H' is W, which the test above has
// checked; and the product without W is that with it.
TEST(StepRows, ContactsBetweenBodies) {
  std::string text = test::rows_scene;
  text.erase(text.find("[constraint.rope]"), text.find("[contact.default]") - text.find("[constraint.rope]"));
  const System system = test::make_rows_system(text);
  const VecX& q = system.initial.q;
  const VecX v = VecX::Zero(system.nv);
  Kinematics kinematics{system};
  update_positions(system, q, kinematics);
  update_velocities(system, v, kinematics);
  test::WholeIsland island(system);
  StepRows& rows = island.rows;
  ASSERT_EQ(island.finder.size(), 1);
  rows.A().update({system, kinematics, 0, q, v, system.initial.z});
  Contact first, second;
  first.shape_a = 2, first.shape_b = 3;
  first.point_a = first.point_b = Vec3(0.9, 1.1, 2);
  first.normal = Vec3(0.2, 0.1, 1).normalized();
  second.shape_a = 0, second.shape_b = 3;
  second.point_a = second.point_b = Vec3(0.3, 1, 2);
  second.normal = Vec3(1, 2, 2).normalized();
  rows.J().add_contact(0, first, kinematics);
  rows.J().add_contact(1, second, kinematics);
  const VecX r = VecX::LinSpaced(6, 0.3, -0.2);
  VecX without, with;
  rows.multiply(r, without);
  const MatX W = rows.W().calc_dense();
  rows.multiply(r, with);
  EXPECT_LT((without - with).norm(), 1e-14 * with.norm());
  ASSERT_TRUE(rows.has_body_form({0, 1}));
  BodyConeProblem bodies;
  rows.calc_body_form({0, 1}, bodies);
  MatX H = MatX::Zero(6, 6 * bodies.bodies);
  for (int i = 0; i < 2; ++i) {
    const BodyConeProblem::Contact& contact = bodies.contacts[static_cast<std::size_t>(i)];
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.body[side] >= 0) H.block(3 * i, 6 * contact.body[side], 3, 6) += contact.H[side].transpose();
    }
  }
  EXPECT_LT((H * H.transpose() - W).cwiseAbs().maxCoeff(), 1e-13 * W.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace stiction
