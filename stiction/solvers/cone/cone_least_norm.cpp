#include "stiction/solvers/cone/cone_least_norm.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"

namespace stiction {
namespace {

constexpr double rank_tolerance = 1e-13, column_tolerance = 1e-12;
/// Of the impulses: what (2) is solved to, if rounding allows, and what is good enough.
constexpr double balance_aim = 1e-14, balance_tolerance = 1e-13;
constexpr int most_newton_steps = 60;
/// Normal impulses below this part of the largest are none.
constexpr double unloaded_part = 1e-9;
constexpr double widest_part = 1e6;

/// Onto |x_t| <= slope x_n, in place.
void project_on_slope(double slope, Eigen::Ref<VecX> x) {
  const auto tail = x.tail(x.size() - 1);
  const double t = tail.norm();
  if (t <= slope * x[0]) return;
  if (slope * t <= -x[0]) {
    x.setZero();
    return;
  }
  const double normal = (x[0] + slope * t) / (1 + slope * slope);
  x.tail(x.size() - 1) *= slope * normal / t;
  x[0] = normal;
}

/// The derivative of that at z, a symmetric matrix.
Eigen::Matrix4d calc_slope_derivative(double slope, const Eigen::Ref<const VecX>& z) {
  const Eigen::Index n = z.size();
  Eigen::Matrix4d V = Eigen::Matrix4d::Identity();
  const double t = z.tail(n - 1).norm();
  if (t <= slope * z[0]) return V;
  V.setZero();
  if (slope * t <= -z[0]) return V;
  // x = a (1, slope d), a = (z_n + slope t) / (1 + slope^2), d = z_t / t
  const double square = 1 + slope * slope, a = (z[0] + slope * t) / square;
  Eigen::Vector4d along = Eigen::Vector4d::Zero();
  along[0] = 1;
  along.segment(1, n - 1) = slope / t * z.tail(n - 1);
  V = along * along.transpose() / square;
  const double turn = slope * a / t;
  for (Eigen::Index i = 1; i < n; ++i) {
    V(i, i) += turn;
    for (Eigen::Index j = 1; j < n; ++j) V(i, j) -= turn * z[i] * z[j] / (t * t);
  }
  return V;
}

/// The largest s >= 0 for which x + s d stays in |x_t| <= slope x_n, x in it.
double calc_room_in_cone(double slope, const Eigen::Ref<const VecX>& x, const Eigen::Ref<const VecX>& d) {
  const Eigen::Index m = x.size() - 1;
  const double k = slope * slope;
  // a s^2 + 2 b s + c >= 0 with c >= 0
  const double a = k * d[0] * d[0] - d.tail(m).squaredNorm(), b = k * x[0] * d[0] - x.tail(m).dot(d.tail(m));
  const double c = std::max(0.0, k * x[0] * x[0] - x.tail(m).squaredNorm());
  double room = d[0] < 0 ? -x[0] / d[0] : INFINITY;
  const double root = b * b - a * c;
  if (a < 0) {
    room = std::min(room, (b + std::sqrt(std::max(0.0, root))) / -a);
  } else if (b < 0 && root >= 0) {
    room = std::min(room, c / (-b + std::sqrt(root)));
  }
  return room;
}

}  // namespace

/// rho times the direction, of length 1 in the norm of C.
ConeLeastNorm::Set ConeLeastNorm::make_ray(const Small& direction, const Small& axes) {
  double square = direction[0] * direction[0];
  for (Eigen::Index k = 1; k < direction.size(); ++k)
    square += direction[k] != 0 ? std::pow(direction[k] / axes[k - 1], 2) : 0;
  Set set;
  set.size = 1;
  set.B = direction / std::sqrt(square);
  return set;
}

/// Normal, and the tangents that bear friction.
ConeLeastNorm::Set ConeLeastNorm::make_cone(double mu, const Small& axes) {
  Set set;
  set.slope = mu;
  set.size = 1 + static_cast<int>((axes.array() > 0).count());
  set.B.setZero(axes.size() + 1, set.size);
  set.B(0, 0) = 1;
  for (int k = 0, column = 1; k < axes.size(); ++k) {
    if (axes[k] > 0) set.B(k + 1, column++) = axes[k];
  }
  return set;
}

/// F of each contact, and x of r.
void ConeLeastNorm::find_sets(const ConeProblem& problem, const std::vector<int>& contacts,
                              const std::vector<char>& is_held, const VecX& u, double still, const VecX& r) {
  const int d = problem.dimension();
  double largest = 0;
  for (const int i : contacts) largest = std::max(largest, r[d * i]);
  sets_.clear();
  Small axes = Small::Ones(d - 1), ray(d);
  int size = 0;
  for (const int i : contacts) {
    const auto r_i = r.segment(d * i, d), u_i = u.segment(d * i, d);
    if (is_held[at(i)] || u_i[0] > still) continue;
    if (problem.ellipsoid.size() > 0) axes = problem.ellipsoid.row(i).transpose();
    const double mu = problem.mu[i], slip = axes.cwiseProduct(u_i.tail(d - 1)).norm();
    const bool has_friction = mu > 0 && axes.maxCoeff() > 0;
    if (has_friction && slip <= still) {
      sets_.push_back(make_cone(mu, axes));
    } else {
      ray = Small::Unit(d, 0);
      if (has_friction && r_i[0] > unloaded_part * largest) {
        ray = r_i / r_i[0];
      } else if (has_friction) {
        ray.tail(d - 1) = -mu / slip * axes.cwiseAbs2().cwiseProduct(u_i.tail(d - 1));
      }
      sets_.push_back(make_ray(ray, axes));
    }
    sets_.back().contact = i;
    sets_.back().start = size;
    size += sets_.back().size;
  }
  known_.resize(size);
  for (const Set& set : sets_) {
    for (int k = 0; k < set.size; ++k)
      known_[set.start + k] = set.B.col(k).dot(r.segment(d * set.contact, d)) / set.B.col(k).squaredNorm();
  }
}

/// G = B' times the motions, its columns of length 1.
void ConeLeastNorm::fill_rows(const std::vector<ImpulseMotion>& motions, int d) {
  columns_ = 0;
  ranges_.clear();
  std::fill(column_of_v_.begin(), column_of_v_.end(), -1);
  std::size_t used = 0;
  for (const Set& set : sets_) {
    for (const ImpulseMotion::Part& part : motions[at(set.contact)].parts) {
      if (part.first + part.size > static_cast<int>(column_of_v_.size()))
        column_of_v_.resize(at(part.first + part.size), -1);
      used += at(set.size * part.size);
    }
  }
  pool_.resize(used);
  used = 0;
  for (Set& set : sets_) {
    for (std::size_t p = 0; p < 2; ++p) {
      const ImpulseMotion::Part& part = motions[at(set.contact)].parts[p];
      set.parts[p] = {0, part.size, static_cast<int>(used)};
      if (part.size == 0) continue;
      int& column = column_of_v_[at(part.first)];
      if (column < 0) {
        column = columns_;
        columns_ += part.size;
        ranges_.emplace_back(column, part.size);
      }
      set.parts[p].column = column;
      used += at(set.size * part.size);
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> moved(part.rows, d,
                                                                                                           part.size);
      rows(set, p).noalias() = set.B.transpose().lazyProduct(moved);
      for (int k = 0; k < part.size; ++k) {
        const double inverse = part.inverse_mass[k * (part.size + 1)];
        rows(set, p).col(k) *= inverse > 0 ? 1 / std::sqrt(inverse) : 0;
      }
    }
  }
  scale_.setZero(columns_);
  for (const Set& set : sets_) {
    for (std::size_t p = 0; p < 2; ++p)
      scale_.segment(set.parts[p].column, set.parts[p].size) += rows(set, p).colwise().squaredNorm().transpose();
  }
  // 1 / length; 0 for what is rounding.
  for (const auto& [column, size] : ranges_) {
    auto scale = scale_.segment(column, size);
    const double least = column_tolerance * column_tolerance * scale.maxCoeff();
    for (double& value : scale) value = value > least ? 1 / std::sqrt(value) : 0;
  }
  for (const Set& set : sets_) {
    for (std::size_t p = 0; p < 2; ++p)
      rows(set, p).array().rowwise() *= scale_.segment(set.parts[p].column, set.parts[p].size).transpose().array();
  }
}

/// z = G y
void ConeLeastNorm::expand(const VecX& y, VecX& z) {
  z.setZero(known_.size());
  for (const Set& set : sets_) {
    for (std::size_t p = 0; p < 2; ++p)
      z.segment(set.start, set.size) += rows(set, p).lazyProduct(y.segment(set.parts[p].column, set.parts[p].size));
  }
}

/// G'x
void ConeLeastNorm::collect(const VecX& x, VecX& sum) {
  sum.setZero(columns_);
  for (const Set& set : sets_) {
    for (std::size_t p = 0; p < 2; ++p)
      sum.segment(set.parts[p].column, set.parts[p].size) +=
          rows(set, p).transpose().lazyProduct(x.segment(set.start, set.size));
  }
}

/// x = P_F(z); returns |x|^2 / 2.
double ConeLeastNorm::project(const VecX& z, VecX& x) const {
  x = z;
  for (const Set& set : sets_) {
    if (set.size == 1) {
      x[set.start] = std::max(0.0, x[set.start]);
    } else {
      project_on_slope(set.slope, x.segment(set.start, set.size));
    }
  }
  return 0.5 * x.squaredNorm();
}

void ConeLeastNorm::calc_hessian(const VecX& z, MatX& hessian) {
  hessian.setZero(columns_, columns_);
  Eigen::Matrix4d V = Eigen::Matrix4d::Identity();
  Eigen::Matrix<double, 4, Eigen::Dynamic> VG;
  for (const Set& set : sets_) {
    if (z.size() > 0 && set.size == 1) V(0, 0) = z[set.start] > 0 ? 1 : 0;
    if (z.size() > 0 && set.size > 1) V = calc_slope_derivative(set.slope, z.segment(set.start, set.size));
    for (std::size_t q = 0; q < 2; ++q) {
      const SetPart& column = set.parts[q];
      if (column.size == 0) continue;
      VG.resize(4, column.size);
      VG.topRows(set.size).noalias() = V.topLeftCorner(set.size, set.size).lazyProduct(rows(set, q));
      for (std::size_t p = 0; p < 2; ++p) {
        // The lower triangle is read.
        const SetPart& row = set.parts[p];
        if (row.size == 0 || row.column < column.column) continue;
        hessian.block(row.column, column.column, row.size, column.size).noalias() +=
            rows(set, p).transpose().lazyProduct(VG.topRows(set.size));
      }
    }
  }
}

/// (2), from the y that solves it without cones: gram_ = G'G is factorised.
bool ConeLeastNorm::solve() {
  const double scale = known_.norm();
  collect(known_, target_);
  y_ = target_;
  factor_.solve_in_place(y_);
  expand(y_, z_);
  double value = project(z_, x_) - y_.dot(target_);
  collect(x_, g_);
  g_ -= target_;
  double norm = g_.norm();
  for (int k = 0; k < most_newton_steps && norm > balance_aim * scale; ++k) {
    step_ = -g_;
    if (x_ == z_) {
      factor_.solve_in_place(step_);
    } else {
      // Where V is singular, y may go far: not much farther than to where cones are reached.
      calc_hessian(z_, hessian_);
      hessian_.diagonal().array() += 0.1 * norm / scale + 1e-14;
      newton_.factorize(hessian_, 0);
      newton_.solve_in_place(step_);
    }
    const double slope = g_.dot(step_);
    bool is_better = false;
    const double shortest = norm > balance_tolerance * scale ? 1e-8 : 0.5;
    for (double part = 1; part > shortest && !is_better; part *= 0.5) {
      trial_ = y_ + part * step_;
      expand(trial_, z_);
      const double trial_value = project(z_, x_) - trial_.dot(target_);
      collect(x_, trial_g_);
      trial_g_ -= target_;
      // Where the value is down to rounding, its gradient tells.
      is_better = trial_value <= value + 1e-4 * part * slope || trial_g_.norm() < 0.5 * norm;
      if (is_better) value = trial_value;
    }
    if (!is_better) break;
    y_.swap(trial_);
    g_.swap(trial_g_);
    norm = g_.norm();
  }
  expand(y_, z_);
  project(z_, x_);
  return norm <= balance_tolerance * scale;
}

/// Only contacts with an impulse are left in sets_ and x_.
void ConeLeastNorm::drop_unloaded() {
  double largest = 0;
  for (const Set& set : sets_) largest = std::max(largest, x_[set.start]);
  int size = 0;
  std::size_t kept = 0;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    Set set = sets_[s];
    if (!(x_[set.start] > unloaded_part * largest)) continue;
    for (int k = 0; k < set.size; ++k) x_[size + k] = x_[set.start + k];
    set.start = size;
    size += set.size;
    sets_[kept++] = set;
  }
  sets_.resize(kept);
  x_.conservativeResize(size);
  known_.conservativeResize(size);
}

