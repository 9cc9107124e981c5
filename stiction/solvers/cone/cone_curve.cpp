#include "stiction/solvers/cone/cone_curve.h"

#include <algorithm>

#include "stiction/math/dense_lu.h"
#include "stiction/solvers/cone/cone_newton.h"
#include "stiction/solvers/cone/cone_smooth_projection.h"

namespace stiction {
namespace {

constexpr double closeness = 1e-6;  // of F to e
constexpr int most_corrections = 7;

template <int D>
double calc_size(const ConeCanonical<D>& cone) {
  double sum = 0;
  for (const auto& b : cone.b) sum += b.squaredNorm();
  return std::sqrt(sum / std::max(cone.count, 1));
}

// F of the header with its derivatives, and the curve F = 0.
template <int D>
class Curve {
 public:
  using Cone = ConeCanonical<D>;
  using Vec = typename Cone::Vec;
  using Mat = typename Cone::Mat;
  using Vecs = typename Cone::Vecs;

  Curve(const Cone& cone, double middle, double e)
      : cone_(cone), count_(cone.count), middle_(middle), lambda_(std::log(e)), x_(cone.count, Vec::Zero()), u_(x_) {
    F_ = rate_ = tangent_ = VecX::Zero(D * count_);
    K_.resize(D * count_, D * count_);
  }

  const Vecs& x() const { return x_; }
  double lambda() const { return lambda_; }
  int steps() const { return steps_; }

  // To the curve at the first e, by Newton steps cut in halves; then the tangent there, towards smaller e.
  bool start() {
    constexpr int most_steps = 100, most_halvings = 12;
    double norm = evaluate();
    for (int k = 0; k < most_steps && !is_close(norm); ++k) {
      if (!factorize()) return false;
      const VecX dx = lu_.solve(VecX(-F_));
      const Vecs from = x_;
      double length = 1, after = INFINITY;
      for (int halving = 0; halving < most_halvings && !(after < norm); ++halving, length *= 0.5) {
        x_ = from;
        add(length * dx);
        after = evaluate();
      }
      if (!(after < norm)) return false;
      norm = after;
    }
    tangent_.setZero();
    tangent_lambda_ = -1;
    return is_close(norm) && update_tangent(-1);
  }

  // A step of arc length h: the number of corrections, -1 if it failed and nothing changed.
  int advance(double h) {
    const Vecs x_from = x_;
    const double lambda_from = lambda_;
    const int corrections = correct(h);
    // The tangent may turn by acos(0.8).
    if (corrections >= 0 && update_tangent(0.8)) return corrections;
    x_ = x_from;
    lambda_ = lambda_from;
    return -1;
  }

 private:
  bool is_close(double norm) const { return norm <= closeness * std::exp(lambda_) * std::sqrt(count_); }

  void add(const VecX& dx) {
    for (int i = 0; i < count_; ++i) x_[i] += dx.segment<D>(D * i);
  }

  // F, dF/d ln e, and B G and I - B of dF/dx = I - B + B G A. Returns ||F||.
  double evaluate() {
    const double e = std::exp(lambda_), theta = 1 / (1 + e / middle_);
    calc_velocity(cone_, x_, u_);
    B_.resize(count_);
    BG_.resize(count_);
    for (int i = 0; i < count_; ++i) {
      const auto u_t = u_[i].template tail<D - 1>();
      const double slip = std::sqrt(u_t.squaredNorm() + e * e);
      Vec z = x_[i] - u_[i];
      z[0] -= theta * slip;
      F_.segment<D>(D * i) = x_[i] - calc_smooth_projection<D>(z, e);
      B_[i] = calc_smooth_projection_slope<D>(z, e);
      // G = I + theta e_0 [0, u_t' / slip]
      BG_[i] = B_[i];
      BG_[i].template rightCols<D - 1>() += B_[i].col(0) * (theta / slip * u_t).transpose();
      // dy_0 / d ln e
      const double change = theta * e * e / slip - theta * (1 - theta) * slip;
      rate_.segment<D>(D * i) = B_[i].col(0) * change - calc_smooth_projection_rate<D>(z, e);
    }
    return F_.norm();
  }

  bool factorize() {
    K_.setZero();
    for (int i = 0; i < count_; ++i) {
      for (int k = cone_.row_start[i]; k < cone_.row_start[i + 1]; ++k) {
        K_.template block<D, D>(D * i, D * cone_.column[k]) = BG_[i] * cone_.A[k];
      }
      K_.template block<D, D>(D * i, D * i) += Mat::Identity() - B_[i];
    }
    if (!K_.allFinite()) return false;
    lu_.compute(K_);
    ++steps_;
    return true;
  }

