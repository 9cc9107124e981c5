#include "stiction/multibody/joint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/math/spatial.h"

#include "test/unit/multibody/random_tree.h"

namespace stiction {
namespace {

using std::numbers::pi;

/// Random coordinates: angles within half a turn, unit quaternion.
std::vector<double> make_coordinates(const JointKind& kind, Random& random) {
  std::vector<double> q(calc_nq(kind));
  for (double& x : q) x = random.uniform(-3, 3);
  if (quaternion_offset(kind) == 0) write_quaternion(make_random_quaternion(random), q.data());
  return q;
}

TEST(Joint, SizesAndNamesOfEveryKind) {
  const auto kinds = make_all_joint_kinds();
  const char* names[] = {"weld",      "revolute",  "prismatic", "screw", "cylindrical",
                         "universal", "spherical", "planar",    "free",  "translation"};
  const int nv[] = {0, 1, 1, 1, 2, 2, 3, 3, 6, 3};
  for (int i = 0; i < 10; ++i) {
    EXPECT_STREQ(name_of(kinds[i]), names[i]);
    EXPECT_EQ(calc_nv(kinds[i]), nv[i]);
    const bool quaternion = quaternion_offset(kinds[i]) >= 0;
    EXPECT_EQ(calc_nq(kinds[i]), nv[i] + (quaternion ? 1 : 0));
  }
}

TEST(Joint, CoordinatesAreNamedWithUnits) {
  EXPECT_STREQ(coordinate_name(JointRevolute{}, 0).name, "");
  EXPECT_STREQ(coordinate_name(JointRevolute{}, 0).force_unit, "N m");
  EXPECT_STREQ(coordinate_name(JointPrismatic{}, 0).rate_unit, "m/s");
  EXPECT_STREQ(coordinate_name(JointCylindrical{}, 0).name, "angle");
  EXPECT_STREQ(coordinate_name(JointCylindrical{}, 1).unit, "m");
  EXPECT_STREQ(coordinate_name(JointPlanar{}, 2).name, "angle");
  EXPECT_STRNE(coordinate_name(JointUniversal{}, 0).name, coordinate_name(JointUniversal{}, 1).name);
}

TEST(Joint, TransformsOfGivenCoordinates) {
  // Closed forms at a quarter turn: x goes to y.
  const double quarter = pi / 2;
  const Transform screw = calc_joint_transform(JointScrew{0.2}, &quarter);
  EXPECT_LT((screw.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((screw.p - Vec3(0, 0, 0.1 * pi)).norm(), 1e-15);
  // Universal: first about z, then about the turned x. z goes to -y' = x.
  const double both[] = {quarter, quarter};
  const Transform universal = calc_joint_transform(JointUniversal{}, both);
  EXPECT_LT((universal.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((universal.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-15);
  const double planar[] = {1, 2, quarter};
  EXPECT_LT((calc_joint_transform(JointPlanar{}, planar).p - Vec3(1, 2, 0)).norm(), 1e-15);
}

TEST(Joint, CoordinatesInvertTheTransform) {
  Random random(1);
  for (const JointKind& kind : make_all_joint_kinds()) {
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> q = make_coordinates(kind, random);
      std::vector<double> back(q.size());
      calc_joint_coordinates(kind, calc_joint_transform(kind, q.data()), q.data(), back.data());
      // One arc tangent or square root away from the numbers themselves: a few roundings.
      for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(back[k], q[k], 1e-14) << name_of(kind);
    }
  }
}

TEST(Joint, WholeTurnsFollowTheHint) {
  for (const JointKind& kind : {JointKind(JointRevolute{}), JointKind(JointScrew{0.1})}) {
    for (double q : {-20.0, -pi, 0.5, 3.2, 100.0}) {
      for (double error : {-3.0, 0.0, 3.0}) {
        const double near = q + error;
        double back = 0;
        calc_joint_coordinates(kind, calc_joint_transform(kind, &q), &near, &back);
        // Rounding of sin(100) and of the turns: 100 * 1e-16 a few times.
        EXPECT_NEAR(back, q, 1e-13) << name_of(kind);
      }
    }
  }
  const double q[] = {7.0, -9.0}, near[] = {6.0, -8.0};
  double back[2];
  calc_joint_coordinates(JointUniversal{}, calc_joint_transform(JointUniversal{}, q), near, back);
  EXPECT_NEAR(back[0], q[0], 1e-14);
  EXPECT_NEAR(back[1], q[1], 1e-14);
}

TEST(Joint, QuaternionFollowsTheSideOfTheHint) {
  const double q[] = {-0.5, 0.5, -0.5, 0.5};
  double back[4];
  calc_joint_coordinates(JointSpherical{}, calc_joint_transform(JointSpherical{}, q), q, back);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(back[i], q[i], 1e-15);
}

TEST(Joint, ProjectsOntoTheJointsMotion) {
  // A displacement that a revolute joint does not allow leaves its angle alone; the same for the height of a planar
  // joint.
  Transform X{make_rotation_z(0.4), Vec3(1, 2, 3)};
  const double near[] = {0, 0, 0};
  double q[3];
  calc_joint_coordinates(JointRevolute{}, X, near, q);
  EXPECT_NEAR(q[0], 0.4, 1e-15);
  calc_joint_coordinates(JointPlanar{}, X, near, q);
  EXPECT_EQ(q[0], 1);
  EXPECT_EQ(q[1], 2);
  EXPECT_NEAR(q[2], 0.4, 1e-15);
  // The nearest rotation about z to Rx(a) Rz(b) Rx(a)^-1 with small a keeps b to second order in a.
  X.R = make_rotation_x(1e-5) * make_rotation_z(0.4) * make_rotation_x(-1e-5);
  calc_joint_coordinates(JointRevolute{}, X, near, q);
  EXPECT_NEAR(q[0], 0.4, 1e-9);
}

TEST(Joint, RatesMatchAngularAndLinearVelocity) {
  // dR/dt = skew(w) R and dp/dt = v for q moving with dq/dt = N(q) v; w, v read off the definition of each joint.
  Random random(2);
  for (const JointKind& kind : {JointKind(JointSpherical{}), JointKind(JointFree{})}) {
    const std::vector<double> q = make_coordinates(kind, random);
    const VecX v = make_random_values(random, calc_nv(kind));
    std::vector<double> dq(q.size());
    calc_joint_rates(type_of(kind), calc_nv(kind), q.data(), v.data(), dq.data());
    const auto transform = [&](double s) {
      std::vector<double> moved = q;
      for (std::size_t k = 0; k < q.size(); ++k) moved[k] += s * dq[k];
      return calc_joint_transform(kind, moved.data());
    };
    const Mat3 dR = calc_derivative([&](double s) { return transform(s).R; });
    EXPECT_LT((dR - calc_skew(v.head<3>()) * transform(0).R).norm(), 1e-10);
    if (calc_nv(kind) == 6) {
      const Vec3 dp = calc_derivative([&](double s) { return transform(s).p; });
      EXPECT_LT((dp - v.tail<3>()).norm(), 1e-12);
    }
  }
  // Everywhere else v is dq/dt.
  const double q[] = {1, 2, 3}, v[] = {4, 5, 6};
  double dq[3];
  calc_joint_rates(JointType::planar, 3, q, v, dq);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(dq[i], v[i]);
}

TEST(System, FindsBodiesByNameAndCoordinate) {
  System system = make_world();
  Joint joint;
  joint.kind = JointFree{};
  add_body(system, joint, {});
  joint.kind = JointWeld{};
  joint.parent = 1;
  add_body(system, joint, {});
  joint.kind = JointRevolute{};
  add_body(system, joint, {});
  EXPECT_EQ(find_body(system, "world"), 0);
  EXPECT_EQ(find_body(system, "body3"), 3);
  EXPECT_EQ(find_body(system, "nobody"), -1);
  EXPECT_EQ(find_body_of_q(system, 6), 1);
  EXPECT_EQ(find_body_of_q(system, 7), 3);
  EXPECT_EQ(find_body_of_v(system, 5), 1);
  EXPECT_EQ(find_body_of_v(system, 6), 3);
}

}  // namespace
}  // namespace stiction
