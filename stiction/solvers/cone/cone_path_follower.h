#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/solvers/cone/cone_path.h"

namespace stiction {

/// Norm over the contacts of |b_t| + |b_0| / A_00: about the size of x, also where friction is strong and A_00 small.
template <class Map>
double calc_data_size(const Map& map) {
  double sum = 0;
  for (int i = 0; i < map.count(); ++i) {
    const auto& b = map.offset(i);
    const double size = b.tail(b.size() - 1).norm() + std::abs(b[0]) / map.proximal(i)[0];
    sum += size * size;
  }
  return std::sqrt(sum);
}

/// Follows a path by steps (2) of cone_smoothing.h. Map: ConeSmoothing, or what has the same functions.
template <class Map, int D>
class PathFollower {
 public:
  using Vecs = typename ConeCanonical<D>::Vecs;
  using Vec = typename ConeCanonical<D>::Vec;

  PathFollower(Map& map, const ConePath& path, const Vecs& x)
      : map_(map),
        path_(path),
        x_(path.cold ? Vecs(x.size(), Vec::Zero()) : x),
        u_(x),
        dx_(x),
        du_(x),
        trial_x_(x),
        trial_u_(x),
        best_(x) {
    map_.calc_velocity(x_, u_);
    root_ = std::sqrt(static_cast<double>(map.count()));
    e_ = path.start * (path.cold ? calc_data_size(map) : calc_smoothed_norm<D>(x_, u_, 0)) / root_;
    reduction_ = path.reduction;
    alpha_ = path.alpha;
    best_norm_ = map_.calc_natural_norm(x_, u_);
  }

  ConePathResult run(double target) {
    ConePathResult result;
    int since_best = 0;
    for (; result.steps < path_.steps && best_norm_ > target && !result.stalled; ++result.steps) {
      step();
      const double norm = map_.calc_natural_norm(x_, u_);
      since_best = norm < 0.99 * best_norm_ ? 0 : since_best + 1;
      if (norm < best_norm_) {
        best_norm_ = norm;
        best_ = x_;
      }
      result.stalled = since_best > path_.patience;
    }
    result.norm = best_norm_;
    return result;
  }
  const Vecs& best() const { return best_; }

 private:
  void step() {
    map_.update_map(x_, u_, e_);
    if (!map_.solve_step(alpha_, dx_)) {
      alpha_ = std::max(10 * alpha_, 1e-8);
      return;
    }
    const double length = search();
    x_.swap(trial_x_);
    map_.calc_velocity(x_, u_);
    // Where the path was reached, go on along it.
    if (is_close()) {
      if (path_.adaptive) adapt(length);
      e_ *= reduction_;
      lost_ = 0;
      steps_here_ = 0;
    } else {
      ++steps_here_;
    }
    if (length == 1) {
      alpha_ = std::max(path_.alpha_least, 0.3 * alpha_);
    } else {
      alpha_ = std::min(path_.alpha_most, (length < 0.5 ? 2 : 1.2) * alpha_);
    }
    if (length < 1e-3 && ++lost_ >= 5) {
      e_ *= 3;
      lost_ = 0;
    }
  }

  bool is_close() const {
    if (path_.strict) return calc_strict_norm<D>(x_, u_, e_) < path_.closeness;
    return calc_smoothed_norm<D>(x_, u_, e_) < path_.closeness * e_ * root_;
  }

  void adapt(double length) {
    if (steps_here_ == 0 && length == 1) reduction_ = std::max(0.02, 0.5 * reduction_);
    if (steps_here_ > 2) reduction_ = std::min(0.5, 2 * reduction_);
  }

  // Leaves the accepted point in trial_x_ and returns the length of the step.
  double search() {
    const double before = calc_smoothed_norm<D>(x_, u_, e_);
    // du = (A + alpha N) dx: the velocity along the step, proximal term included.
    map_.multiply(dx_, du_);
    for (int i = 0; i < map_.count(); ++i) du_[i] += alpha_ * map_.proximal(i).cwiseProduct(dx_[i]);
    double length = 1;
    for (int halving = 0;; ++halving, length *= 0.5) {
      for (int i = 0; i < map_.count(); ++i) {
        trial_x_[i] = x_[i] + length * dx_[i];
        trial_u_[i] = u_[i] + length * du_[i];
      }
      if (halving == 15 || calc_smoothed_norm<D>(trial_x_, trial_u_, e_) <= (1 - 1e-4 * length) * before) return length;
    }
  }

  Map& map_;
  const ConePath& path_;
  Vecs x_, u_, dx_, du_, trial_x_, trial_u_, best_;
  double root_ = 1, e_ = 0, alpha_ = 0, reduction_ = 0, best_norm_ = 0;
  int steps_here_ = 0;  ///< with the present e
  int lost_ = 0;        ///< steps in a row that went nowhere
};

}  // namespace stiction
