#include "stiction/solvers/cone/cone_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/solvers/cone/cone_projection.h"

namespace stiction {
namespace {

// Entries that are rounding where the others are about 1: their products with small changes would be denormal numbers,
// with which processors are slow.
template <class Matrix>
auto drop_rounding(const Matrix& matrix) {
  return matrix.unaryExpr([](double entry) { return std::abs(entry) < 1e-9 ? 0.0 : entry; }).eval();
}

/// w += H' r
void add_impulse(const BodyConeProblem::Contact& contact, const Vec3& r, const std::array<int, 2>& body,
                 std::vector<Vec6>& w) {
  if (r.isZero(0)) return;
  for (std::size_t side = 0; side < 2; ++side) w[static_cast<std::size_t>(body[side])] += contact.H[side] * r;
}

}  // namespace

void ConeBodySolver::pose(const BodyConeProblem& problem, const VecX& r) {
  const std::size_t n = problem.contacts.size();
  w_.assign(static_cast<std::size_t>(problem.bodies) + 1, Vec6::Zero());
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
    for (int k = 0; k < 3; ++k) x_[i][k] = T[k] != 0 ? r[3 * static_cast<Eigen::Index>(i) + k] / T[k] : 0;
    add_impulse(contact, T.cwiseProduct(x_[i]), block.body, w_);
  }
  past_.resize(n);
  body_past_.resize(static_cast<std::size_t>(problem.bodies) + 1);
  change_.assign(static_cast<std::size_t>(problem.bodies) + 1, Change::Zero());
}

void ConeBodySolver::sum_impulses(const BodyConeProblem& problem) {
  std::fill(w_.begin(), w_.end(), Vec6::Zero());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    add_impulse(problem.contacts[i], T_[i].cwiseProduct(x_[i]), blocks_[i].body, w_);
}

double ConeBodySolver::measure(const BodyConeProblem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
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

// One sweep, from the combination of those before (gamma_), which each contact takes when its turn comes; what the next
// combination needs is summed on the way: memory is what sweeps wait for. Returns the length of the change of x.
double ConeBodySolver::sweep() {
  constexpr std::size_t stride = 32;  // that many may be summed in single precision
  const int known = window_.known(), column = window_.next();
  products_.fill(0), projections_.fill(0);
  double sum = 0;
  for (std::size_t begin = 0; begin < blocks_.size(); begin += stride) {
    std::array<Step, columns> products, projections;
    products.fill(Step::Zero()), projections.fill(Step::Zero());
    for (std::size_t i = begin; i < std::min(begin + stride, blocks_.size()); ++i) {
      const Block& block = blocks_[i];
      Past& past = past_[i];
      Change &first = change_[static_cast<std::size_t>(block.body[0])],
             &second = change_[static_cast<std::size_t>(block.body[1])];
      Step combined = Step::Zero();
      for (int j = 0; j < known; ++j) combined += gamma_[j] * past.g[j];
      Vec3& x = x_[i];
      x -= combined.head<3>().matrix().cast<double>();
      Vec3 u = u_[i];
      for (int k = 0; k < 3; ++k) {
        const Change terms = block.TH[0].col(k).cwiseProduct(first) + block.TH[1].col(k).cwiseProduct(second);
        u[k] += static_cast<double>(terms.sum());
      }
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
      const Step f(static_cast<float>(dx[0]), static_cast<float>(dx[1]), static_cast<float>(dx[2]), 0);
      if (column >= 0) {
        const Step difference = f - past.f_before;
        past.f[column] = difference;
        past.g[column] = f - combined;
        for (std::size_t j = 0; j < columns; ++j) {
          products[j] += past.f[j] * difference;
          projections[j] += past.f[j] * f;
        }
      }
      past.f_before = f;
      sum += dx.squaredNorm();
      x = next;
      for (int k = 0; k < 3; ++k) {
        first += f[k] * block.TH[0].col(k);
        second += f[k] * block.TH[1].col(k);
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      products_[j] += static_cast<double>(products[j].sum());
      projections_[j] += static_cast<double>(projections[j].sum());
    }
  }
  return std::sqrt(sum);
}

// After a sweep of that length: the combination from which the next starts. Bodies take it at once.
void ConeBodySolver::accelerate(double length) {
  const int written = window_.next(), column = window_.open(length), known = window_.known();
  if (column == AndersonWindow::harmed) {
    // Back to what the sweep before made, without acceleration.
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] -= past_[i].g[written].head<3>().matrix().cast<double>();
      past_[i].f_before -= past_[i].f[written];
    }
    for (std::size_t body = 0; body < change_.size(); ++body) change_[body] = body_past_[body].before;
    return;
  }
  if (column >= 0) {
    window_.set_products(column, Eigen::Map<const AndersonWindow::Weights>(products_.data(), known));
    const auto gamma = window_.calc_gamma(Eigen::Map<const AndersonWindow::Weights>(projections_.data(), known));
    for (int j = 0; j < known; ++j) gamma_[j] = static_cast<float>(gamma[j]);
  }
  for (std::size_t body = 0; body < change_.size(); ++body) {
    BodyPast& past = body_past_[body];
    const Change change = change_[body];
    if (column >= 0) {
      past.differences.col(column) = change - past.before;
      for (int j = 0; j < known; ++j) change_[body] -= gamma_[j] * past.differences.col(j);
    }
    past.before = change;
  }
}

ConeStatus ConeBodySolver::solve(const BodyConeProblem& problem, const ConeOptions& options, VecX& r) {
  pose(problem, r);
  window_.clear();
  const double scale = 1 + problem.q.norm(), target = 0.9 * options.tolerance * scale;
  constexpr int most = 300, fewest_between = 5, most_between = 10, patience = 20, few = 60;
  const int limit = options.max_iterations > 0 ? options.max_iterations : most;
  double norm = measure(problem), best_before = norm;
  residual_of_start_ = norm / scale;
  best_ = x_;
  // Measuring is as dear as two sweeps: the length of their steps tells when it is worth while.
  double hope = 0, length = 0;
  for (sweeps_ = 0; norm > target && sweeps_ < limit;) {
    if (sweeps_ > 0) accelerate(length);
    length = sweep();
    ++sweeps_;
    if (sweeps_ == 1) hope = 2 * length * target / norm;
    const bool is_due = sweeps_ % most_between == 0 || sweeps_ == limit;
    if (!is_due && (sweeps_ % fewest_between != 0 || length > hope)) continue;
    sum_impulses(problem);
    const double now = measure(problem);
    hope = now > 0 ? 2 * length * target / now : 0;
    if (now < norm) norm = now, best_ = x_;
    if (sweeps_ % patience == 0) {
      const double gain = best_before / norm;
      const double left = gain > 1 ? patience * std::log(norm / target) / std::log(gain) : most;
      if (gain < 1 / 0.7 && norm > 10 * target && left > few) break;
      best_before = norm;
    }
  }
  for (std::size_t i = 0; i < best_.size(); ++i)
    r.segment<3>(3 * static_cast<Eigen::Index>(i)) = T_[i].cwiseProduct(best_[i]);
  residual_ = norm / scale;
  return residual_ <= options.tolerance ? ConeStatus::solved : ConeStatus::iteration_limit;
}

}  // namespace stiction
