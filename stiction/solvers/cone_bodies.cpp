#include "stiction/solvers/cone_bodies.h"

#include <cmath>
#include <limits>

#include "stiction/solvers/cone_projection.h"

namespace stiction {
namespace {

// Entries that are rounding where the others are about 1: their products with small changes would be denormal numbers,
// with which processors are slow.
template <class Matrix>
auto drop_rounding(const Matrix& matrix) {
  return matrix.unaryExpr([](double entry) { return std::abs(entry) < 1e-9 ? 0.0 : entry; }).eval();
}

}  // namespace

void ConeBodySolver::pose(const BodyConeProblem& problem) {
  const std::size_t n = problem.contacts.size();
  blocks_.resize(n), rest_.resize(n), T_.resize(n), row_.resize(n), x_.resize(n), u_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyConeProblem::Contact& contact = problem.contacts[i];
    Mat3 W = Mat3::Zero();
    for (const auto& H : contact.H) W.noalias() += H.transpose().lazyProduct(H);
    const Vec3 T = T_[i] = calc_cone_scale<3>(W, contact.mu, Vec3::Ones());
    Mat3 A = T.asDiagonal() * W * T.asDiagonal();
    for (int k = 0; k < 3; ++k) {
      if (T[k] == 0) A(k, k) = 1;
    }
    rest_[i] = {A, ConeContact<3>(A)};
    row_[i] = A.row(0);
    Block& block = blocks_[i];
    const Mat3 P = drop_rounding(Mat3(A.inverse()));
    block.P = {static_cast<float>(P(0, 0)), static_cast<float>(P(0, 1)), static_cast<float>(P(0, 2)),
               static_cast<float>(P(1, 1)), static_cast<float>(P(1, 2)), static_cast<float>(P(2, 2))};
    for (std::size_t side = 0; side < 2; ++side) {
      block.body[side] = contact.body[side] < 0 ? problem.bodies : contact.body[side];
      block.TH[side].setZero();
      block.TH[side].topRows<6>() = drop_rounding(contact.H[side] * T.asDiagonal()).cast<float>();
    }
  }
  past_.resize(n);
  body_past_.resize(static_cast<std::size_t>(problem.bodies) + 1);
  change_.assign(static_cast<std::size_t>(problem.bodies) + 1, Change::Zero());
}

double ConeBodySolver::measure(const BodyConeProblem& problem) {
  w_.assign(static_cast<std::size_t>(problem.bodies) + 1, Vec6::Zero());
  const std::size_t n = problem.contacts.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = T_[i].cwiseProduct(x_[i]);
    if (r.isZero(0)) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      w_[static_cast<std::size_t>(blocks_[i].body[side])] += problem.contacts[i].H[side] * r;
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 u = problem.q.segment<3>(3 * static_cast<Eigen::Index>(i));
    for (std::size_t side = 0; side < 2; ++side) {
      u += problem.contacts[i].H[side].transpose() * w_[static_cast<std::size_t>(blocks_[i].body[side])];
    }
    sum += calc_natural_square<3>(problem.contacts[i].mu, T_[i].cwiseProduct(x_[i]), u);
    u_[i] = T_[i].cwiseProduct(u);
  }
  for (std::size_t body = 0; body < change_.size(); ++body) {
    body_past_[body].before -= change_[body];
    change_[body].setZero();
  }
  return std::isnan(sum) ? std::numeric_limits<double>::infinity() : std::sqrt(sum);
}

// One sweep; returns the length of the change of x.
double ConeBodySolver::sweep() {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    Change &first = change_[static_cast<std::size_t>(block.body[0])],
           &second = change_[static_cast<std::size_t>(block.body[1])];
    Vec3 u = u_[i];
    for (int k = 0; k < 3; ++k) {
      const Change products = block.TH[0].col(k).cwiseProduct(first) + block.TH[1].col(k).cwiseProduct(second);
      u[k] += static_cast<double>(products.sum());
    }
    Vec3& x = x_[i];
    Vec3 next = Vec3::Zero();
    const double b = u[0] - row_[i].dot(x);
    if (b < 0) {
      const auto& P = block.P;
      next = {x[0] - (P[0] * u[0] + P[1] * u[1] + P[2] * u[2]), x[1] - (P[1] * u[0] + P[3] * u[1] + P[4] * u[2]),
              x[2] - (P[2] * u[0] + P[4] * u[1] + P[5] * u[2])};
      if (!(next[0] >= 0 && next[1] * next[1] + next[2] * next[2] <= next[0] * next[0])) {
        next = x;
        rest_[i].contact.solve(u - rest_[i].A * x, next);
      }
    }
    const Vec3 dx = next - x;
    const double square = dx.squaredNorm();
    if (square == 0) continue;
    sum += square;
    x = next;
    for (int k = 0; k < 3; ++k) {
      const auto step = static_cast<float>(dx[k]);
      first += step * block.TH[0].col(k);
      second += step * block.TH[1].col(k);
    }
  }
  return std::sqrt(sum);
}

