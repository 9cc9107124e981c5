#include "stiction/solvers/cone/cone_global.h"

#include <Eigen/SparseLU>
#include <fmt/format.h>

#include <cmath>

#include "stiction/base/fault.h"

namespace stiction {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Factor = Eigen::SparseLU<Sparse>;

void check_size(const char* name, Eigen::Index size, Eigen::Index expected) {
  if (size != expected) throw InputError(fmt::format("{} must have {} entries, got {}", name, expected, size));
}

void check_finite(const char* name, const VecX& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw InputError(fmt::format("{}[{}] must be finite, got {}", name, i, values[i]));
  }
}

void check_finite(const char* name, const Sparse& matrix) {
  for (int column = 0; column < matrix.outerSize(); ++column) {
    for (Sparse::InnerIterator it(matrix, column); it; ++it) {
      if (std::isfinite(it.value())) continue;
      throw InputError(fmt::format("{}[{},{}] must be finite, got {}", name, it.row(), column, it.value()));
    }
  }
}

void factorize(const Sparse& M, Factor& factor) {
  factor.compute(M);
  if (factor.info() != Eigen::Success) throw InputError("M is singular");
}

// By the pivots of the symmetric part, its diagonal brought to 1: P D^-1/2 (M + M') / 2 D^-1/2 P' = L pivots L'. The
// elimination would stop at a pivot of 0: a shift of rounding carries it past.
void check_positive_definite(const Sparse& M) {
  constexpr double shift = 1e-15;
  const VecX diagonal = M.diagonal();
  for (Eigen::Index row = 0; row < diagonal.size(); ++row) {
    if (diagonal[row] > 0) continue;
    throw InputError(fmt::format("M[{0},{0}] must be > 0, got {1}: M must be positive definite", row, diagonal[row]),
                     "what cannot move has no place in M");
  }
  if (M.rows() == 0) return;
  const VecX scale = diagonal.cwiseSqrt().cwiseInverse();
  const Sparse scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Sparse transposed = scaled.transpose();
  Eigen::SimplicialLDLT<Sparse> factor;
  factor.setShift(shift);
  factor.compute(0.5 * (scaled + transposed));
  if (factor.info() != Eigen::Success) throw InputError("M must be positive definite");
  const VecX pivots = factor.vectorD();
  for (Eigen::Index k = 0; k < pivots.size(); ++k) {
    if (pivots[k] > 2 * shift) continue;
    const double pivot = std::abs(pivots[k]) <= 2 * shift ? 0 : pivots[k];
    throw InputError(fmt::format("M must be positive definite; the pivot of row {} is {:.3g} times its diagonal",
                                 factor.permutationPinv().indices()[k], pivot));
  }
}

// The local problem with a W of zeros: what the residual needs besides u.
ConeProblem make_law(const GlobalConeProblem& problem, const std::vector<ConeEntry>& entries, VecX q) {
  ConeProblem law;
  law.W = ConeMatrix(problem.dimension, problem.contacts(), entries);
  law.q = std::move(q);
  law.mu = problem.mu;
  law.ellipsoid = problem.ellipsoid;
  return law;
}

}  // namespace

void validate(const GlobalConeProblem& problem) {
  const int d = problem.dimension;
  if (d < 2 || d > 4) throw InputError(fmt::format("a contact must have 2, 3 or 4 rows, got {}", d));
  const Eigen::Index ndof = problem.M.rows(), rows = static_cast<Eigen::Index>(d) * problem.contacts();
  if (problem.M.cols() != ndof) throw InputError(fmt::format("M must be square, got {} x {}", ndof, problem.M.cols()));
  if (problem.H.rows() != ndof || problem.H.cols() != rows) {
    throw InputError(fmt::format("H must be {} x {}, got {} x {}", ndof, rows, problem.H.rows(), problem.H.cols()));
  }
  check_size("f", problem.f.size(), ndof);
  check_size("w", problem.w.size(), rows);
  if (problem.compliance.size() > 0) check_size("compliance", problem.compliance.size(), rows);
  check_finite("M", problem.M);
  check_finite("H", problem.H);
  check_finite("f", problem.f);
  check_finite("compliance", problem.compliance);
  check_positive_definite(problem.M);
  validate(make_law(problem, {}, problem.w));
}

ConeProblem make_local(const GlobalConeProblem& problem) {
  Factor factor;
  factorize(problem.M, factor);
  // W = H' M^-1 H + C: solving with sparse right sides keeps the zeros between contacts that share no body.
  const Sparse X = factor.solve(problem.H);
  const Sparse W = problem.H.transpose() * X;
  std::vector<ConeEntry> entries;
  for (int column = 0; column < W.outerSize(); ++column) {
    for (Sparse::InnerIterator it(W, column); it; ++it) {
      if (it.value() != 0) entries.push_back({static_cast<int>(it.row()), column, it.value()});
    }
  }
  for (int i = 0; i < problem.compliance.size(); ++i) entries.push_back({i, i, problem.compliance[i]});
  const VecX free = factor.solve(problem.f);
  return make_law(problem, std::move(entries), problem.H.transpose() * free + problem.w);
}

VecX calc_body_velocity(const GlobalConeProblem& problem, const VecX& r) {
  Factor factor;
  factorize(problem.M, factor);
  return factor.solve(problem.H * r + problem.f);
}

double calc_residual(const GlobalConeProblem& problem, const VecX& r) {
  Factor factor;
  factorize(problem.M, factor);
  const VecX free = factor.solve(problem.f), v = factor.solve(problem.H * r + problem.f);
  VecX u = problem.H.transpose() * v + problem.w;
  if (problem.compliance.size() > 0) u += problem.compliance.cwiseProduct(r);
  return calc_residual(make_law(problem, {}, problem.H.transpose() * free + problem.w), r, u);
}

}  // namespace stiction
