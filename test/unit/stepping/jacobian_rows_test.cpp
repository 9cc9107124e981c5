#include "stiction/stepping/rigid/jacobian_rows.h"

#include "test/unit/stepping/rows_scene.h"

namespace stiction {
namespace {

using JacobianRowsTest = test::RowsTest;

// Against the dense Jacobian of frames at the contact points.
TEST_F(JacobianRowsTest, ProductsAreThoseOfTheDenseJacobian) {
  add_three();
  VecX u;
  rows.J().calc_velocities(instant, u);
  EXPECT_LT((u - J * v).cwiseAbs().maxCoeff(), 1e-13);
  for (int i = 0; i < 3; ++i)
    EXPECT_LT((rows.J().multiply(i, v).head<3>() - u.segment<3>(3 * i)).cwiseAbs().maxCoeff(), 1e-13);
  const VecX r = VecX::LinSpaced(9, 0.3, -0.2);
  VecX sum = VecX::Zero(system.nv);
  std::vector<char> pushed(1, 0);
  rows.J().add_transposed(r, sum, pushed);
  EXPECT_LT((sum - J.transpose() * r).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(pushed[0], 1);
}

TEST_F(JacobianRowsTest, ClearForgetsRowsAndCompliance) {
  add_three();
  EXPECT_EQ(rows.J().blocks_of(0), (std::vector<int>{0, 1, 2}));
  rows.J().set_compliance(1, 2 * Mat3::Identity());
  EXPECT_EQ(rows.J().calc_give(1, VecX::Constant(9, 0.5)), 1);
  EXPECT_EQ(rows.J().calc_give(0, VecX::Constant(9, 0.5)), 0);
  const std::int64_t before = rows.J().revision();
  rows.J().clear();
  EXPECT_NE(rows.J().revision(), before);
  EXPECT_EQ(rows.J().size(), 0);
  EXPECT_TRUE(rows.J().compliance().empty());
  EXPECT_TRUE(rows.J().blocks_of(0).empty());
}

TEST(ContactFrame, IsARightHandedFrameWithTheLawsDirection) {
  const Vec3 normal = Vec3(1, 2, -0.5).normalized(), direction(1, 0, 0);
  const Mat3 frame = make_contact_frame(normal, direction, false);
  EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(frame.determinant(), 1, 1e-14);
  EXPECT_NEAR(frame.col(2).dot(direction), 0, 1e-14);  // o is normal to the direction
  // Without a direction: world z, or x where the normal is along z (the directions of stewart-trinkle-2000, Table 1).
  EXPECT_LT((make_contact_frame(Vec3::UnitX(), Vec3::Zero(), false).col(1) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((make_contact_frame(Vec3::UnitZ(), Vec3::Zero(), false).col(1) - Vec3::UnitX()).norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
