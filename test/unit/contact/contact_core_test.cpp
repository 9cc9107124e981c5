// The contact core in a loop written by hand, as another simulator would use it (docs/compliant.md shows this loop).
#include "stiction/contact/contact_core.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/contact/round_pair.h"
#include "stiction/geometry/closest/contact_kinematics.h"

namespace stiction {
namespace {

// Table 5.2 of gonthier-thesis-2007.
const FrictionBristle bristle{.static_coefficient = 0.45,
                              .kinetic = 0.4,
                              .stiffness = 1e5,
                              .damping = 1e4,
                              .viscous = 0,
                              .stribeck_velocity = 0.1,
                              .dwell_time = 0.01,
                              .tolerance = 1e-3};

// A ball on a slope of 20 degrees, semi-implicit Euler. In the end it rolls: v = R w, and v grows by 5/7 g sin 20.
TEST(ContactCore, FortyLinesOfAnotherSimulator) {
  const double m = 2, R = 0.1, I = 0.4 * m * R * R, h = 4e-6, slope = 20 * std::numbers::pi / 180;
  const Vec3 g(9.81 * std::sin(slope), 0, -9.81 * std::cos(slope));
  ContactPair pair{HalfSpace{}, Sphere{R}, {NormalPower{.stiffness = 1e6, .restitution = 0.5}, bristle}};
  ContactBody ground, ball;
  ContactState state;
  ball.X_WS.p = Vec3(0, 0, 0.2);
  ball.v = Vec3(-1, 0.5, 0);
  double t = 0, v_rolling = 0, t_rolling = 0;
  while (t < 3) {
    const ContactOutput out = evaluate_contact(pair, ground, ball, state);
    ball.v += h * g + (h / m) * out.wrenches.F_B.tail<3>();
    ball.w += (h / I) * out.wrenches.F_B.head<3>();
    ball.X_WS.p += h * ball.v;
    advance_contact_state(out.rate, h, state);
    update_contact(pair, ground, ball, state);
    t += h;
    if (t_rolling == 0 && t > 2.5) t_rolling = t, v_rolling = ball.v.x();
  }
  EXPECT_TRUE(state.touching);
  // Closed forms; the method is of first order. Explicit steps must resolve the bristles' damping, h < 2 / (f_n sigma_1
  // (1/m + R^2/I)) = 6e-6 s.
  EXPECT_NEAR((ball.v.x() - v_rolling) / (t - t_rolling), 5.0 / 7 * g.x(), 1e-4);
  EXPECT_NEAR(ball.w.y() * R, ball.v.x(), 1e-5);
  EXPECT_NEAR(-ball.w.x() * R, ball.v.y(), 1e-5);
}

// Wrenches balance in force and moment about any point, for any law and a pair that is not simple.
TEST(ContactCore, WrenchesBalance) {
  ContactPair pair{Ellipsoid{Vec3(0.3, 0.2, 0.1)}, Ellipsoid{Vec3(0.1, 0.2, 0.25)}, {NormalLinear{1e4, 10}, bristle}};
  ContactBody a, b;
  a.X_WS.R = calc_matrix(make_axis_angle(Vec3(1, 2, 3).normalized(), 0.7));
  b.X_WS.p = Vec3(0.1, 0.05, 0.25);
  a.v = Vec3(0.1, 0.2, 0.3), b.v = Vec3(-0.4, 0.1, -0.2), a.w = Vec3(1, 0, 2), b.w = Vec3(-2, 1, 0.5);
  ContactState state;
  ASSERT_TRUE(update_contact(pair, a, b, state));
  state.set<FrictionBristle>({.deflection = Vec3(1e-6, 2e-6, 1e-6)});
  const ContactOutput out = evaluate_contact(pair, a, b, state);
  const Vec6 &A = out.wrenches.F_A, &B = out.wrenches.F_B;
  EXPECT_GT(B.tail<3>().norm(), 1);
  EXPECT_LT((A.tail<3>() + B.tail<3>()).norm(), 1e-12);
  const Vec3 moment = A.head<3>() + a.X_WS.p.cross(A.tail<3>()) + B.head<3>() + b.X_WS.p.cross(B.tail<3>());
  EXPECT_LT(moment.norm(), 1e-12);
  // Swapping A and B changes nothing.
  ContactPair swapped{pair.b, pair.a, pair.law};
  const ContactOutput other = evaluate_contact(swapped, b, a, state);
  EXPECT_NEAR(other.gap, out.gap, 1e-12);
  ContactState mirrored = state;
  mirrored.set<FrictionBristle>({.deflection = -state.get<FrictionBristle>().deflection});
  EXPECT_LT((evaluate_contact(swapped, b, a, mirrored).wrenches.F_A - B).norm(), 1e-9 * B.norm());
}

// The deflection turns with the contact frame: two bodies that turn together as one carry it along rigidly.
TEST(ContactCore, TheDeflectionTurnsWithBothBodies) {
  ContactPair pair{Sphere{0.2}, Sphere{0.1}, {NormalLinear{1e4, 0}, bristle}};
  const Vec3 w(0.3, -2, 1);
  ContactBody a, b;
  b.X_WS.p = Vec3(0.1, 0.2, -0.15).normalized() * 0.299;
  a.w = b.w = w;
  b.v = w.cross(b.X_WS.p);
  ContactState state;
  ASSERT_TRUE(update_contact(pair, a, b, state));
  const Vec3 n = b.X_WS.p.normalized();
  const Vec3 deflection = 1e-6 * n.unitOrthogonal();
  state.set<FrictionBristle>({.deflection = deflection});
  const ContactOutput out = evaluate_contact(pair, a, b, state);
  EXPECT_LT((out.motion.turn - w).norm(), 1e-12);
  const Vec3 rate = load_memory<FrictionBristle::Memory>(out.rate.friction.data()).deflection;
  EXPECT_LT((rate - w.cross(deflection)).norm(), 1e-15);
}

// The closed forms of round pairs against the general solvers, which share nothing with them.
TEST(ContactCore, RoundPairsAsTheGeneralSolversSeeThem) {
  const Shape shapes[] = {HalfSpace{Vec3::UnitZ(), -0.3}, Sphere{0.4}, HollowSphere{2},
                          HollowCylinder{1.5, Vec3::UnitY()}};
  for (const Shape& shape : shapes) {
    ContactBody a, b;
    a.X_WS = {calc_matrix(make_axis_angle(Vec3(1, -2, 0.5).normalized(), 0.8)), Vec3(0.1, 0.2, -0.1)};
    a.v = Vec3(0.3, -0.1, 0.2), a.w = Vec3(0.5, 1, -0.7);
    b.X_WS.p = Vec3(0.4, 0.5, 0.3);
    b.v = Vec3(-0.2, 0.4, 0.1), b.w = Vec3(-1, 0.3, 0.6);
    const Shape ball = Sphere{0.2};
    for (const bool swapped : {false, true}) {
      const Shape &A = swapped ? ball : shape, &B = swapped ? shape : ball;
      const ContactBody &x = swapped ? b : a, &y = swapped ? a : b;
      ContactSite round;
      ASSERT_TRUE(find_round_site(A, x, B, y, round));
      const ClosestPoints closest = calc_closest(A, x.X_WS, B, y.X_WS);
      EXPECT_NEAR(round.gap, closest.gap, 1e-14);
      EXPECT_LT((round.normal - closest.normal).norm(), 1e-14);
      EXPECT_LT((round.point_a - closest.point_a).norm(), 1e-14);
      EXPECT_LT((round.point_b - closest.point_b).norm(), 1e-14);
      const ContactRates rates = calc_contact_rates(A, x.X_WS, {x.w, x.v}, B, y.X_WS, {y.w, y.v}, closest);
      // (1) of contact_core.h with the rate of the normal from the general solver.
      const Vec3& n = closest.normal;
      const Vec3 turn = n.cross(rates.normal_rate) + 0.5 * n.dot(x.w + y.w) * n;
      EXPECT_LT((calc_frame_turn(A, x, B, y, round) - turn).norm(), 1e-12);
    }
  }
}

// Hertz from the material: what a sphere on a plane remembers is (2.4).
TEST(ContactCore, StiffnessFromTheMaterial) {
  NormalPower normal;
  normal.effective_modulus = 1e11;
  ContactPair pair{HalfSpace{}, Sphere{0.04}, {normal, FrictionNone{}}};
  ContactBody ground, ball;
  ball.X_WS.p = Vec3(0, 0, 0.04 - 1e-6);
  ball.v = Vec3(0, 0, -1);
  ContactState state;
  ASSERT_TRUE(update_contact(pair, ground, ball, state));
  EXPECT_NEAR(state.get<NormalPower>().stiffness / (4.0 / 3 * 1e11 * 0.2), 1, 1e-12);
  EXPECT_DOUBLE_EQ(state.get<NormalPower>().impact_speed, 1);
  ball.X_WS.p.z() = 0.041;
  ASSERT_TRUE(update_contact(pair, ground, ball, state));
  EXPECT_FALSE(state.touching);
}

}  // namespace
}  // namespace stiction
