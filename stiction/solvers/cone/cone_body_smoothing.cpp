#include "stiction/solvers/cone/cone_body_smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/solvers/cone/cone_projection.h"

namespace stiction {

void ConeBodySmoothing::pose(const BodyConeProblem& problem) {
  problem_ = &problem;
  const std::size_t n = problem.contacts.size();
  G_.resize(n), T_.resize(n), b_.resize(n), proximal_.resize(n), idle_.resize(n), phi_.resize(n), y_.resize(n);
  B_.resize(n), BG_.resize(n), D_.resize(n), place_.resize(n);
  active_.assign(n, 0), held_.assign(n, 0);
  w_.resize(at(problem.bodies) + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyConeProblem::Contact& contact = problem.contacts[i];
    Mat3 W = Mat3::Zero();
    for (const auto& H : contact.H) W.noalias() += H.transpose().lazyProduct(H);
    const Vec3 T = T_[i] = calc_cone_scale<3>(W, contact.mu, Vec3::Ones());
    for (std::size_t side = 0; side < 2; ++side) G_[i][side] = contact.H[side] * T.asDiagonal();
    b_[i] = T.cwiseProduct(problem.q.segment<3>(3 * static_cast<Eigen::Index>(i)));
    idle_[i] = (T.array() == 0).cast<double>();
    const Vec3 diagonal = T.cwiseProduct(T).cwiseProduct(W.diagonal()) + idle_[i];
    proximal_[i] = (diagonal.array() > 0).select(diagonal, 1.0);
  }
}

ConeBodySmoothing::Vecs ConeBodySmoothing::to_canonical(const VecX& r) const {
  Vecs x(T_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int k = 0; k < 3; ++k) x[i][k] = T_[i][k] != 0 ? r[3 * static_cast<Eigen::Index>(i) + k] / T_[i][k] : 0;
  }
  return x;
}

void ConeBodySmoothing::from_canonical(const Vecs& x, VecX& r) const {
  for (std::size_t i = 0; i < x.size(); ++i) r.segment<3>(3 * static_cast<Eigen::Index>(i)) = T_[i].cwiseProduct(x[i]);
}

/// w = G x
void ConeBodySmoothing::sum_impulses(const Vecs& x) {
  std::fill(w_.begin(), w_.end(), Vec6::Zero());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].isZero(0)) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const int body = problem_->contacts[i].body[side];
      if (body >= 0) w_[at(body)].noalias() += G_[i][side].lazyProduct(x[i]);
    }
  }
}

/// G' w of a contact
Vec3 ConeBodySmoothing::calc_row_velocity(std::size_t i) const {
  Vec3 u = Vec3::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    const int body = problem_->contacts[i].body[side];
    if (body >= 0) u.noalias() += G_[i][side].transpose().lazyProduct(w_[at(body)]);
  }
  return u;
}

void ConeBodySmoothing::calc_velocity(const Vecs& x, Vecs& u) {
  multiply(x, u);
  for (std::size_t i = 0; i < x.size(); ++i) u[i] += b_[i];
}

void ConeBodySmoothing::multiply(const Vecs& dx, Vecs& du) {
  sum_impulses(dx);
  for (std::size_t i = 0; i < dx.size(); ++i) du[i] = calc_row_velocity(i) + idle_[i].cwiseProduct(dx[i]);
}

/// In the units of the problem; u of rows that bear no friction, of which only b is known here, has no part in it.
double ConeBodySmoothing::calc_natural_norm(const Vecs& x, const Vecs& u) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vec3 v = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      if (T_[i][k] != 0) v[k] = u[i][k] / T_[i][k];
    }
    sum += calc_natural_square<3>(problem_->contacts[i].mu, T_[i].cwiseProduct(x[i]), v);
  }
  return std::isnan(sum) ? std::numeric_limits<double>::infinity() : std::sqrt(sum);
}

void ConeBodySmoothing::update_map(const Vecs& x, const Vecs& u, double e) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    phi_[i] = calc_smoothed_map<3>(x[i], u[i], e);
    const ConeSlope<3> slope = calc_smoothed_slope<3>(x[i], u[i], e);
    B_[i] = slope.B;
    BG_[i] = slope.BG;
    active_[i] = slope.is_active();
  }
}