/// How far x may go along sign times the direction.
double ConeLeastNorm::calc_room(const VecX& direction, double sign) const {
  double room = INFINITY;
  for (const Set& set : sets_) {
    const auto d = direction.segment(set.start, set.size), x = x_.segment(set.start, set.size);
    if (set.size == 1) {
      if (sign * d[0] < 0) room = std::min(room, x[0] / -(sign * d[0]));
    } else {
      room = std::min(room, calc_room_in_cone(set.slope, x, sign * d));
    }
  }
  return room;
}

/// Of the largest normal impulse: how far it may be changed along its projection on the impulses that move nothing.
double ConeLeastNorm::calc_spread() {
  constexpr double nothing = 1e-12;
  int most = 0;
  for (const Set& set : sets_) {
    if (x_[set.start] > x_[most]) most = set.start;
  }
  // e - G (G'G)^-1 G'e
  z_.setZero(x_.size());
  z_[most] = 1;
  collect(z_, step_);
  factor_.solve_in_place(step_);
  expand(step_, direction_);
  direction_ = z_ - direction_;
  const double own = direction_[most];
  if (own < nothing) return 0;
  const double room = std::max(calc_room(direction_, 1), calc_room(direction_, -1));
  return std::min(widest_part, own * room / x_[most]);
}

ConeLeastNorm::Result ConeLeastNorm::apply(const ConeProblem& problem, const std::vector<int>& contacts,
                                           const std::vector<char>& is_held, const std::vector<ImpulseMotion>& motions,
                                           const VecX& u, double still, VecX& r) {
  const int d = problem.dimension();
  Result result;
  find_sets(problem, contacts, is_held, u, still, r);
  if (sets_.empty() || known_.isZero(0)) return result;
  const auto calc_rank = [&] {
    calc_hessian({}, gram_);
    return factor_.factorize(gram_, rank_tolerance);
  };
  fill_rows(motions, d);
  int rank = calc_rank();
  if (rank == known_.size()) return result;
  result.is_found = solve();
  if (result.is_found) {
    result.has_changed = true;
    for (const Set& set : sets_) r.segment(d * set.contact, d) = set.B * x_.segment(set.start, set.size);
  } else {
    x_ = known_;
  }
  const std::size_t count = sets_.size();
  drop_unloaded();
  if (sets_.empty()) return result;
  if (sets_.size() < count) rank = calc_rank();
  result.undetermined = static_cast<int>(x_.size()) - rank;
  if (result.undetermined > 0) result.part = calc_spread();
  return result;
}

}  // namespace stiction