  // Unit tangent at the present point, on the side of the last one; false if it is further than that from it.
  bool update_tangent(double least_cosine) {
    evaluate();
    if (!factorize()) return false;
    const VecX dx = lu_.solve(VecX(-rate_));
    double squares = 0;
    for (const Vec& x : x_) squares += x.squaredNorm();
    weight_ = 1 / (squares + count_ * std::exp(2 * lambda_));
    const double along = weight_ * dx.dot(tangent_) + tangent_lambda_;
    const double size = std::copysign(std::sqrt(weight_ * dx.squaredNorm() + 1), along);
    const double last = std::sqrt(weight_ * tangent_.squaredNorm() + tangent_lambda_ * tangent_lambda_);
    if (!(along / (size * last) >= least_cosine)) return false;
    tangent_ = dx / size;
    tangent_lambda_ = 1 / size;
    return true;
  }

  int correct(double h) {
    add(h * tangent_);
    lambda_ += h * tangent_lambda_;
    // Distance moved along the tangent since the prediction; kept at 0.
    VecX moved = VecX::Zero(D * count_);
    double moved_lambda = 0, norm = evaluate();
    for (int k = 0; k <= most_corrections; ++k) {
      if (is_close(norm)) return k;
      if (k == most_corrections || !factorize()) return -1;
      const VecX a = lu_.solve(VecX(-F_)), b = lu_.solve(VecX(-rate_));
      const double across = tangent_lambda_ * moved_lambda + weight_ * tangent_.dot(moved + a);
      const double change = -across / (tangent_lambda_ + weight_ * tangent_.dot(b));
      if (!(std::abs(change) <= 3 * h + 1)) return -1;
      const VecX dx = a + change * b;
      add(dx);
      moved += dx;
      lambda_ += change;
      moved_lambda += change;
      const double before = norm;
      norm = evaluate();
      if (!(norm < 0.5 * before)) return -1;
    }
    return -1;
  }

  const Cone& cone_;
  const int count_;
  const double middle_;  ///< e_1
  double lambda_ = 0;    ///< ln e
  Vecs x_, u_;
  VecX F_, rate_, tangent_;
  std::vector<Mat> B_, BG_;
  MatX K_;
  DenseLu lu_;
  double tangent_lambda_ = -1;
  double weight_ = 1;  ///< of x in the arc length
  int steps_ = 0;
};

}  // namespace

template <int D>
ConePathResult follow_curve(const ConeCanonical<D>& cone, const ConeCurve& way, double target,
                            typename ConeCanonical<D>::Vecs& x) {
  constexpr double first = 1000, least_h = 1e-9;
  ConePathResult result;
  auto u = x;
  calc_velocity(cone, x, u);
  result.norm = calc_natural_norm(cone, x, u);
  const auto take = [&](const typename ConeCanonical<D>::Vecs& trial) {
    calc_velocity(cone, trial, u);
    const double norm = calc_natural_norm(cone, trial, u);
    if (!(norm < result.norm)) return;
    result.norm = norm;
    x = trial;
  };
  const double size = calc_size(cone);
  Curve<D> curve(cone, way.middle * size, first * std::max(way.middle, 1.0) * size);
  ConePath end = make_warm_newton_path();
  end.start = 0.1;
  end.steps = 15;
  double h = 0.3, tried = INFINITY;
  result.stalled = !(size > 0) || !curve.start();
  while (!result.stalled && result.norm > target && curve.steps() < way.steps) {
    const int corrections = curve.advance(h);
    if (corrections < 0) {
      h *= 0.4;
      result.stalled = h < least_h;
      continue;
    }
    if (corrections < 5) h = std::min(1.5 * h, 1.0);
    if (corrections > 5) h *= 0.7;
    take(curve.x());
    if (curve.lambda() > tried - std::log(10)) continue;
    tried = curve.lambda();
    auto trial = curve.x();
    result.steps += follow_path(cone, end, target, trial).steps;
    take(trial);
  }
  result.steps += curve.steps();
  return result;
}

template ConePathResult follow_curve<2>(const ConeCanonical<2>&, const ConeCurve&, double, ConeCanonical<2>::Vecs&);
template ConePathResult follow_curve<3>(const ConeCanonical<3>&, const ConeCurve&, double, ConeCanonical<3>::Vecs&);
template ConePathResult follow_curve<4>(const ConeCanonical<4>&, const ConeCurve&, double, ConeCanonical<4>::Vecs&);

}  // namespace stiction
