#include "stiction/solvers/cone/cone.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/solvers/cone/cone_projection.h"

namespace stiction {
namespace {

class FaultList {
 public:
  void add(const std::string& path, const std::string& message) {
    if (faults_.size() < 20) faults_.push_back({.place = {}, .path = path, .message = message, .hint = {}});
  }
  void check_size(const std::string& path, Eigen::Index size, Eigen::Index expected) {
    if (size != expected) add(path, fmt::format("must have {} entries, got {}", expected, size));
  }
  void check_entry(const std::string& path, double value, bool signed_value) {
    // Squares and products must stay finite, or residuals would lie.
    if (!std::isfinite(value)) {
      add(path, fmt::format("must be finite, got {}", value));
    } else if (std::abs(value) > 1e100) {
      add(path, fmt::format("must be at most 1e100, got {:.3g}: scale the problem", value));
    } else if (!signed_value && value < 0) {
      add(path, fmt::format("must be >= 0, got {}", value));
    }
  }
  bool empty() const { return faults_.empty(); }
  void raise() const {
    if (!faults_.empty()) throw InputError(faults_);
  }

 private:
  std::vector<Fault> faults_;
};

// The numerator of (4), squared, all cones circular.
template <int D>
double sum_squares_of_circles(const ConeProblem& problem, const VecX& r, const VecX& u) {
  double sum = 0;
  for (int i = 0; i < problem.contacts(); ++i)
    sum += calc_natural_square<D>(problem.mu[i], r.template segment<D>(i * D), u.template segment<D>(i * D));
  return sum;
}

// The same for ellipsoids.
double sum_squares_of_ellipsoids(const ConeProblem& problem, const VecX& r, const VecX& u) {
  const int d = problem.dimension();
  VecX axes(d - 1), z(d);
  double sum = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    axes = problem.ellipsoid.row(i);
    z = u.segment(i * d, d);
    add_slip_to_normal(problem.mu[i], axes, z);
    z = r.segment(i * d, d) - z;
    project_on_cone(problem.mu[i], axes, z);
    sum += (r.segment(i * d, d) - z).squaredNorm();
  }
  return sum;
}

}  // namespace

void validate(const ConeProblem& problem) {
  FaultList faults;
  const int d = problem.dimension(), nc = problem.contacts();
  if (nc > 0 && (d < 2 || d > 4)) faults.add("W", fmt::format("blocks must be of 2, 3 or 4 rows, got {}", d));
  faults.check_size("q", problem.q.size(), static_cast<Eigen::Index>(d) * nc);
  faults.check_size("mu", problem.mu.size(), nc);
  const bool has_axes = problem.ellipsoid.size() > 0;
  if (has_axes && (problem.ellipsoid.rows() != nc || problem.ellipsoid.cols() != d - 1)) {
    faults.add("ellipsoid", fmt::format("must be {} x {}, got {} x {}", nc, d - 1, problem.ellipsoid.rows(),
                                        problem.ellipsoid.cols()));
  }
  faults.raise();
  for (int i = 0; i < nc; ++i) {
    for (int k = problem.W.row_begin(i); k < problem.W.row_begin(i + 1); ++k) {
      const auto block = problem.W.block(k);
      if ((block.array().abs() <= 1e100).all()) continue;
      for (int e = 0; e < d * d; ++e) {
        const int row = i * d + e % d, column = problem.W.column(k) * d + e / d;
        faults.check_entry(fmt::format("W[{},{}]", row, column), block(e % d, e / d), true);
      }
    }
    for (int c = 0; c < d; ++c) faults.check_entry(fmt::format("q[{}]", i * d + c), problem.q[i * d + c], true);
    faults.check_entry(fmt::format("mu[{}]", i), problem.mu[i], false);
    for (int c = 0; has_axes && c < d - 1; ++c) {
      faults.check_entry(fmt::format("ellipsoid[{},{}]", i, c), problem.ellipsoid(i, c), false);
    }
  }
  faults.raise();
}

double calc_residual(const ConeProblem& problem, const VecX& r) {
  STICTION_CHECK(r.size() == problem.q.size());
  return calc_residual(problem, r, problem.W * r + problem.q);
}

double calc_residual(const ConeProblem& problem, const VecX& r, const VecX& u) {
  double sum = 0;
  if (problem.ellipsoid.size() > 0) {
    sum = sum_squares_of_ellipsoids(problem, r, u);
  } else if (problem.dimension() == 2) {
    sum = sum_squares_of_circles<2>(problem, r, u);
  } else if (problem.dimension() == 3) {
    sum = sum_squares_of_circles<3>(problem, r, u);
  } else {
    sum = sum_squares_of_circles<4>(problem, r, u);
  }
  const double residual = std::sqrt(sum) / (1 + problem.q.norm());
  return std::isnan(residual) ? std::numeric_limits<double>::infinity() : residual;
}

ConeResult make_cone_result(const ConeProblem& problem, VecX r, double tolerance, bool stalled) {
  ConeResult result;
  result.u = problem.W * r + problem.q;
  result.residual = calc_residual(problem, r, result.u);
  result.r = std::move(r);
  if (result.residual <= tolerance) {
    result.status = ConeStatus::solved;
  } else {
    result.status = stalled ? ConeStatus::stalled : ConeStatus::iteration_limit;
  }
  return result;
}

}  // namespace stiction
