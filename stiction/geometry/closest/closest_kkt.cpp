#include "stiction/geometry/closest/closest_kkt.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/nested_norm.h"
#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

constexpr int kMaxUnknowns = 13;
static_assert(kMaxUnknowns <= most_small);
using Jacobian = SmallMat;
using Vector = SmallVec;

/// One feature with lengths from an origin, the start on it, in units of `length`, its quadrics scaled to slope 1
/// there.
struct Side {
  Side(const Feature& feature, const Vec3& origin, double length)
      : feature_(feature), origin_(origin), length_(length) {
    const Vec3 origin_S = feature.X.inverse() * origin;
    if (feature.kind == Feature::Kind::gauge) {
      const auto& s = std::get<Superquadric>(*feature.body->shape);
      gauge_ = {s.semi_axes.cwiseInverse(), 2 / s.e1, 2 / s.e2};
      gauge_slope_ = std::max(gauge_.gradient(origin_S).norm(), 1e-300);
      return;
    }
    for (int k = 0; k < feature.count; ++k) {
      const Quadric& f = feature.surfaces[k];
      const Vec3 slope = 0.5 * f.gradient(origin_S);
      const double scale = 1 / std::max(2 * slope.norm(), 1e-300);
      surfaces[k] = {feature.X.R * f.A * feature.X.R.transpose() * (length * scale), feature.X.R * slope * scale,
                     f.value(origin_S) * scale / length};
    }
  }
  int count() const { return feature_.count; }

  /// f_k and its derivatives at u.
  struct Local {
    double value;
    Vec3 gradient;
    Mat3 hessian;
  };
  Local evaluate(int k, const Vec3& u) const {
    if (feature_.kind == Feature::Kind::surfaces)
      return {surfaces[k].value(u), surfaces[k].gradient(u), surfaces[k].hessian()};
    const Mat3& R = feature_.X.R;
    const Vec3 x = feature_.X.inverse() * (origin_ + length_ * u);
    return {(gauge_.value(x) - 1) / (gauge_slope_ * length_), R * gauge_.gradient(x) / gauge_slope_,
            R * gauge_.hessian(x) * R.transpose() * (length_ / gauge_slope_)};
  }

  /// Rows of eq. (1) for the point u with outward normal m = side n; du/d(x, n, phi) is given: u = x or x + phi n.
  /// Returns the number of rows written.
  int write_rows(int row, int multipliers, double side, const Vec3& u, const Vec3& n, double phi, const double* lambda,
                 Jacobian& J, Vector& r) const {
    const auto chain = [&](int at, const Mat3& d_du, const Mat3& d_dn) {
      // u = x for A (phi does not enter), u = x + phi n for B.
      J.block<3, 3>(at, 0) = d_du;
      J.block<3, 3>(at, 3) = d_dn;
      if (side < 0) {
        J.block<3, 3>(at, 3) += phi * d_du;
        J.block<3, 1>(at, 6) = d_du * n;
      }
    };
    if (feature_.kind == Feature::Kind::point) {
      r.segment<3>(row) = u - (feature_.point - origin_) / length_;
      chain(row, Mat3::Identity(), Mat3::Zero());
      return 3;
    }
    if (feature_.kind == Feature::Kind::smooth) {
      const CoreBody& body = *feature_.body;
      const Vec3 m = side * n / n.norm();
      r.segment<3>(row) = u - (body.support(m) - origin_) / length_;
      const Vec3 m_S = body.X.R.transpose() * m;
      const Mat3 H = calc_support_hessian(*body.shape, m_S).value_or(Mat3::Zero());
      chain(row, Mat3::Identity(), -side / length_ * body.X.R * H * body.X.R.transpose());
      return 3;
    }
    // sum lambda_k grad f_k - side n = 0
    Vec3 sum = -side * n;
    Mat3 curvature = Mat3::Zero();
    for (int k = 0; k < feature_.count; ++k) {
      const Local f = evaluate(k, u);
      sum += lambda[k] * f.gradient;
      curvature += lambda[k] * f.hessian;
      J.block<3, 1>(row, multipliers + k) = f.gradient;
      // f_k = 0
      const int at = row + 3 + k;
      r[at] = f.value;
      J.block<1, 3>(at, 0) = f.gradient.transpose();
      if (side < 0) {
        J.block<1, 3>(at, 3) = phi * f.gradient.transpose();
        J(at, 6) = f.gradient.dot(n);
      }
    }
    r.segment<3>(row) = sum;
    chain(row, curvature, -side * Mat3::Identity());
    return 3 + feature_.count;
  }

  /// Multipliers of least squares for an outward normal m at u.
  void start_multipliers(const Vec3& u, const Vec3& m, double* lambda) const {
    SmallMat G(3, count());
    for (int k = 0; k < count(); ++k) G.col(k) = evaluate(k, u).gradient;
    if (count() == 0 || !G.allFinite()) return;
    const SmallVec l = solve_least_norm(G, m).x;
    for (int k = 0; k < count(); ++k) lambda[k] = l[k];
  }

  std::array<Quadric, 3> surfaces;

 private:
  const Feature& feature_;
  Vec3 origin_;
  double length_;
  NestedNorm gauge_{};
  double gauge_slope_ = 1;
};