double ConeBodySmoothing::estimate_cost(const Vecs& x) {
  for (std::size_t i = 0; i < x.size(); ++i) active_[i] = x[i][0] > 0;
  choose_pattern();
  return factor_.cost();
}

// The pattern may hold a few contacts more than are active, so that its analysis lasts.
void ConeBodySmoothing::choose_pattern() {
  const auto held = std::count(held_.begin(), held_.end(), 1), needed = std::count(active_.begin(), active_.end(), 1);
  bool is_covered = held > 0;
  for (std::size_t i = 0; i < held_.size(); ++i) is_covered = is_covered && (!active_[i] || held_[i]);
  if (is_covered && static_cast<double>(needed) >= 0.7 * static_cast<double>(held)) return;
  held_ = active_;
  make_pattern();
}

void ConeBodySmoothing::make_pattern() {
  pairs_.clear();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i]) continue;
    const auto [a, b] = problem_->contacts[i].body;
    if (a >= 0) pairs_.emplace_back(a, a);
    if (b >= 0) pairs_.emplace_back(b, b);
    if (a >= 0 && b >= 0) pairs_.emplace_back(a, b), pairs_.emplace_back(b, a);
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  index_.assign(at(problem_->bodies), -1);
  int count = 0;
  for (const auto& [row, column] : pairs_) {
    if (row == column) index_[at(row)] = count++;
  }
  start_.assign(1, 0);
  columns_.clear(), diagonal_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto [row, column] = pairs_[k];
    if (row == column) diagonal_.push_back(static_cast<int>(k));
    columns_.push_back(index_[at(column)]);
    if (k + 1 == pairs_.size() || pairs_[k + 1].first != row) start_.push_back(static_cast<int>(k) + 1);
  }
  const auto find = [&](int row, int column) {
    if (row < 0 || column < 0) return -1;
    return static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{row, column}) - pairs_.begin());
  };
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const auto [a, b] = problem_->contacts[i].body;
    if (held_[i]) place_[i] = {find(a, a), find(a, b), find(b, a), find(b, b)};
  }
  factor_.analyze(count, start_, columns_);
  blocks_.resize(columns_.size());
  right_side_.resize(at(count));
}

/// I + G D G'
void ConeBodySmoothing::assemble() {
  std::fill(blocks_.begin(), blocks_.end(), Mat6::Zero());
  for (const int k : diagonal_) blocks_[at(k)].setIdentity();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!active_[i]) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      if (problem_->contacts[i].body[side] < 0) continue;
      const Rows GD = G_[i][side].lazyProduct(D_[i]);
      for (std::size_t other = 0; other < 2; ++other) {
        const int place = place_[i][2 * side + other];
        if (place >= 0) blocks_[at(place)].noalias() += GD.lazyProduct(G_[i][other].transpose());
      }
    }
  }
}

bool ConeBodySmoothing::solve_step(double alpha, Vecs& dx) {
  // (1)
  for (std::size_t i = 0; i < phi_.size(); ++i) {
    if (!active_[i]) {
      y_[i] = -phi_[i];
      continue;
    }
    const Mat3 C = Mat3::Identity() - B_[i] + BG_[i] * (alpha * proximal_[i] + idle_[i]).asDiagonal();
    const Mat3 inverse = C.inverse();
    D_[i].noalias() = inverse.lazyProduct(BG_[i]);
    y_[i].noalias() = -inverse.lazyProduct(phi_[i]);
  }
  choose_pattern();
  assemble();
  // (2); bodies without a contact that is held move by what those that take off leave.
  sum_impulses(y_);
  for (std::size_t body = 0; body < index_.size(); ++body) {
    if (index_[body] >= 0) right_side_[at(index_[body])] = w_[body];
  }
  if (!factor_.factorize(blocks_)) return false;
  factor_.solve(right_side_);
  for (std::size_t body = 0; body < index_.size(); ++body) {
    if (index_[body] >= 0) w_[body] = right_side_[at(index_[body])];
  }
  double sum = 0;
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = y_[i];
    if (active_[i]) dx[i].noalias() -= D_[i].lazyProduct(calc_row_velocity(i));
    sum += dx[i].squaredNorm();
  }
  return std::isfinite(sum);
}

}  // namespace stiction
