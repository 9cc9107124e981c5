// Velocities of the closest points (contact-kinematics-2003, eqs 5 and 8) against differences of the closest-point
// solver, which knows nothing of them, and against closed forms.
#include "stiction/geometry/closest/contact_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/math/rotation.h"

#include "volume_tools.h"

namespace stiction {
namespace {

/// The pose after a time t of constant twist.
Transform move(const Transform& X, const BodyTwist& V, double t) {
  const double angle = V.w.norm() * t;
  const Mat3 R = V.w.norm() > 0 ? calc_matrix(make_axis_angle(V.w.normalized(), angle)) : Mat3::Identity();
  return {R * X.R, X.p + t * V.v};
}

struct Differences {
  double gap_rate;
  Vec3 a, b, normal;
};
/// Central differences of fourth order: error about h^4 = 1e-12 and rounding 1e-15/h.
Differences differentiate(const Shape& A, const Transform& X_A, const BodyTwist& V_A, const Shape& B,
                          const Transform& X_B, const BodyTwist& V_B, const ClosestCache& start) {
  const double h = 1e-3;
  const auto at = [&](double t) {
    ClosestCache cache = start;
    return calc_closest(A, move(X_A, V_A, t), B, move(X_B, V_B, t), &cache);
  };
  const ClosestPoints m2 = at(-2 * h), m1 = at(-h), p1 = at(h), p2 = at(2 * h);
  const auto vector = [&](auto get) -> Vec3 {
    const Vec3 outer = get(m2) - get(p2), inner = get(p1) - get(m1);
    return (outer + 8 * inner) / (12 * h);
  };
  return {((m2.gap - p2.gap) + 8 * (p1.gap - m1.gap)) / (12 * h),
          vector([](const ClosestPoints& c) { return c.point_a; }),
          vector([](const ClosestPoints& c) { return c.point_b; }),
          vector([](const ClosestPoints& c) { return c.normal; })};
}

void expect_equal(const ContactRates& rates, const Differences& d, double tolerance) {
  EXPECT_NEAR(rates.gap_rate, d.gap_rate, tolerance);
  EXPECT_LT((rates.point_a_velocity - d.a).norm(), tolerance);
  EXPECT_LT((rates.point_b_velocity - d.b).norm(), tolerance);
  EXPECT_LT((rates.normal_rate - d.normal).norm(), tolerance);
}

// 1e-6 is what is asked for; the differences are good to about 1e-9 at these speeds.
TEST(ContactRates, agree_with_differences_for_random_ellipsoids_apart_and_overlapping) {
  Random random(20);
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Ellipsoid A{Vec3(1, random.uniform(0.5, 1), random.uniform(0.5, 1))},
        B{Vec3(random.uniform(0.5, 1), 0.8, random.uniform(0.5, 1))};
    const Transform X_A{calc_matrix(make_axis_angle(make_random_vector(random, 1).normalized(), random.uniform(0, 3))),
                        Vec3::Zero()};
    Transform X_B{calc_matrix(make_axis_angle(make_random_vector(random, 1).normalized(), random.uniform(0, 3))),
                  Vec3(3, 0, 0)};
    // Place B at a wanted gap along the line of centres.
    ClosestCache cache;
    const double wanted = trial % 2 ? random.uniform(0.01, 1) : random.uniform(-0.05, -0.001);
    for (int pass = 0; pass < 30; ++pass) {
      const ClosestPoints c = calc_closest(A, X_A, B, X_B, &cache);
      X_B.p.x() += (wanted - c.gap) / std::max(c.normal.x(), 0.3);
    }
    const BodyTwist V_A{make_random_vector(random, 1), make_random_vector(random, 1)},
        V_B{make_random_vector(random, 1), make_random_vector(random, 1)};
    const ClosestPoints c = calc_closest(A, X_A, B, X_B, &cache);
    ASSERT_TRUE(c.certified);
    (c.gap > 0 ? apart : overlapping) += 1;
    const ContactRates rates = calc_contact_rates(A, X_A, V_A, B, X_B, V_B, c);
    EXPECT_TRUE(rates.regular);
    expect_equal(rates, differentiate(A, X_A, V_A, B, X_B, V_B, cache), 1e-6);
  }
  EXPECT_EQ(apart, 100);
  EXPECT_EQ(overlapping, 100);
}

// A sphere of radius r rolling without slip at angular velocity w on a plane: the point of contact goes with w r on
// both.
TEST(ContactRates, of_a_rolling_ball_are_those_of_its_centre) {
  const HalfSpace plane;
  const Sphere ball{0.5};
  const double w = 3;
  const Transform X{Mat3::Identity(), Vec3(0, 0, 0.5)};
  const BodyTwist V{Vec3(0, w, 0), Vec3(0.5 * w, 0, 0)};
  const ContactRates r = calc_contact_rates(plane, {}, {}, ball, X, V, calc_closest(plane, {}, ball, X));
  EXPECT_NEAR(r.gap_rate, 0, 1e-15);
  EXPECT_LT((r.point_a_velocity - Vec3(0.5 * w, 0, 0)).norm(), 1e-14);
  EXPECT_LT((r.point_b_velocity - Vec3(0.5 * w, 0, 0)).norm(), 1e-14);
  EXPECT_LT((r.surface_velocity_b - Vec3(0.5 * w, 0, 0)).norm(), 1e-14);
}

// A ball inside a pipe, moving around at the angular speed u about the pipe's axis: its contact point goes R u.
TEST(ContactRates, on_a_hollow_cylinder) {
  const HollowCylinder pipe{2, Vec3::UnitX()};
  const Sphere ball{0.5};
  const Transform X{Mat3::Identity(), Vec3(0, 0, -1.5)};
  const double u = 0.7;
  const BodyTwist V{Vec3::Zero(), Vec3(0.1, 1.5 * u, 0)};
  const ContactRates r = calc_contact_rates(pipe, {}, {}, ball, X, V, calc_closest(pipe, {}, ball, X));
  EXPECT_LT((r.point_a_velocity - Vec3(0.1, 2 * u, 0)).norm(), 1e-13);
}

// Edges, corners and an apex: a box corner over a plane, an edge across an edge, a ball over an edge.
TEST(ContactRates, agree_with_differences_on_edges_and_corners) {
  const Mat3 tilted = calc_matrix(make_axis_angle(Vec3(1, 2, 0.5).normalized(), 0.8));
  const Mat3 on_edge = calc_matrix(make_axis_angle(Vec3::UnitX(), M_PI / 4));
  const Mat3 on_edge_across = calc_matrix(make_axis_angle(Vec3::UnitZ(), 1.0)) * on_edge;
  struct EdgeCase {
    Shape A;
    Transform X_A;
    Shape B;
    Transform X_B;
  };
  const std::vector<EdgeCase> cases = {
      {HalfSpace{}, {}, Box{Vec3(1, 1, 1)}, {tilted, Vec3(0, 0, 1)}},
      {Box{Vec3(2, 1, 1)}, {on_edge, Vec3::Zero()}, Box{Vec3(2, 1, 1)}, {on_edge_across, Vec3(0.1, 0.05, 1.5)}},
      {Box{Vec3(2, 1, 1)}, {on_edge, Vec3::Zero()}, Sphere{0.3}, {Mat3::Identity(), Vec3(0.2, 0.05, 1.2)}},
      {Box{Vec3(2, 2, 1)}, {}, Cylinder{0.5, 1, Vec3::UnitZ()}, {tilted, Vec3(0, 0, 1.4)}},
      {Sphere{0.3}, {Mat3::Identity(), Vec3(0.1, 0, 1.6)}, Cone{0.5, 1, Vec3::UnitZ(), 0}, {}},
      {Ellipsoid{Vec3(1, 0.6, 0.5)},
       {tilted, Vec3::Zero()},
       Cylinder{0.2, 3, Vec3::UnitY()},
       {Mat3::Identity(), Vec3(0, 0, 1.5)}},
  };
  Random random(21);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const EdgeCase& c = cases[i];
    ClosestCache cache;
    const ClosestPoints closest = calc_closest(c.A, c.X_A, c.B, c.X_B, &cache);
    ASSERT_TRUE(closest.certified);
    const BodyTwist V_A{make_random_vector(random, 0.3), make_random_vector(random, 0.3)},
        V_B{make_random_vector(random, 0.3), make_random_vector(random, 0.3)};
    const ContactRates rates = calc_contact_rates(c.A, c.X_A, V_A, c.B, c.X_B, V_B, closest);
    EXPECT_TRUE(rates.regular);
    expect_equal(rates, differentiate(c.A, c.X_A, V_A, c.B, c.X_B, V_B, cache), 1e-6);
  }
}

}  // namespace
}  // namespace stiction