/// The solution of J z = r of least length, after rows and columns are scaled to entries of at most 1: a body that is
/// small beside the other has curvatures as large as the ratio of the sizes, which must not hide the other equations
/// from the rank decision.
Vector solve_scaled(Jacobian& J, Vector r) {
  const auto n = J.rows();
  Vector columns = Vector::Ones(n);
  for (int pass = 0; pass < 2; ++pass) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double largest = J.row(i).lpNorm<Eigen::Infinity>();
      if (largest > 0) J.row(i) /= largest, r[i] /= largest;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const double largest = J.col(i).lpNorm<Eigen::Infinity>();
      if (largest > 0) J.col(i) /= largest, columns[i] /= largest;
    }
  }
  return columns.cwiseProduct(solve_least_norm(J, r, 1e-12).x);
}

}  // namespace

bool solve_kkt(const Feature& A, const Feature& B, double length, KktPoint& point) {
  // Each feature has its own origin, so that both are exact however far apart they are.
  const Vec3 origin = point.x, apart = (point.y - point.x) / length;
  const Side a(A, point.x, length), b(B, point.y, length);
  const int ka = a.count(), kb = b.count(), unknowns = 7 + ka + kb;
  Vector z(unknowns), r(unknowns), best = Vector::Zero(unknowns);
  Jacobian J(unknowns, unknowns);
  z.setZero();
  z.segment<3>(3) = point.n;
  z[6] = (point.y - point.x).dot(point.n) / length;
  a.start_multipliers(Vec3::Zero(), point.n, z.data() + 7);
  b.start_multipliers(Vec3::Zero(), -point.n, z.data() + 7 + ka);

  double best_residual = 1e300, damping = 1;
  Vector best_step = Vector::Zero(unknowns);
  int since_best = 0;
  for (point.iterations = 0; point.iterations < 40; ++point.iterations) {
    const Vec3 x = z.head<3>(), n = z.segment<3>(3);
    const double phi = z[6];
    J.setZero();
    r[0] = 0.5 * (n.squaredNorm() - 1);
    J.block<1, 3>(0, 3) = n.transpose();
    const int row = 1 + a.write_rows(1, 7, 1, x, n, phi, z.data() + 7, J, r);
    b.write_rows(row, 7 + ka, -1, x + (phi * n - apart), n, phi, z.data() + 7 + ka, J, r);
    const double residual = J.allFinite() ? r.lpNorm<Eigen::Infinity>() : INFINITY;
    const bool progress = residual < best_residual;
    if (progress) {
      // Rounding is reached when progress ends.
      since_best = residual > 0.5 * best_residual && residual < 1e-14 ? since_best + 1 : 0;
      best_residual = residual;
      best = z;
    } else {
      ++since_best;
    }
    if (residual == 0 || (since_best > 0 && best_residual < 1e-15) || (since_best > 2 && best_residual < 1e-13)) break;
    // Newton's steps may pass over a hill; three without progress, and the step from the best point is shortened.
    if (since_best > 2 || !std::isfinite(residual)) {
      damping *= 0.2;
      if (damping < 1e-3 || best_residual == 1e300) break;
      z = best + damping * best_step;
      since_best = 2;
      continue;
    }
    Vector step = solve_scaled(J, -r);
    const double turn = step.segment<3>(3).norm();
    if (turn > 0.3) step *= 0.3 / turn;
    if (progress) best_step = step, damping = 1;
    z += step;
  }
  const Vec3 n = best.segment<3>(3);
  point.residual = best_residual;
  point.n = n.normalized();
  point.x = origin + length * best.head<3>();
  point.phi = best[6] * length;
  point.y = point.x + point.phi * point.n;
  for (int k = 0; k < ka; ++k) point.lambda_a[k] = best[7 + k];
  for (int k = 0; k < kb; ++k) point.lambda_b[k] = best[7 + ka + k];
  return best_residual < 1e-12;
}

bool drop_negative(Feature& feature, const std::array<double, 3>& lambda) {
  if (feature.kind != Feature::Kind::surfaces || feature.two_sided || feature.count < 2) return false;
  const int worst = static_cast<int>(std::min_element(lambda.begin(), lambda.begin() + feature.count) - lambda.begin());
  if (!(lambda[worst] < -1e-9)) return false;
  for (int k = worst; k + 1 < feature.count; ++k) {
    feature.surfaces[k] = feature.surfaces[k + 1];
    feature.ids[k] = feature.ids[k + 1];
  }
  --feature.count;
  return true;
}

bool add_violated(Feature& feature, const Vec3& x, double tolerance) {
  if (feature.kind != Feature::Kind::surfaces || feature.two_sided || feature.count > 2 || !feature.body) return false;
  if (!std::holds_alternative<Cell>(*feature.body->shape) || !x.allFinite()) return false;
  const ActiveList violated = find_active_constraints(*feature.body->shape, feature.body->X.inverse() * x, -tolerance);
  if (violated.count == 0) return false;
  const int id = violated.items[0].id;
  for (int k = 0; k < feature.count; ++k)
    if (feature.ids[k] == id) return false;
  feature.ids[feature.count] = id;
  feature.surfaces[feature.count++] = calc_constraint(*feature.body->shape, id);
  return true;
}

}  // namespace stiction
