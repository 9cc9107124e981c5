#include "stiction/stepping/rigid/rigid_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/solvers/island.h"
#include "stiction/solvers/mlcp/mlcp_solvers.h"
#include "stiction/stepping/rigid/friction_polyhedron.h"
#include "stiction/stepping/rigid/rigid_solver_compliant.h"

namespace stiction {
namespace {

/// Residual above which methods on bodies may have met a wedge, which others (rigid_solver_hard.cpp) tell.
constexpr double wedged_residual = 1e-4;
/// A search goes on to this part of `aim` where that is cheap: what it ends with is then a guess within `aim` in the
/// next step, whose rounding adds as much again.
constexpr double search_end = 0.1;

/// Is the impulse of a contact determined by its own velocity? By the pivots of its block of W.
bool is_determined_alone(const ConeMatrix& matrix, int contact) {
  constexpr double tolerance = 1e-12;
  const ConeMatrix::ConstBlock W = matrix.block(matrix.diagonal(contact));
  Eigen::Matrix4d L;
  for (int j = 0; j < W.rows(); ++j) {
    const double pivot = W(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > tolerance * W(j, j))) return false;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < W.rows(); ++i) L(i, j) = (W(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return true;
}

}  // namespace

RigidSolver::Result RigidSolver::solve(StepRows& rows, const VecX& q, double h, const std::vector<char>& fresh,
                                       VecX& r) {
  if (rows.size() == 0) {
    r.resize(0);
    if (watch_) tell(MlcpProblem(), nullptr, r, {});
    return {};
  }
  return settings_.form == FrictionForm::cone ? solve_cone_form(rows, q, h, fresh, r)
                                              : solve_polyhedral_form(rows, q, h, r);
}

RigidSolver::Result RigidSolver::solve_cold(StepRows& rows, const VecX& q, double h, VecX& r) {
  all_fresh_.assign(at(rows.size()), 1);
  r.setZero(rows.dimension() * rows.size());
  return solve(rows, q, h, all_fresh_, r);
}

int RigidSolver::solve_roughly(StepRows& rows, const VecX& q, double tolerance, VecX& r) {
  constexpr int sweeps = 100;
  ConeOptions options;
  options.tolerance = tolerance;
  options.enough = 1;
  options.max_iterations = sweeps;
  r.setZero(q.size());
  Result result;
  solve_large_groups(rows, q, 0, options, r, result);
  if (!rest_.empty()) {
    pose_part(rows, rest_, q, 0);
    part_r_.setZero(cone_.q.size());
    units_.apply(cone_, part_r_);
    ConeResult found = solve_cone(cone_, options);
    units_.restore(found.r);
    scatter(found.r, rest_, rows.dimension(), r);
    result.iterations += found.iterations;
  }
  return result.iterations;
}

void RigidSolver::pose_cone(StepRows& rows, const VecX& q, double h) {
  cone_.W = rows.W();
  cone_.q = q;
  set_laws(rows, nullptr, h);
}

void RigidSolver::pose_part(StepRows& rows, const std::vector<int>& blocks, const VecX& q, double h) {
  rows.calc_matrix(blocks, cone_.W);
  gather(q, blocks, rows.dimension(), cone_.q);
  set_laws(rows, &blocks, h);
}

/// Friction of the posed rows; q of joint friction is its given normal impulse.
void RigidSolver::set_laws(const StepRows& rows, const std::vector<int>* blocks, double h) {
  const int d = rows.dimension(), n = cone_.contacts();
  const auto block_of = [&](int i) -> const RowBlock& { return rows.blocks()[at(blocks ? (*blocks)[at(i)] : i)]; };
  const std::vector<Mat3>& compliance = rows.J().compliance();
  const auto gives = [&](int block) { return !compliance.empty() && !compliance[at(block)].isZero(0); };
  cone_h_ = h;
  cone_.mu.resize(n);
  is_held_.resize(at(n));
  bool plain = true;
  for (int i = 0; i < n; ++i) {
    const RowBlock& block = block_of(i);
    cone_.mu[i] = block.mu;
    is_held_[at(i)] = block.kind != RowKind::contact || gives(blocks ? (*blocks)[at(i)] : i);
    plain = plain && block.ellipsoid.head(d - 1) == Vec3::Ones().head(d - 1);
    if (block.kind == RowKind::joint_friction) cone_.q[d * i] = -block.bound * h;
  }
  cone_.ellipsoid.resize(plain ? 0 : n, plain ? 0 : d - 1);
  if (plain) return;
  for (int i = 0; i < n; ++i) cone_.ellipsoid.row(i) = block_of(i).ellipsoid.head(d - 1).transpose();
}

/// Groups with more contacts than are cheap on W, by methods on their bodies; rest_ becomes the other blocks, and those
/// of groups that stay far from a solution: bodies may be wedged there. The whole is sought to options.tolerance; where
/// that is 0, each group to what counts as solved. Returns the numerator of their residual, squared.
double RigidSolver::solve_large_groups(StepRows& rows, const VecX& q, double h, const ConeOptions& options, VecX& r,
                                       Result& result) {
  const int d = rows.dimension();
  rest_.clear();
  double squares = 0, guess_squares = 0;
  for (const std::vector<int>& group : rows.find_groups()) {
    if (static_cast<int>(group.size()) <= cone_most_cheap || !rows.has_body_form(group)) {
      rest_.insert(rest_.end(), group.begin(), group.end());
      continue;
    }
    rows.calc_body_form(group, bodies_);
    gather(q, group, d, bodies_.q);
    gather(r, group, d, part_r_);
    units_.apply(bodies_, part_r_);
    const double scale = 1 + bodies_.q.norm();
    ConeOptions part = options;
    const double share = std::sqrt(static_cast<double>(group.size()) / rows.size());
    part.tolerance = options.tolerance > 0 ? options.tolerance * share * (1 + q.norm()) / scale
                                           : settings_.solved.calc_limit(bodies_.q, d, h);
    (void)body_solver_.solve(bodies_, part, part_r_);
    result.iterations += body_solver_.iterations();
    units_.restore(part_r_);
    scatter(part_r_, group, d, r);
    const bool may_be_wedged = options.max_iterations == 0 && body_solver_.residual() > wedged_residual;
    if (may_be_wedged && static_cast<int>(group.size()) <= cone_most_factorized) {
      rest_.insert(rest_.end(), group.begin(), group.end());
      continue;
    }
    if (watch_) tell_group(rows, group, q, part.tolerance, part_r_);
    result.converged = result.converged && body_solver_.residual() <= part.tolerance;
    squares += std::pow(body_solver_.residual() * scale, 2);
    guess_squares += std::pow(body_solver_.residual_of_start() * scale, 2);
    ++result.undetermined.left;
  }
  std::sort(rest_.begin(), rest_.end());
  result.residual_of_guess = std::sqrt(guess_squares) / (1 + q.norm());
  return squares;
}

/// For who watches: a group solved on its bodies, as a problem with W.
void RigidSolver::tell_group(StepRows& rows, const std::vector<int>& group, const VecX& q, double limit,
                             const VecX& r) {
  pose_part(rows, group, q, 0);
  const double residual = body_solver_.residual();
  tell(cone_, &group, r, {residual <= limit, residual, body_solver_.iterations()});
}

/// Large groups on their bodies, the rest as one problem.
RigidSolver::Result RigidSolver::solve_parts(StepRows& rows, const VecX& q, double h, const std::vector<char>& fresh,
                                             VecX& r) {
  const int d = rows.dimension();
  Result result;
  ConeOptions options;
  const bool is_given = settings_.solved.part == 0;
  options.tolerance = is_given ? settings_.solved.exact : 0;
  double squares = solve_large_groups(rows, q, h, options, r, result);
  if (!rest_.empty()) {
    pose_part(rows, rest_, q, h);
    gather(r, rest_, d, part_r_);
    part_fresh_.clear();
    for (const int i : rest_) part_fresh_.push_back(fresh[at(i)]);
    const Result found = solve_fresh(rows, &rest_, part_fresh_, part_r_);
    scatter(part_r_, rest_, d, r);
    result.converged = result.converged && found.converged;
    result.iterations += found.iterations;
    result.residual_of_guess = std::max(result.residual_of_guess, found.residual_of_guess);
    result.undetermined.merge(found.undetermined);
    squares += std::pow(found.residual * (1 + cone_.q.norm()), 2);
  }
  result.residual = std::sqrt(squares) / (1 + q.norm());
  if (is_given) result.converged = result.residual <= settings_.solved.exact;
  return result;
}

/// The solution of the posed problem with a little compliance in every row, for the groups with fresh blocks.
void RigidSolver::guess_compliant(const std::vector<char>& fresh, VecX& r) const {
  constexpr double compliance = 1e-2;
  constexpr std::size_t most = 60;
  const int d = cone_.dimension();
  ConeOptions options;
  options.tolerance = options.enough = 1e-6;
  for (const std::vector<int>& island : find_islands(cone_.W)) {
    const bool is_known = std::none_of(island.begin(), island.end(), [&](int i) { return fresh[at(i)]; });
    if (is_known || island.size() < 2 || island.size() > most) continue;
    const ConeResult result = solve_cone(make_compliant(make_island(cone_, island), compliance), options);
    scatter(result.r, island, d, r);
  }
}

RigidSolver::Result RigidSolver::solve_posed(double enough, VecX& r) {
  cone_.W.multiply(r, u_);
  u_ += cone_.q;
  const double residual = calc_residual(cone_, r, u_);
  if (residual <= enough) return {true, residual, 0, residual};
  cone_options_.tolerance = settings_.solved.exact;
  cone_options_.aim = search_end * settings_.aim;
  cone_options_.enough = settings_.solved.calc_limit_of_hard(cone_.q, cone_.dimension(), cone_h_);
  cone_options_.quick = true;
  cone_options_.start = &r;
  ConeResult result = solve_cone(cone_, cone_options_, cone_workspace_);
  r.swap(result.r);
  Result found{result.status == ConeStatus::solved, result.residual, result.iterations, residual};
  if (!found.converged) solve_hard_groups(r, found);
  return found;
}

/// Of all impulses that give the velocities found, those of least norm, group by group.
void RigidSolver::choose_impulses(StepRows& rows, const std::vector<int>* blocks, VecX& r, Result& found) {
  constexpr std::size_t most = 100;
  const auto is_simple = [&](int i) { return is_determined_alone(cone_.W, i); };
  if (cone_.contacts() == 1 && is_simple(0)) return;
  // What a solved problem leaves of velocities: as many contacts as there are may have so much.
  const double still = 0.5 * settings_.solved.exact * (1 + cone_.q.norm()) / std::sqrt(cone_.contacts());
  bool is_known = false, has_changed = false;
  for (const std::vector<int>& group : find_islands(cone_.W)) {
    if (group.size() == 1 && is_simple(group.front())) continue;
    if (group.size() > most) {
      ++found.undetermined.left;
      continue;
    }
    if (!is_known) {
      is_known = true;
      chosen_r_ = r;
      cone_.W.multiply(r, u_);
      u_ += cone_.q;
      motions_.resize(at(cone_.contacts()));
      for (int i = 0; i < cone_.contacts(); ++i) motions_[at(i)] = rows.motion(blocks ? (*blocks)[at(i)] : i);
    }
    const ConeLeastNorm::Result chosen = least_norm_.apply(cone_, group, is_held_, motions_, u_, still, chosen_r_);
    found.undetermined.merge({chosen.undetermined, chosen.part, chosen.is_found ? 0 : 1});
    has_changed = has_changed || chosen.has_changed;
  }
  if (!has_changed) return;
  // The choice is exact to rounding of the velocities alone: as good a solution as the one found, or it would disturb
  // the motion and the next step's warm start.
  const Result chosen = solve_posed(search_end * settings_.aim, chosen_r_);
  found.iterations += chosen.iterations;
  if (chosen.residual > std::max(found.residual, settings_.aim)) {
    ++found.undetermined.left;
    return;
  }
  r.swap(chosen_r_);
  found.residual = chosen.residual;
}

/// The posed problem, blocks for which nothing is known (none if `fresh` is empty) guessed first.
RigidSolver::Result RigidSolver::solve_fresh(StepRows& rows, const std::vector<int>* blocks,
                                             const std::vector<char>& fresh, VecX& r) {
  std::optional<ConeProblem> posed;  // for who watches
  if (watch_) posed = cone_;
  units_.apply(cone_, r);
  const bool has_fresh = std::any_of(fresh.begin(), fresh.end(), [](char is_fresh) { return is_fresh; });
  if (fresh.size() > 1 && has_fresh) guess_compliant(fresh, r);
  Result result = solve_posed(settings_.aim, r);
  // A guess that holds is the choice of the step before.
  const bool is_exact = result.residual <= settings_.solved.exact;
  if (is_exact && (has_fresh || result.iterations > 0)) choose_impulses(rows, blocks, r, result);
  units_.restore(r);
  if (watch_) tell(*std::move(posed), blocks, r, result);
  return result;
}

void RigidSolver::tell(std::variant<ConeProblem, MlcpProblem> problem, const std::vector<int>* blocks,
                       const VecX& solution, const Result& result) const {
  SolvedProblem told;
  told.problem = std::move(problem);
  told.solution = solution;
  told.residual = result.residual;
  told.iterations = result.iterations;
  told.converged = result.converged;
  watch_(told, blocks);
}

/// The posed problem in SI units: impulses are z / unit, multipliers are velocities already.
void RigidSolver::tell_polyhedral(const MatX& W, const LcpResult& found, double unit, const Result& result) const {
  MlcpProblem problem = mlcp_;
  problem.M.noalias() += edges_.transpose() * (W * (1 - 1 / unit) * edges_);
  problem.lower /= unit;
  problem.upper /= unit;
  VecX z = found.z;
  for (int i = 0; i < z.size(); ++i)
    if (!edges_.col(i).isZero(0)) z[i] /= unit;
  tell(std::move(problem), nullptr, z, result);
}

/// For who watches, by a matrix of its own: rows go on without W.
void RigidSolver::tell_good_guess(StepRows& rows, const VecX& q, double h, const VecX& r, const Result& found) {
  std::vector<int> all(at(rows.size()));
  std::iota(all.begin(), all.end(), 0);
  pose_part(rows, all, q, h);
  tell(cone_, nullptr, r, found);
}

/// Is the guess good enough to be kept? Its residual is told in `found`.
bool RigidSolver::has_good_guess(StepRows& rows, const VecX& q, double h, const VecX& r, Result& found) {
  rows.calc_normal_diagonal(cone_.W);
  if (calc_impulse_unit(cone_.W) != 1) return false;
  const int d = rows.dimension();
  cone_.q = q;
  set_laws(rows, nullptr, h);
  rows.multiply(r, u_);
  u_ += cone_.q;
  const std::vector<Mat3>& compliance = rows.J().compliance();
  for (int i = 0; i < rows.size(); ++i) {
    if (rows.blocks()[at(i)].kind == RowKind::joint_friction) u_[d * i] += r[d * i];
    const int m = std::min(d, 3);
    if (!compliance.empty()) u_.segment(d * i, m) += compliance[at(i)].topLeftCorner(m, m) * r.segment(d * i, m);
  }
  found.residual = found.residual_of_guess = calc_residual(cone_, r, u_);
  return found.residual <= settings_.aim;
}

RigidSolver::Result RigidSolver::solve_cone_form(StepRows& rows, const VecX& q, double h,
                                                 const std::vector<char>& fresh, VecX& r) {
  if (rows.size() > cone_most_cheap) return solve_parts(rows, q, h, fresh, r);
  const bool is_known = std::none_of(fresh.begin(), fresh.end(), [](char is_fresh) { return is_fresh; });
  Result found;
  const bool is_good = is_known && has_good_guess(rows, q, h, r, found);
  if (!is_good) {
    pose_cone(rows, q, h);
    return solve_fresh(rows, nullptr, fresh, r);
  }
  if (watch_) tell_good_guess(rows, q, h, r, found);
  return found;
}

/// Pyramid: of a contact with friction c_n, beta, sigma. Without friction, and of a limit, r_n; of joint friction r.
int RigidSolver::count_unknowns(const RowBlock& block, int dimension) const {
  if (block.kind != RowKind::contact || block.mu == 0) return 1;
  if (settings_.form == FrictionForm::cone) return dimension;
  return count_friction_directions(dimension, settings_.directions, dimension == 4 && block.ellipsoid[2] > 0) + 2;
}

int RigidSolver::count_unknowns(const StepRows& rows) const {
  int count = 0;
  for (const RowBlock& block : rows.blocks()) count += count_unknowns(block, rows.dimension());
  return count;
}

RigidSolver::Result RigidSolver::solve_polyhedral_form(StepRows& rows, const VecX& q, double h, VecX& r) {
  const int d = rows.dimension(), n = rows.size();
  const int size = count_unknowns(rows);
  const auto count = [&](const RowBlock& block) { return count_unknowns(block, d); };
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
    if (count(block) > 1) {
      calc_friction_polyhedron(d, settings_.directions, block.ellipsoid, polyhedron_);
      const int c_n = column, n_edges = static_cast<int>(polyhedron_.cols()), sigma = column + n_edges + 1;
      edges_.block(d * i + 1, column + 1, d - 1, n_edges) = polyhedron_;
      mlcp_.M.col(sigma).segment(column + 1, n_edges).setOnes();
      mlcp_.M.row(sigma).segment(column + 1, n_edges).setConstant(-1);
      mlcp_.M(sigma, c_n) = block.mu;
    }
    column += count(block);
  }
  const double unit = calc_impulse_unit(rows.W());
  mlcp_.lower *= unit;
  mlcp_.upper *= unit;
  mlcp_.M.noalias() += edges_.transpose() * (rows.W().calc_dense() / unit * edges_);
  mlcp_.q.noalias() += edges_.transpose() * q;
  LcpOptions options;
  options.tolerance = settings_.solved.exact;
  const LcpResult result = solve_mlcp(mlcp_, options, workspace_);
  r = edges_ * result.z / unit;
  const Result told{result.status == LcpStatus::solved, result.residual, result.iterations};
  if (watch_) tell_polyhedral(rows.W().calc_dense(), result, unit, told);
  return told;
}

}  // namespace stiction
