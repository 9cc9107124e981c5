#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "stiction/base/random.h"
#include "stiction/solvers/mcp/mcp_newton.h"
#include "stiction/solvers/mcp/mcp_solvers.h"

#include "test/unit/multibody/allocation_counter.h"

namespace stiction {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// A problem of functions. The pattern of a dense Jacobian is all entries.
class Mcp : public McpProblem {
 public:
  Mcp(const VecX& from, const VecX& to) {
    lower = from;
    upper = to;
  }
  void calc_F(const VecX& z, VecX& F) override { function(z, F); }
  void calc_J(const VecX& z, Jacobian& J) override {
    if (sparse_jacobian) return sparse_jacobian(z, J);
    MatX dense(z.size(), z.size());
    jacobian(z, dense);
    J.resize(z.size(), z.size());
    for (int j = 0; j < z.size(); ++j) {
      for (int i = 0; i < z.size(); ++i) J.insert(i, j) = dense(i, j);
    }
    J.makeCompressed();
  }
  std::function<void(const VecX&, VecX&)> function;
  std::function<void(const VecX&, MatX&)> jacobian;
  std::function<void(const VecX&, Jacobian&)> sparse_jacobian;
};

double recompute_residual(McpProblem& p, const VecX& z) {
  VecX F(z.size());
  p.calc_F(z, F);
  return (z - (z - F).cwiseMax(p.lower).cwiseMin(p.upper)).lpNorm<Eigen::Infinity>();
}

McpResult expect_solved(McpProblem& problem, const VecX& start) {
  McpOptions options;
  options.start = &start;
  McpResult result = solve_mcp(problem, options);
  EXPECT_EQ(result.status, McpStatus::solved) << start.head(std::min<Eigen::Index>(6, start.size())).transpose();
  EXPECT_LE(recompute_residual(problem, result.z), 1e-9);
  return result;
}

// The pair of four-dimensional problems of Kojima, Shindo (1986) and Josephy (1979); they differ in three coefficients.
Mcp make_quadratic_problem(double c23, double c34, double c3) {
  Mcp p(VecX::Zero(4), VecX::Constant(4, no_bound));
  p.function = [=](const VecX& x, VecX& F) {
    const double a = x[0], b = x[1], c = x[2], d = x[3];
    F << 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + c23 * c + 2 * d - 2,
        3 * a * a + a * b + 2 * b * b + 2 * c + c34 * d - c3, a * a + 3 * b * b + 2 * c + 3 * d - 3;
  };
  p.jacobian = [=](const VecX& x, MatX& J) {
    const double a = x[0], b = x[1];
    J << 6 * a + 2 * b, 2 * a + 4 * b, 1, 3, 4 * a + 1, 2 * b, c23, 2, 6 * a + b, a + 4 * b, 2, c34, 2 * a, 6 * b, 2, 3;
  };
  return p;
}

const std::array<Eigen::Vector4d, 8> four_starts{Eigen::Vector4d{0, 0, 0, 0},         Eigen::Vector4d{1, 1, 1, 1},
                                                 Eigen::Vector4d{1, 0, 1, 0},         Eigen::Vector4d{1, 0, 0, 0},
                                                 Eigen::Vector4d{100, 100, 100, 100}, Eigen::Vector4d{-5, 3, -1, 7},
                                                 Eigen::Vector4d{1e-6, 0, 50, 0},     Eigen::Vector4d{1.25, 0, 0, 0.5}};

// Solutions (sqrt(6)/2, 0, 0, 1/2), degenerate, and (1, 0, 3, 0).
TEST(McpFunctions, KojimaShindo) {
  Mcp problem = make_quadratic_problem(10, 9, 9);
  for (const VecX start : four_starts) {
    const VecX z = expect_solved(problem, start).z;
    const double to_first = (z - Eigen::Vector4d(std::sqrt(6.0) / 2, 0, 0, 0.5)).lpNorm<Eigen::Infinity>();
    const double to_second = (z - Eigen::Vector4d(1, 0, 3, 0)).lpNorm<Eigen::Infinity>();
    EXPECT_LE(std::min(to_first, to_second), 1e-5) << z.transpose();
  }
}

// The one solution (sqrt(6)/2, 0, 0, 1/2).
TEST(McpFunctions, Josephy) {
  Mcp problem = make_quadratic_problem(3, 3, 1);
  for (const VecX start : four_starts) {
    const VecX z = expect_solved(problem, start).z;
    EXPECT_LE((z - Eigen::Vector4d(std::sqrt(6.0) / 2, 0, 0, 0.5)).lpNorm<Eigen::Infinity>(), 1e-8) << z.transpose();
  }
}

// Billups (1995): F = (x - 1)^2 - 1.01, x >= 0, solution 1 + sqrt(1.01). Made so that descent on a merit function ends
// in a local minimum when started left of one.
TEST(McpFunctions, Billups) {
  Mcp p(VecX::Zero(1), VecX::Constant(1, no_bound));
  p.function = [](const VecX& x, VecX& F) { F[0] = (x[0] - 1) * (x[0] - 1) - 1.01; };
  p.jacobian = [](const VecX& x, MatX& J) { J(0, 0) = 2 * (x[0] - 1); };
  for (const double start : {0.0, 0.5, 1.0, -1.0, 1e-3, 2.0, 1000.0}) {
    EXPECT_NEAR(expect_solved(p, VecX::Constant(1, start)).z[0], 1 + std::sqrt(1.01), 1e-8) << start;
  }
}

// Traffic equilibrium in the manner of Bertsekas and Gafni (1982): a ring of five nodes, every pair served clockwise
// and counter-clockwise; link time 10 g(x) + 2 gamma g(x of the opposite link), g = 1 + x + x^2: an asymmetric
// Jacobian. Unknowns: path flows h >= 0 with cost - time >= 0, and free travel times with (sum of flows) - demand = 0.
constexpr int ring = 5;

struct Path {
  int pair;
  std::vector<int> links;  // 0..4 clockwise from node i, 5..9 counter-clockwise into node i
};

std::vector<Path> list_paths() {
  std::vector<Path> paths;
  for (int from = 0, pair = 0; from < ring; ++from) {
    for (int hops = 1; hops < ring; ++hops, ++pair) {
      Path clockwise{pair, {}}, counter{pair, {}};
      for (int k = 0; k < hops; ++k) clockwise.links.push_back((from + k) % ring);
      for (int k = 0; k < ring - hops; ++k) counter.links.push_back(ring + (from - 1 - k + ring) % ring);
      paths.push_back(clockwise);
      paths.push_back(counter);
    }
  }
  return paths;
}

Mcp make_traffic_problem(double gamma) {
  const std::vector<Path> paths = list_paths();
  const int flows = static_cast<int>(paths.size()), pairs = flows / 2, n = flows + pairs;
  const auto link_flow = [=](const VecX& z) {
    VecX x = VecX::Zero(2 * ring);
    for (int p = 0; p < flows; ++p) {
      for (int link : paths[p].links) x[link] += z[p];
    }
    return x;
  };
  const auto opposite = [](int link) { return link < ring ? link + ring : link - ring; };
  Mcp problem(VecX::Zero(n), VecX::Constant(n, no_bound));
  problem.lower.tail(pairs).setConstant(-no_bound);
  problem.function = [=](const VecX& z, VecX& F) {
    const VecX x = link_flow(z);
    const VecX g = (1 + x.array() + x.array().square()).matrix();
    for (int i = 0; i < pairs; ++i) F[flows + i] = -(1.0 + 0.1 * i);
    for (int p = 0; p < flows; ++p) {
      F[p] = -z[flows + paths[p].pair];
      for (int link : paths[p].links) F[p] += 10 * g[link] + 2 * gamma * g[opposite(link)];
      F[flows + paths[p].pair] += z[p];
    }
  };
  problem.jacobian = [=](const VecX& z, MatX& J) {
    const VecX x = link_flow(z);
    J.setZero();
    for (int p = 0; p < flows; ++p) {
      J(p, flows + paths[p].pair) = -1;
      J(flows + paths[p].pair, p) = 1;
      for (int r = 0; r < flows; ++r) {
        for (int link : paths[p].links) {
          for (int other : paths[r].links) {
            if (other == link) J(p, r) += 10 * (1 + 2 * x[link]);
            if (other == opposite(link)) J(p, r) += 2 * gamma * (1 + 2 * x[other]);
          }
        }
      }
    }
  };
  return problem;
}

// Wardrop's principle: every used path of a pair is as quick as its quickest, and the demand is served.
TEST(McpFunctions, BertsekasTypeTraffic) {
  Random random(9);
  for (const double gamma : {0.0, 1.0, 4.0}) {
    Mcp problem = make_traffic_problem(gamma);
    const auto n = problem.lower.size();
    const int pairs = static_cast<int>(n / 3);
    for (const double size : {0.0, 1.0, 100.0}) {
      const VecX start = VecX::NullaryExpr(n, [&] { return size * random.uniform(-1, 1); });
      const VecX z = expect_solved(problem, start).z;
      VecX F(n);
      problem.calc_F(z, F);
      for (int i = 0; i < pairs; ++i) {
        EXPECT_NEAR(z[2 * i] + z[2 * i + 1], 1.0 + 0.1 * i, 1e-8);
        for (int p : {2 * i, 2 * i + 1}) {
          EXPECT_GE(F[p], -1e-8);
          if (z[p] > 1e-6) {
            EXPECT_NEAR(F[p], 0, 1e-8);
          }
        }
      }
    }
  }
}

// String over the parabola psi = 1/4 - 4 (x - 1/2)^2 on (0, 1), u = 0 at the ends: it leaves the obstacle on the
// tangent through the end, at x = a with psi(a) = a psi'(a), 4 a^2 = 3/4. Second differences are exact for parabolas,
// so that only the place where the string leaves, known to one cell, separates grid and continuum: error below |psi''|
// h^2.
TEST(McpFunctions, ObstacleStringSparse) {
  const int cells = 400, n = cells - 1;
  const double h = 1.0 / cells;
  Mcp p(VecX(n), VecX::Constant(n, no_bound));
  const auto psi = [](double x) { return 0.25 - 4 * (x - 0.5) * (x - 0.5); };
  for (int i = 0; i < n; ++i) p.lower[i] = psi((i + 1) * h);
  p.function = [=](const VecX& u, VecX& F) {
    for (int i = 0; i < n; ++i) {
      F[i] = 2 * u[i] - (i > 0 ? u[i - 1] : 0) - (i + 1 < n ? u[i + 1] : 0);
    }
  };
  p.sparse_jacobian = [=](const VecX&, Eigen::SparseMatrix<double>& J) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 2);
      if (i > 0) entries.emplace_back(i, i - 1, -1);
      if (i + 1 < n) entries.emplace_back(i, i + 1, -1);
    }
    J.resize(n, n);
    J.setFromTriplets(entries.begin(), entries.end());
  };
  const double a = std::sqrt(3.0) / 4;
  for (const double start : {0.0, -10.0, 10.0}) {
    const VecX u = expect_solved(p, VecX::Constant(n, start)).z;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 1) * h;
      const double nearest_end = std::min(x, 1 - x);
      const double exact = nearest_end < a ? nearest_end * psi(a) / a : psi(x);
      ASSERT_NEAR(u[i], exact, 8 * h * h) << x;
    }
  }
}