// From start_ and what a sweep made of it, x_, to where the next starts.
void ConeBodySolver::mix() {
  double sum = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) sum += (x_[i] - start_[i]).squaredNorm();
  const int column = window_.open(std::sqrt(sum)), known = window_.known();
  if (column == MixingWindow::harmed) {
    // Back to what the sweep before made, unmixed.
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = past_[i].x_before;
    for (std::size_t body = 0; body < change_.size(); ++body) change_[body] = body_past_[body].before;
    return;
  }
  MixingWindow::Weights products = MixingWindow::Weights::Zero(known), projections = products;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    Past& past = past_[i];
    const Eigen::Vector3f f = (x_[i] - start_[i]).cast<float>();
    if (column >= 0) {
      const Eigen::Vector3f difference = f - past.f_before;
      past.f.col(column) = difference;
      past.g.col(column) = (x_[i] - past.x_before).cast<float>();
      for (int j = 0; j < known; ++j) {
        products[j] += static_cast<double>(past.f.col(j).dot(difference));
        projections[j] += static_cast<double>(past.f.col(j).dot(f));
      }
    }
    past.f_before = f;
    past.x_before = x_[i];
  }
  MixingWindow::Weights gamma = MixingWindow::Weights::Zero(columns);
  if (column >= 0) {
    window_.set_products(column, products);
    gamma.head(known) = window_.calc_gamma(projections);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      for (int j = 0; j < known; ++j) x_[i] -= gamma[j] * past_[i].g.col(j).cast<double>();
    }
  }
  for (std::size_t body = 0; body < change_.size(); ++body) {
    BodyPast& past = body_past_[body];
    const Change change = change_[body];
    if (column >= 0) {
      past.differences.col(column) = change - past.before;
      for (int j = 0; j < known; ++j) change_[body] -= static_cast<float>(gamma[j]) * past.differences.col(j);
    }
    past.before = change;
  }
}

ConeStatus ConeBodySolver::solve(const BodyConeProblem& problem, const ConeOptions& options, VecX& r) {
  pose(problem);
  window_.clear();
  const std::size_t n = problem.contacts.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) x_[i][k] = T_[i][k] != 0 ? r[3 * static_cast<Eigen::Index>(i) + k] / T_[i][k] : 0;
  }
  const double scale = 1 + problem.q.norm(), target = 0.9 * options.tolerance * scale;
  constexpr int most = 300, fewest_between = 5, most_between = 10, patience = 20, few = 60;
  const int limit = options.iterations > 0 ? options.iterations : most;
  double norm = measure(problem), best_before = norm;
  residual_of_start_ = norm / scale;
  best_ = x_;
  // Measuring is as dear as two sweeps: the length of their steps tells when it is worth while.
  double hope = 0;
  for (sweeps_ = 0; norm > target && sweeps_ < limit;) {
    if (sweeps_ > 0) mix();
    start_ = x_;
    const double length = sweep();
    ++sweeps_;
    if (sweeps_ == 1) hope = 2 * length * target / norm;
    const bool is_due = sweeps_ % most_between == 0 || sweeps_ == limit;
    if (!is_due && (sweeps_ % fewest_between != 0 || length > hope)) continue;
    const double now = measure(problem);
    hope = now > 0 ? 2 * length * target / now : 0;
    if (now < norm) norm = now, best_ = x_;
    if (sweeps_ % patience == 0) {
      const double gain = best_before / norm;
      const double left = gain > 1 ? patience * std::log(norm / target) / std::log(gain) : most;
      if (gain < 1 / 0.7 && left > few) break;
      best_before = norm;
    }
  }
  for (std::size_t i = 0; i < n; ++i) r.segment<3>(3 * static_cast<Eigen::Index>(i)) = T_[i].cwiseProduct(best_[i]);
  residual_ = norm / scale;
  return residual_ <= options.tolerance ? ConeStatus::solved : ConeStatus::iteration_limit;
}

}  // namespace stiction
