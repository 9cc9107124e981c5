#include "stiction/geometry/shape/cell_support.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

/// Newton's method on the equations (1) of the constraints in `active` from (x, lambda). True if it converged to a
/// point inside the others with lambda >= 0.
bool polish(const Cell& cell, const Vec3& d, const int* active, int count, Vec3& x, double* lambda) {
  const double size = (cell.upper - cell.lower).norm();
  const int n = 3 + count;
  SmallMat K(n, n);
  SmallVec r(n);
  for (int pass = 0; pass < 20; ++pass) {
    K.setZero();
    r.setZero();
    r.head<3>() = -d;
    for (int i = 0; i < count; ++i) {
      const Quadric& f = cell.constraints[static_cast<std::size_t>(active[i])];
      const Vec3 g = f.gradient(x);
      K.topLeftCorner<3, 3>() += lambda[i] * f.hessian();
      K.block<3, 1>(0, 3 + i) = g;
      K.block<1, 3>(3 + i, 0) = g.transpose();
      r.head<3>() += lambda[i] * g;
      r[3 + i] = f.value(x);
    }
    const SmallVec step = solve_least_norm(K, -r).x;
    if (!step.allFinite()) return false;
    x += step.head<3>();
    for (int i = 0; i < count; ++i) lambda[i] += step[3 + i];
    if (step.head<3>().norm() <= 1e-15 * size) break;
  }
  for (int i = 0; i < count; ++i) {
    if (lambda[i] < -1e-9) return false;
    if (std::abs(cell.constraints[static_cast<std::size_t>(active[i])].value(x)) > 1e-13 * size) return false;
  }
  Vec3 left = -d;
  for (int i = 0; i < count; ++i) left += lambda[i] * cell.constraints[static_cast<std::size_t>(active[i])].gradient(x);
  // What is left of d would move x along the cell: by no more than rounding.
  if (left.norm() > 1e-15 * (1 + Eigen::Map<Eigen::VectorXd>(lambda, count).lpNorm<1>())) return false;
  for (int k = 0; k < cell.n_convex; ++k) {
    if (cell.constraints[static_cast<std::size_t>(k)].value(x) > 1e-12 * size) return false;
  }
  return true;
}

}  // namespace

Vec3 calc_cell_support(const Cell& cell, const Vec3& direction) {
  const Vec3 d = direction.normalized();
  const double size = (cell.upper - cell.lower).norm();
  Vec3 x = cell.convex_inside;
  // Follow the minimum of -d'x - mu sum log(-f_k) as mu goes to 0.
  double mu = 0.1 * size;
  for (int stage = 0; stage < 14; ++stage, mu *= 0.1) {
    for (int pass = 0; pass < 30; ++pass) {
      Vec3 g = -d;
      Mat3 H = Mat3::Zero();
      for (int k = 0; k < cell.n_convex; ++k) {
        const Quadric& f = cell.constraints[static_cast<std::size_t>(k)];
        const double depth = -f.value(x);
        const Vec3 grad = f.gradient(x);
        g += mu / depth * grad;
        H += mu / depth * f.hessian() + mu / (depth * depth) * grad * grad.transpose();
      }
      const Vec3 step = -solve_least_norm(H, g).x;
      const double decrement = -g.dot(step);
      if (!(decrement > 1e-12 * mu)) break;
      double damping = 1 / (1 + std::sqrt(decrement / mu));
      const auto inside = [&](const Vec3& p) {
        for (int k = 0; k < cell.n_convex; ++k) {
          if (!(cell.constraints[static_cast<std::size_t>(k)].value(p) < 0)) return false;
        }
        return true;
      };
      if (decrement < 0.1 * mu && inside(x + step)) damping = 1;
      while (damping > 1e-12 && !inside(x + damping * step)) damping *= 0.5;
      x += damping * step;
      if (damping == 1 && decrement < 1e-6 * mu) break;
    }
    // Active: the largest multipliers mu/(-f_k); try one, two and three of them as soon as they stand out.
    if (mu > 1e-4 * size) continue;
    struct Candidate {
      double lambda;
      int k;
    };
    // The three largest, of equals the first.
    std::array<Candidate, 3> order;
    int most = 0;
    for (int k = 0; k < cell.n_convex; ++k) {
      const Candidate next{-mu / cell.constraints[static_cast<std::size_t>(k)].value(x), k};
      int place = most;
      while (place > 0 && order[static_cast<std::size_t>(place - 1)].lambda < next.lambda) --place;
      if (place == 3) continue;
      most = std::min(most + 1, 3);
      std::move_backward(order.begin() + place, order.begin() + most - 1, order.begin() + most);
      order[static_cast<std::size_t>(place)] = next;
    }
    for (int count = 1; count <= most; ++count) {
      if (order[static_cast<std::size_t>(count - 1)].lambda < 1e-9) break;
      Vec3 trial = x;
      int active[3];
      double lambda[3];
      for (int i = 0; i < count; ++i) {
        active[i] = order[static_cast<std::size_t>(i)].k;
        lambda[i] = order[static_cast<std::size_t>(i)].lambda;
      }
      if (polish(cell, d, active, count, trial, lambda)) return trial;
    }
  }
  return x;
}

InnerPoint find_inner_point(const std::vector<Quadric>& constraints) {
  // Start at the mean of the centres and feet of the planes.
  InnerPoint result;
  for (const Quadric& f : constraints) {
    result.point += f.is_flat() ? Vec3(-0.5 * f.c / f.b.squaredNorm() * f.b) : calc_form(f).centre;
  }
  result.point /= std::max<double>(1, static_cast<double>(constraints.size()));
  const auto largest = [&](const Vec3& x) {
    double value = -HUGE_VAL;
    for (const Quadric& f : constraints) value = std::max(value, f.value(x));
    return value;
  };
  result.margin = largest(result.point);
  double scale = std::abs(result.margin);
  for (const Quadric& f : constraints) scale = std::max(scale, std::abs(f.value(result.point)));
  if (!(scale > 0)) scale = 1;
  // min t, f_k(x) <= t, by the barrier -log(t - f_k), with |x - x0|^2 barely weighed in for directions that nothing
  // bounds.
  const Vec3 x0 = result.point;
  Vec4 y;
  y << result.point, result.margin + scale;
  for (double mu = scale; mu > 1e-3 * scale; mu *= 0.2) {
    for (int pass = 0; pass < 40; ++pass) {
      Vec4 g(0, 0, 0, 1);
      Mat4 H = Mat4::Zero();
      g.head<3>() += 1e-9 / scale * (y.head<3>() - x0);
      H.topLeftCorner<3, 3>() += 1e-9 / scale * Mat3::Identity();
      for (const Quadric& f : constraints) {
        const double depth = y[3] - f.value(y.head<3>());
        Vec4 a;
        a << f.gradient(y.head<3>()), -1;
        g += mu / depth * a;
        H += mu / (depth * depth) * a * a.transpose();
        H.topLeftCorner<3, 3>() += mu / depth * f.hessian();
      }
      const Vec4 step = -solve_least_norm(H, g).x;
      const double decrement = -g.dot(step);
      if (!(decrement > 1e-8 * mu)) break;
      double damping = 1 / (1 + std::sqrt(decrement / mu));
      while (damping > 1e-12 && !(largest(y.head<3>() + damping * step.head<3>()) < y[3] + damping * step[3]))
        damping *= 0.5;
      y += damping * step;
    }
  }
  result.point = y.head<3>();
  result.margin = largest(result.point);
  return result;
}

}  // namespace stiction