// A function that exists inside its bound only: ln z = 1.
TEST(McpFunctions, StaysWhereTheFunctionIsDefined) {
  Mcp p(VecX::Zero(1), VecX::Constant(1, no_bound));
  p.function = [](const VecX& z, VecX& F) { F[0] = std::log(z[0]) - 1; };
  p.jacobian = [](const VecX& z, MatX& J) { J(0, 0) = 1 / z[0]; };
  for (const double start : {1e-3, 1.0, 50.0}) {
    EXPECT_NEAR(expect_solved(p, VecX::Constant(1, start)).z[0], std::exp(1.0), 1e-8);
  }
}

// Two-sided bounds: F = x - 5 on [0, 2] ends at 2, F = x + 5 at 0, F = x - 1 inside; a singular root x^3 = 0.
TEST(McpFunctions, BoxesAndASingularRoot) {
  Mcp p(VecX::Zero(3), VecX::Constant(3, 2.0));
  p.function = [](const VecX& z, VecX& F) { F = z + Eigen::Vector3d(-5, 5, -1); };
  p.jacobian = [](const VecX&, MatX& J) { J.setIdentity(); };
  const VecX z = expect_solved(p, VecX::Constant(3, 1.5)).z;
  EXPECT_LE((z - Eigen::Vector3d(2, 0, 1)).lpNorm<Eigen::Infinity>(), 1e-9);
  Mcp cubic(VecX::Constant(1, -no_bound), VecX::Constant(1, no_bound));
  cubic.function = [](const VecX& x, VecX& F) { F[0] = x[0] * x[0] * x[0]; };
  cubic.jacobian = [](const VecX& x, MatX& J) { J(0, 0) = 3 * x[0] * x[0]; };
  EXPECT_NEAR(expect_solved(cubic, VecX::Constant(1, 2.0)).z[0], 0, 1e-3);
}

