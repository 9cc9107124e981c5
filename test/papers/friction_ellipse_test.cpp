// Friction that differs with the direction, and the moment against spin, in every formulation with contact; closed
// forms and small independent integrations.
//
// All of them are gradient flows M dv/dt = -grad psi(v) of a convex psi, the friction power: for Coulomb's law
// psi = mu m g |E v|, for a pyramid the largest of mu m g d_k . v. Two facts give the tolerances:
//  - steps that take friction at their end are implicit Euler steps, whose error is at most h |M^-1 grad psi| / sqrt(2)
//    in the norm of M (Rulla 1996, Nochetto, Savare and Verdi 2000), here h mu g / sqrt(2);
//  - where psi_P <= psi <= psi_P / (1 - eps), both motions from the same start: the kinetic energy of their difference
//    grows by at most psi - psi_P <= eps / (1 - eps) psi_P, that is by this part of what friction takes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/examples.h"

namespace stiction {
namespace {

constexpr double g_ellipse = 9.81, mu_ellipse = 0.4;
using test::run_text;

struct EllipseCase {
  const char* name;
  const char* method;
  const char* law;    ///< friction = ...
  double stored = 0;  ///< what its springs or bristles hold while they slide: (mu N)^2 / (2 k) [J]
};
void PrintTo(const EllipseCase& row, std::ostream* out) {
  *out << row.name;
}
bool is_compliant(const EllipseCase& row) {
  return row.method == std::string("compliant");
}
std::string normal_of(const EllipseCase& row) {
  return is_compliant(row) ? "normal = { law = \"linear\", stiffness = 1e5, damping = 600 }\n" : "";
}
double height_of(const EllipseCase& row) {
  return is_compliant(row) ? 0.1 - g_ellipse / 1e5 : 0.1;
}

constexpr int pyramid_edges = 64;

/// A particle of 1 kg that slides over a floor, at first along (1, 1, 0), e_t = 1 along x and e_o = 1/2 across.
RunResult slide(const EllipseCase& row, double step) {
  return run_text(row.name,
                  fmt::format("[world]\ngravity = [0, 0, -{}]\n[time]\nduration = 0.3\nstep = {}\noutput = 1e-2\n"
                              "[method]\ntype = \"{}\"\nintegrator = \"rk4\"\ndirections = {}\n[body.floor]\nfixed = "
                              "true\nshape = {{ type = \"halfspace\", normal = [0, 0, 1] }}\n[body.ball]\nmass = 1\n"
                              "particle = true\nposition = [0, 0, {}]\nvelocity = [1, 1, 0]\nshape = {{ type = "
                              "\"sphere\", radius = 0.1 }}\n[contact.\"floor/ball\"]\n{}friction = {}\n"
                              "ellipse = [1, 0.5]\ndirection = [1, 0, 0]\n",
                              g_ellipse, step, row.method, pyramid_edges, height_of(row), normal_of(row), row.law));
}

/// dv/dt = f(v), by the midpoint rule.
using Flow = std::function<Vec3(const Vec3&)>;
Vec3 integrate(const Flow& f, Vec3 v, double t, double step) {
  const auto n = std::lround(t / step);
  for (long i = 0; i < n; ++i) v += step * f(v + 0.5 * step * f(v));
  return v;
}

/// -mu g E^2 v / |E v|: largest dissipation on the ellipse.
Vec3 brake_by_ellipse(const Vec3& v) {
  const Vec3 stretched(v.x(), 0.5 * v.y(), 0);
  return -mu_ellipse * g_ellipse * Vec3(stretched.x(), 0.5 * stretched.y(), 0) / stretched.norm();
}
/// -mu g d, d the edge with the largest d . v.
Vec3 brake_by_edges(const MatX& edges, const Vec3& v) {
  Eigen::Index k = 0;
  (edges.transpose() * v).maxCoeff(&k);
  return -mu_ellipse * g_ellipse * edges.col(k);
}
MatX make_pyramid() {
  MatX edges = MatX::Zero(3, pyramid_edges);
  for (int k = 0; k < pyramid_edges; ++k) {
    const double angle = 2 * std::numbers::pi * k / pyramid_edges;
    edges.col(k) = Vec3(std::cos(angle), 0.5 * std::sin(angle), 0);
  }
  return edges;
}
/// The law `spring` in stretched velocities, while it slips: w = k delta + c E v, f = -mu g w/|w|, and delta follows
/// the force with the time c / k. Returns v at the end.
Vec3 slide_on_spring(double k, double c, Vec3 v, double t, double step) {
  Vec3 delta = Vec3::Zero();
  const double most = mu_ellipse * g_ellipse;
  const auto rate = [&](const Vec3& u, const Vec3& x) {
    const Vec3 w = k * x + c * Vec3(u.x(), 0.5 * u.y(), 0), f = most * w / w.norm();
    return std::pair<Vec3, Vec3>(-Vec3(f.x(), 0.5 * f.y(), 0), (f - k * x) / c);
  };
  const auto n = std::lround(t / step);
  for (long i = 0; i < n; ++i) {
    const auto [dv, dx] = rate(v, delta);
    const auto [mv, mx] = rate(v + 0.5 * step * dv, delta + 0.5 * step * dx);
    v += step * mv, delta += step * mx;
  }
  return v;
}

class EllipticFriction : public testing::TestWithParam<EllipseCase> {};

INSTANTIATE_TEST_SUITE_P(
    Laws, EllipticFriction,
    testing::Values(EllipseCase{"cone", "cone", "0.4"}, EllipseCase{"geometric_implicit", "geometric_implicit", "0.4"},
                    EllipseCase{"stewart_trinkle", "stewart_trinkle", "0.4"},
                    EllipseCase{"coulomb", "compliant", "{ law = \"coulomb\", kinetic = 0.4 }"},
                    EllipseCase{"bristle", "compliant",
                                "{ law = \"bristle\", kinetic = 0.4, stiffness = 4000, damping = 40 }",
                                0.4 * 0.4 * 9.81 / (2 * 4000)},
                    EllipseCase{"spring", "compliant",
                                "{ law = \"spring\", kinetic = 0.4, stiffness = 1e5, damping = 500 }",
                                std::pow(0.4 * 9.81, 2) / (2 * 1e5)}),
    [](const auto& row) { return std::string(row.param.name); });

// With dv_x / dv_y = 4 v_x / v_y the exact motion keeps v_x = v_y^4 on the way to rest from (1, 1); the reference is
// checked by that. Integrators of fourth order are compared to 1e-6: normal force and friction are smooth from the
// start on; the bristles' Stribeck factor exp(-(v/v_S)^2) is 0 at these speeds.
TEST_P(EllipticFriction, SlidesAlongTheCurveOfLargestDissipation) {
  const EllipseCase row = GetParam();
  const double h = 1e-4, t = 0.3;
  const RunResult run = slide(row, h);
  const Vec3 end(run.signal("ball.velocity.x").back(), run.signal("ball.velocity.y").back(), 0);
  const Vec3 exact = integrate(brake_by_ellipse, Vec3(1, 1, 0), t, 1e-5);
  ASSERT_NEAR(exact.x(), std::pow(exact.y(), 4), 1e-9);
  const double implicit_error = h * mu_ellipse * g_ellipse / std::numbers::sqrt2;
  if (row.name == std::string("stewart_trinkle")) {
    // Its pyramid lies inside the ellipse by 1 - cos(pi / n).
    const MatX edges = make_pyramid();
    const Vec3 expected = integrate([&](const Vec3& v) { return brake_by_edges(edges, v); }, Vec3(1, 1, 0), t, 1e-6);
    EXPECT_LT((end - expected).norm(), implicit_error);
    const double eps = 1 - std::cos(std::numbers::pi / pyramid_edges);
    EXPECT_LT(0.5 * (expected - exact).squaredNorm(), eps / (1 - eps) * run.signal("energy.friction").back());
  } else if (row.name == std::string("spring")) {
    EXPECT_LT((end - slide_on_spring(1e5, 500, Vec3(1, 1, 0), t, 1e-5)).norm(), 1e-6);
  } else {
    EXPECT_LT((end - exact).norm(), is_compliant(row) ? 1e-6 : implicit_error);
  }
  const auto& taken = run.signal("energy.friction");
  for (std::size_t i = 1; i < taken.size(); ++i) EXPECT_GE(taken[i], taken[i - 1]);
  // The books close: friction took what the motion lost, up to what the law stores.
  EXPECT_NEAR(run.signal("energy.kinetic").back() + taken.back(), 1 - row.stored, is_compliant(row) ? 1e-6 : 1e-9);
}

constexpr double spin_radius = 0.05, spin_inertia = 0.004;

// A ball that spins about the normal and slides: with the ellipsoid [1, 1, e_r] both compete. It does not roll.
std::string make_spinning(const EllipseCase& row, int directions, double step) {
  return fmt::format(
      "[world]\ngravity = [0, 0, -{}]\n[time]\nduration = 0.2\nstep = {}\noutput = 1e-2\n[method]\ntype = \"{}\"\n"
      "integrator = \"rk4\"\ndirections = {}\n[body.floor]\nfixed = true\nshape = {{ type = \"halfspace\", normal = "
      "[0, 0, 1] }}\n[body.puck]\nmass = 1\ninertia = [1e6, 1e6, {}]\nposition = [0, 0, {}]\nvelocity = [1, 0.3, 0]\n"
      "angular_velocity = [0, 0, 20]\nshape = {{ type = \"sphere\", radius = 0.1 }}\n"
      "[contact.\"floor/puck\"]\n{}friction = {}\nellipse = [1, 1, {}]\n",
      g_ellipse, step, row.method, directions, spin_inertia, height_of(row), normal_of(row), row.law, spin_radius);
}

// Only spinning: the moment is mu m g e_r, in every formulation; the poles of the polyhedron are exact.
TEST(SpinMoment, IsMuTimesTheLoadTimesTheRadius) {
  for (const EllipseCase& row : {EllipseCase{"cone", "cone", "0.4"}, EllipseCase{"st", "stewart_trinkle", "0.4"},
                                 EllipseCase{"berard", "berard", "0.4"}, EllipseCase{"ap", "anitescu_potra", "0.4"},
                                 EllipseCase{"gi", "geometric_implicit", "0.4"},
                                 EllipseCase{"coulomb", "compliant", "{ law = \"coulomb\", kinetic = 0.4 }"}}) {
    std::string text = make_spinning(row, 8, is_compliant(row) ? 1e-4 : 1e-3);
    text.replace(text.find("[1, 0.3, 0]"), 11, "[0, 0, 0]");
    const RunResult run = run_text(row.name, text);
    const double alpha = mu_ellipse * g_ellipse * spin_radius / spin_inertia;
    EXPECT_NEAR(run.signal("puck.angular_velocity.z")[10], 20 - alpha * 0.1, 2e-6) << row.name;
  }
}

/// Points of the unit sphere as friction_polyhedron.h describes them.
MatX make_sphere(int n) {
  std::vector<Vec3> points;
  for (int circle = -((n + 3) / 4 - 1); circle <= (n + 3) / 4 - 1; ++circle) {
    const double latitude = 2 * std::numbers::pi * circle / n;
    const int count = std::max(4, 2 * static_cast<int>(std::ceil(0.5 * n * std::cos(latitude) - 1e-9)));
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * k / count;
      points.emplace_back(std::cos(latitude) * std::cos(angle), std::cos(latitude) * std::sin(angle),
                          std::sin(latitude));
    }
  }
  points.emplace_back(0, 0, 1);
  points.emplace_back(0, 0, -1);
  MatX edges(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) edges.col(static_cast<Eigen::Index>(i)) = points[i];
  return edges;
}

/// Units in which masses are 1: (v_x, v_y, w sqrt(I / m)). The ellipsoid has the third axis e_r sqrt(m / I) there.
constexpr double spin_axis = 0.79056941504209488;  // 0.05 / sqrt(0.004)
Vec3 end_of_spin(const EllipseCase& row, int directions, double step) {
  const RunResult run = run_text(fmt::format("spin_{}_{}", row.name, directions), make_spinning(row, directions, step));
  return {run.signal("puck.velocity.x").back(), run.signal("puck.velocity.y").back(),
          run.signal("puck.angular_velocity.z").back() * std::sqrt(spin_inertia)};
}

// The polyhedron is inside the ellipsoid by a part of (pi / n)^2 at most. Directions of the force differ by the angle
// of an edge, pi / n: so do motions, whatever the steps.
TEST(SpinMoment, PolyhedraMoveAsTheirEdgesSay) {
  const double t = 0.2, h = 1e-3, implicit_error = h * mu_ellipse * g_ellipse / std::numbers::sqrt2;
  const Vec3 start(1, 0.3, 20 * std::sqrt(spin_inertia)), axes(1, 1, spin_axis);
  const Vec3 exact = integrate(
      [&](const Vec3& v) -> Vec3 {
        const Vec3 stretched = axes.cwiseProduct(v);
        return -mu_ellipse * g_ellipse * axes.cwiseProduct(stretched) / stretched.norm();
      },
      start, t, 1e-5);
  EXPECT_LT((end_of_spin({"cone", "cone", "0.4"}, 8, h) - exact).norm(), implicit_error);
  EXPECT_LT((end_of_spin({"coulomb", "compliant", "{ law = \"coulomb\", kinetic = 0.4 }"}, 8, 1e-4) - exact).norm(),
            1e-6);
  for (const int directions : {8, 16, 32}) {
    const MatX edges = axes.asDiagonal() * make_sphere(directions);
    // The reference has steps of h / 100.
    const Vec3 expected = integrate([&](const Vec3& v) { return brake_by_edges(edges, v); }, start, t, 1e-5);
    EXPECT_LT((end_of_spin({"berard", "berard", "0.4"}, directions, h) - expected).norm(), 1.01 * implicit_error)
        << directions;
    const double eps = std::pow(std::numbers::pi / directions, 2);
    const double taken = 0.5 * (start.squaredNorm() - expected.squaredNorm());
    EXPECT_LT(0.5 * (expected - exact).squaredNorm(), eps / (1 - eps) * taken) << directions;
  }
}

// The support function of the polyhedron, the largest of d . u, against that of the unit sphere, 1, on a grid of
// directions u: it is inside by (pi / n)^2 at most.
TEST(SpinMoment, ThePolyhedronIsInsideByTheSquareOfItsAngle) {
  for (const int n : {4, 6, 8, 10, 16, 32}) {
    const MatX edges = make_sphere(n);
    double least = 1;
    for (int i = 1; i < 180; ++i) {
      for (int k = 0; k < 360; ++k) {
        const double b = std::numbers::pi * (i / 180.0 - 0.5), a = std::numbers::pi * k / 180;
        const Vec3 u(std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), std::sin(b));
        least = std::min(least, (edges.transpose() * u).maxCoeff());
      }
    }
    EXPECT_GT(least, 1 - std::pow(std::numbers::pi / n, 2)) << n;
    EXPECT_EQ(edges.cols(), n == 8 ? 22 : n == 16 ? 90 : n == 32 ? 342 : edges.cols());
  }
}

}  // namespace
}  // namespace stiction
