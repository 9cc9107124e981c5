#include "stiction/stepping/rigid_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/solvers/cone_auto.h"
#include "stiction/solvers/mlcp_solvers.h"

namespace stiction {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

RigidSolver::Result RigidSolver::solve(const StepRows& rows, const VecX& q, double h, bool guessed, VecX& r) {
  if (rows.size() == 0) {
    r.resize(0);
    return {};
  }
  return settings_.form == FrictionForm::cone ? solve_cone_form(rows, q, h, guessed, r)
                                              : solve_polyhedral_form(rows, q, h, r);
}

void RigidSolver::pose_cone(const StepRows& rows, const VecX& q, double h) {
  const int d = rows.dimension(), n = rows.size();
  cone_.W = rows.W();
  cone_.q = q;
  cone_.mu.resize(n);
  bool plain = true;
  for (int i = 0; i < n; ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    cone_.mu[i] = block.mu;
    plain = plain && block.ellipsoid.head(d - 1) == Vec3::Ones().head(d - 1);
    if (block.kind == RowKind::joint_friction) cone_.q[d * i] = -block.bound * h;
  }
  cone_.ellipsoid.resize(plain ? 0 : n, plain ? 0 : d - 1);
  if (plain) return;
  for (int i = 0; i < n; ++i) {
    cone_.ellipsoid.row(i) = rows.blocks()[at(i)].ellipsoid.head(d - 1).transpose();
  }
}

/// The solution of the posed problem with a little compliance in every row.
VecX RigidSolver::calc_compliant_guess() {
  constexpr double compliance = 1e-2, enough = 1e-6;
  const int d = cone_.dimension(), n = cone_.contacts();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += cone_.W.block(cone_.W.diagonal(i)).trace();
  const double added = compliance * sum / (d * n);
  const auto shift = [&](double by) {
    for (int i = 0; i < n; ++i) cone_.W.block(cone_.W.diagonal(i)).diagonal().array() += by;
  };
  shift(added);
  cone_options_.tolerance = enough;
  cone_options_.start.resize(0);
  ConeResult result = solve_cone(cone_, cone_options_);
  shift(-added);
  return std::move(result.r);
}

RigidSolver::Result RigidSolver::solve_cone_form(const StepRows& rows, const VecX& q, double h, bool guessed, VecX& r) {
  pose_cone(rows, q, h);
  if (!guessed && rows.size() > 1) {
    r = calc_compliant_guess();
    cone_.W = rows.W();  // the bits that the shift took
  }
  cone_options_.tolerance = settings_.tolerance;
  cone_options_.start = r;
  ConeResult result = solve_cone(cone_, cone_options_);
  r.swap(result.r);
  return {result.status == ConeStatus::solved, result.residual, result.iterations};
}

RigidSolver::Result RigidSolver::solve_polyhedral_form(const StepRows& rows, const VecX& q, double h, VecX& r) {
  const int d = rows.dimension(), n = rows.size();
  const int edges = d == 2 ? 2 : settings_.directions;
  // Unknowns: of a contact with friction c_n, beta, sigma; of one without, and of a limit, c_n; of joint friction r.
  const auto count = [&](const RowBlock& block) {
    return block.kind == RowKind::contact && block.mu > 0 ? edges + 2 : 1;
  };
  int size = 0;
  for (const RowBlock& block : rows.blocks()) size += count(block);
  edges_.setZero(d * n, size);
  mlcp_.M.setZero(size, size);
  mlcp_.q.setZero(size);
  mlcp_.lower.setZero(size);
  mlcp_.upper.setConstant(size, infinity);
  int column = 0;
  for (int i = 0; i < n; ++i) {
    const RowBlock& block = rows.blocks()[at(i)];
    if (block.kind == RowKind::joint_friction) {
      edges_(d * i + 1, column) = 1;
      mlcp_.lower[column] = -block.bound * h;
      mlcp_.upper[column] = block.bound * h;
    } else {
      edges_(d * i, column) = 1;
    }
    const int c_n = column, sigma = column + edges + 1;
    if (count(block) > 1) {
      for (int k = 0; k < edges; ++k) {
        const double angle = 2 * std::numbers::pi * k / edges;
        edges_(d * i + 1, column + 1 + k) = block.ellipsoid[0] * (d == 2 ? 1 - 2 * k : std::cos(angle));
        if (d > 2) edges_(d * i + 2, column + 1 + k) = block.ellipsoid[1] * std::sin(angle);
        mlcp_.M(column + 1 + k, sigma) = 1;
        mlcp_.M(sigma, column + 1 + k) = -1;
      }
      mlcp_.M(sigma, c_n) = block.mu;
    }
    column += count(block);
  }
  mlcp_.M.noalias() += edges_.transpose() * (rows.W().calc_dense() * edges_);
  mlcp_.q.noalias() += edges_.transpose() * q;
  LcpOptions options;
  options.tolerance = settings_.tolerance;
  const LcpResult result = solve_mlcp(mlcp_, options, workspace_);
  r = edges_ * result.z;
  return {result.status == LcpStatus::solved, result.residual, result.iterations};
}

RigidSolver::Result RigidSolver::solve_friction(const StepRows& rows, const VecX& q, const VecX& given_normal,
                                                VecX& r) {
  const int d = rows.dimension(), n = rows.size();
  pose_cone(rows, q, 0);
  // The given normal impulses act on everything; their own rows only say what they are.
  VecX normal = VecX::Zero(d * n);
  for (int i = 0; i < n; ++i) normal[d * i] = std::max(given_normal[i], 0.0);
  cone_.q += rows.W() * normal;
  for (int i = 0; i < n; ++i) {
    for (int k = cone_.W.row_begin(i); k < cone_.W.row_begin(i + 1); ++k) {
      auto block = cone_.W.block(k);
      block.row(0).setZero();
      block.col(0).setZero();
      if (cone_.W.column(k) == i) block(0, 0) = 1;
    }
    cone_.q[d * i] = -normal[d * i];
  }
  cone_options_.tolerance = settings_.tolerance;
  cone_options_.start = normal;
  ConeResult result = solve_cone(cone_, cone_options_);
  r.swap(result.r);
  return {result.status == ConeStatus::solved, result.residual, result.iterations};
}

}  // namespace stiction