// F = -1 - x^2 is negative everywhere: no solution, and none may be claimed by any method.
TEST(McpFunctions, NothingIsClaimedWhereNothingIs) {
  Mcp p(VecX::Zero(1), VecX::Constant(1, no_bound));
  p.function = [](const VecX& x, VecX& F) { F[0] = -1 - x[0] * x[0]; };
  p.jacobian = [](const VecX& x, MatX& J) { J(0, 0) = -2 * x[0]; };
  const VecX start = VecX::Constant(1, 1.0);
  McpOptions options;
  options.start = &start;
  McpWorkspace workspace;
  for (const McpSolver& solver : mcp_solvers()) {
    const McpResult result = solver.solve(p, options, workspace);
    EXPECT_NE(result.status, McpStatus::solved) << solver.name;
    EXPECT_GE(result.residual, 1.0) << solver.name;
  }
}

/// A string with a cubic support over an obstacle: a Jacobian whose pattern stays.
class Chain final : public McpProblem {
 public:
  explicit Chain(int n) {
    lower = VecX::Constant(n, 0.1);
    upper = VecX::Constant(n, no_bound);
  }
  void calc_F(const VecX& z, VecX& F) override {
    const auto n = z.size();
    for (Eigen::Index i = 0; i < n; ++i)
      F[i] = 2 * z[i] + z[i] * z[i] * z[i] - (i > 0 ? z[i - 1] : 0) - (i + 1 < n ? z[i + 1] : 0) - load * (i % 7 - 3.0);
  }
  void calc_J(const VecX& z, Jacobian& J) override {
    const int n = static_cast<int>(z.size());
    if (J.rows() != n) {
      J.resize(n, n);
      for (int j = 0; j < n; ++j) {
        for (int i = std::max(0, j - 1); i < std::min(n, j + 2); ++i) J.insert(i, j) = -1;
      }
      J.makeCompressed();
    }
    for (int i = 0; i < n; ++i) J.coeffRef(i, i) = 2 + 3 * z[i] * z[i];
  }
  double load = 1;
};

// The steps of a method that solves problem after problem: no call of malloc from the second on.
TEST(McpNewton, AllocatesNothingOnceWarm) {
  Chain problem(300);
  McpNewton newton;
  const McpNewton::Settings settings{
      .tolerance = 1e-10, .limit = 100, .directions = {.josephy = false, .active_set = true}};
  VecX z = VecX::Ones(300);
  ASSERT_EQ(newton.solve(problem, settings, z).status, McpStatus::solved);
  const std::int64_t before = count_allocations();
  for (const double load : {2.0, 0.5, -1.0, 30.0}) {
    problem.load = load;
    z.setOnes();
    ASSERT_EQ(newton.solve(problem, settings, z).status, McpStatus::solved);
  }
  EXPECT_EQ(count_allocations(), before);
  EXPECT_LE(recompute_residual(problem, z), 1e-10);
}

}  // namespace
}  // namespace stiction
