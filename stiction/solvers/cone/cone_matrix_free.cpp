#include "stiction/solvers/cone/cone_matrix_free.h"

#include <Eigen/SparseLU>

#include "stiction/base/fault.h"
#include "stiction/solvers/cone/cone_contact.h"
#include "stiction/solvers/cone/cone_dimension.h"

namespace stiction {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// The law of one contact as a problem of its own: its canonical form gives T and A.
template <int D>
ConeCanonical<D> make_diagonal(const GlobalConeProblem& problem, const Sparse& X) {
  std::vector<ConeEntry> entries;
  for (int i = 0; i < problem.contacts(); ++i) {
    for (int row = D * i; row < D * (i + 1); ++row) {
      for (int column = D * i; column < D * (i + 1); ++column) {
        double value = problem.H.col(row).dot(X.col(column));
        if (row == column && problem.compliance.size() > 0) value += problem.compliance[row];
        entries.push_back({row, column, value});
      }
    }
  }
  ConeProblem diagonal;
  diagonal.W = ConeMatrix(D, problem.contacts(), entries);
  diagonal.q = VecX::Zero(problem.w.size());
  diagonal.mu = problem.mu;
  diagonal.ellipsoid = problem.ellipsoid;
  return make_canonical<D>(diagonal);
}

template <int D>
class MatrixFreeSweeper {
 public:
  using Vec = Eigen::Matrix<double, D, 1>;

  MatrixFreeSweeper(const GlobalConeProblem& problem, const VecX& start) : problem_(problem), r_(start) {
    Eigen::SparseLU<Sparse> factor(problem.M);
    if (factor.info() != Eigen::Success) throw InputError("M is singular: " + factor.lastErrorMessage());
    X_ = factor.solve(problem.H);
    v_ = factor.solve(problem.H * r_ + problem.f);
    cone_ = make_diagonal<D>(problem, X_);
    for (int i = 0; i < cone_.count; ++i) contacts_.emplace_back(cone_.A[i]);
    const VecX free = factor.solve(problem.f);
    q_norm_ = (problem.H.transpose() * free + problem.w).norm();
  }

  void sweep() {
    for (int i = 0; i < cone_.count; ++i) {
      const Vec before = r_.template segment<D>(D * i);
      Vec x = (cone_.T[i].array() != 0).select(before.cwiseQuotient(cone_.T[i]), 0.0);
      const Vec b = cone_.T[i].cwiseProduct(calc_contact_velocity(i)) - cone_.A[i] * x;
      contacts_[i].solve(b, x);
      r_.template segment<D>(D * i) = cone_.T[i].cwiseProduct(x);
      for (int c = 0; c < D; ++c) {
        const double change = r_[D * i + c] - before[c];
        for (Sparse::InnerIterator it(X_, D * i + c); it; ++it) v_[it.row()] += it.value() * change;
      }
    }
  }

  // Numerator of residual (4) of cone.h.
  double calc_norm() {
    typename ConeCanonical<D>::Vecs x = to_canonical(cone_, r_), u(cone_.count);
    for (int i = 0; i < cone_.count; ++i) u[i] = cone_.T[i].cwiseProduct(calc_contact_velocity(i));
    return calc_natural_norm(cone_, x, u);
  }
  const VecX& r() const { return r_; }
  double q_norm() const { return q_norm_; }

 private:
  Vec calc_contact_velocity(int i) const {
    Vec u = problem_.w.template segment<D>(D * i);
    for (int c = 0; c < D; ++c) {
      for (Sparse::InnerIterator it(problem_.H, D * i + c); it; ++it) u[c] += it.value() * v_[it.row()];
      if (problem_.compliance.size() > 0) u[c] += problem_.compliance[D * i + c] * r_[D * i + c];
    }
    return u;
  }

  const GlobalConeProblem& problem_;
  VecX r_, v_;
  Sparse X_;
  ConeCanonical<D> cone_;
  std::vector<ConeContact<D>> contacts_;
  double q_norm_ = 0;
};

template <int D>
ConeResult solve(const GlobalConeProblem& problem, const ConeOptions& options) {
  MatrixFreeSweeper<D> sweeper(problem, calc_start(options, problem.w.size()));
  const double target = 0.9 * options.tolerance * (1 + sweeper.q_norm());
  const int limit = options.max_iterations > 0 ? options.max_iterations : 10000;
  ConeResult result;
  for (; result.iterations < limit && !(sweeper.calc_norm() <= target);) {
    for (int k = 0; k < 4 && result.iterations < limit; ++k, ++result.iterations) sweeper.sweep();
  }
  result.r = sweeper.r();
  result.u = problem.H.transpose() * calc_body_velocity(problem, result.r) + problem.w;
  if (problem.compliance.size() > 0) result.u += problem.compliance.cwiseProduct(result.r);
  result.residual = calc_residual(problem, result.r);
  result.status = result.residual <= options.tolerance ? ConeStatus::solved : ConeStatus::iteration_limit;
  result.method = "matrix_free";
  return result;
}

}  // namespace

ConeResult solve_cone_matrix_free(const GlobalConeProblem& problem, const ConeOptions& options) {
  return with_dimension(problem.dimension, [&]<int D>() { return solve<D>(problem, options); });
}

}  // namespace stiction
