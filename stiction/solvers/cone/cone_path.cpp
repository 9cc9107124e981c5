#include "stiction/solvers/cone/cone_path.h"

#include <algorithm>

#include "stiction/solvers/cone/cone_dimension.h"

namespace stiction {
namespace {

// Norm over the contacts of |b_t| + |b_0| / A_00: about the size of x, also where friction is strong and A_00 small.
template <int D>
double calc_data_size(const ConeCanonical<D>& cone) {
  double sum = 0;
  for (int i = 0; i < cone.count; ++i) {
    const double normal = cone.A[cone.diagonal[i]](0, 0);
    const double size = cone.b[i].template tail<D - 1>().norm() + std::abs(cone.b[i][0]) / (normal > 0 ? normal : 1);
    sum += size * size;
  }
  return std::sqrt(sum);
}

template <int D>
class PathFollower {
 public:
  using Cone = ConeCanonical<D>;
  using Vecs = typename Cone::Vecs;

  PathFollower(const Cone& cone, const ConePath& path, const Vecs& x)
      : cone_(cone),
        path_(path),
        map_(cone),
        x_(path.cold ? Vecs(x.size(), Cone::Vec::Zero()) : x),
        u_(x),
        dx_(x),
        du_(x),
        trial_x_(x),
        trial_u_(x),
        best_(x) {
    calc_velocity(cone_, x_, u_);
    root_ = std::sqrt(static_cast<double>(cone.count));
    e_ = path.start * (path.cold ? calc_data_size(cone) : map_.calc_norm(x_, u_, 0)) / root_;
    reduction_ = path.reduction;
    alpha_ = path.alpha;
    best_norm_ = calc_natural_norm(cone_, x_, u_);
  }

  ConePathResult run(double target) {
    ConePathResult result;
    int since_best = 0;
    for (; result.steps < path_.steps && best_norm_ > target && !result.stalled; ++result.steps) {
      step();
      const double norm = calc_natural_norm(cone_, x_, u_);
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
    calc_velocity(cone_, x_, u_);
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
    if (path_.strict) return map_.calc_strict_norm(x_, u_, e_) < path_.closeness;
    return map_.calc_norm(x_, u_, e_) < path_.closeness * e_ * root_;
  }

  void adapt(double length) {
    if (steps_here_ == 0 && length == 1) reduction_ = std::max(0.02, 0.5 * reduction_);
    if (steps_here_ > 2) reduction_ = std::min(0.5, 2 * reduction_);
  }

  // Leaves the accepted point in trial_x_ and returns the length of the step.
  double search() {
    const double before = map_.calc_norm(x_, u_, e_);
    // du = (A + alpha N) dx: the velocity along the step, proximal term included.
    for (int i = 0; i < cone_.count; ++i) {
      typename Cone::Vec sum = alpha_ * map_.proximal(i).cwiseProduct(dx_[i]);
      for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) sum += cone_.A[k] * dx_[cone_.column[k]];
      du_[i] = sum;
    }
    double length = 1;
    for (int halving = 0;; ++halving, length *= 0.5) {
      for (int i = 0; i < cone_.count; ++i) {
        trial_x_[i] = x_[i] + length * dx_[i];
        trial_u_[i] = u_[i] + length * du_[i];
      }
      if (halving == 15 || map_.calc_norm(trial_x_, trial_u_, e_) <= (1 - 1e-4 * length) * before) return length;
    }
  }

  const Cone& cone_;
  const ConePath& path_;
  ConeSmoothing<D> map_;
  Vecs x_, u_, dx_, du_, trial_x_, trial_u_, best_;
  double root_ = 1, e_ = 0, alpha_ = 0, reduction_ = 0, best_norm_ = 0;
  int steps_here_ = 0;  ///< with the present e
  int lost_ = 0;        ///< steps in a row that went nowhere
};

template <int D>
ConeResult solve(const ConeProblem& problem, const ConeOptions& options, const ConePath& path) {
  const ConeCanonical<D> cone = make_canonical<D>(problem);
  auto x = to_canonical(cone, options.start);
  const ConePathResult end = follow_path(cone, path, 0.9 * options.tolerance * (1 + problem.q.norm()), x);
  ConeResult result = make_cone_result(problem, from_canonical(cone, x), options.tolerance, end.stalled);
  result.iterations = end.steps;
  return result;
}

}  // namespace

template <int D>
ConePathResult follow_path(const ConeCanonical<D>& cone, const ConePath& path, double target,
                           typename ConeCanonical<D>::Vecs& x) {
  PathFollower<D> follower(cone, path, x);
  const ConePathResult result = follower.run(target);
  x = follower.best();
  return result;
}

template ConePathResult follow_path<2>(const ConeCanonical<2>&, const ConePath&, double, ConeCanonical<2>::Vecs&);
template ConePathResult follow_path<3>(const ConeCanonical<3>&, const ConePath&, double, ConeCanonical<3>::Vecs&);
template ConePathResult follow_path<4>(const ConeCanonical<4>&, const ConePath&, double, ConeCanonical<4>::Vecs&);

ConeResult solve_cone_by_path(const ConeProblem& problem, const ConeOptions& options, ConePath path) {
  if (options.iterations > 0) path.steps = options.iterations;
  if (options.start.size() > 0) path.cold = false;
  return with_dimension(problem.dimension(), [&]<int D>() { return solve<D>(problem, options, path); });
}

}  // namespace stiction
