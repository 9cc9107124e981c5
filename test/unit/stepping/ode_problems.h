#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "stiction/stepping/ode/integrators.h"

namespace stiction::test {

/// A y' = f(t, y) without manifold, guards and breaks: problems override what they have.
class PlainProblem : public OdeProblem {
 public:
  explicit PlainProblem(int size) : factors_(VecX::Ones(size)) {}
  int size() const override { return static_cast<int>(factors_.size()); }
  bool project(double, VecX&) override { return true; }
  bool has_constraints() const override { return false; }
  const VecX& tolerance_factors() const override { return factors_; }
  int guard_count() const override { return 0; }
  void calc_guards(double, const VecX&, VecX&) override {}
  bool mode(int) const override { return false; }
  void set_mode(int, bool) override {}
  double next_break(double) const override { return std::numeric_limits<double>::infinity(); }

 private:
  VecX factors_;
};

/// y of a problem at t_end by the classical Runge-Kutta method in extended precision with many small steps: the
/// independent reference where there is no closed form. `f(t, y, dy)` is the problem's own equation, written again.
template <std::size_t n, class Function>
std::array<long double, n> solve_reference(Function&& f, std::array<long double, n> y, long double t_end, int steps) {
  using Array = std::array<long double, n>;
  const auto shifted = [](const Array& a, long double h, const Array& b) {
    Array c;
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + h * b[i];
    return c;
  };
  const long double h = t_end / steps;
  Array k1, k2, k3, k4;
  for (int s = 0; s < steps; ++s) {
    const long double t = s * h;
    f(t, y, k1);
    f(t + h / 2, shifted(y, h / 2, k1), k2);
    f(t + h / 2, shifted(y, h / 2, k2), k3);
    f(t + h, shifted(y, h, k3), k4);
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

/// Torque-free rotation of an asymmetric body: y = (quaternion of body to world, angular velocity in body axes).
///     dq/dt = 1/2 q (0, w),   I dw/dt = -w x I w
class TorqueFreeBody : public PlainProblem {
 public:
  static constexpr double inertia[3] = {1.0, 2.0, 3.5};
  TorqueFreeBody() : PlainProblem(7) {}
  static VecX start() {
    VecX y(7);
    y << 1, 0, 0, 0, 0.7, 1.1, -0.9;
    return y;
  }
  template <class Real, class In, class Out>
  static void calc(const In& y, Out& dy) {
    const Real w0 = y[4], w1 = y[5], w2 = y[6];
    dy[0] = (-y[1] * w0 - y[2] * w1 - y[3] * w2) / 2;
    dy[1] = (y[0] * w0 + y[2] * w2 - y[3] * w1) / 2;
    dy[2] = (y[0] * w1 + y[3] * w0 - y[1] * w2) / 2;
    dy[3] = (y[0] * w2 + y[1] * w1 - y[2] * w0) / 2;
    dy[4] = (inertia[1] - inertia[2]) / inertia[0] * w1 * w2;
    dy[5] = (inertia[2] - inertia[0]) / inertia[1] * w2 * w0;
    dy[6] = (inertia[0] - inertia[1]) / inertia[2] * w0 * w1;
  }
  void calc_derivative(double, const VecX& y, VecX& dy) override { calc<double>(y, dy); }
  void apply_semi_implicit(double, double h, VecX& y) override {
    VecX dy(7);
    calc<double>(y, dy);
    y.tail(3) += h * dy.tail(3);
    // q (+) h w: the product with the exponential of the body's rotation vector.
    const Vec3 phi = h * y.tail<3>();
    const double angle = phi.norm(), c = std::cos(angle / 2), s = std::sin(angle / 2) / angle;
    const Eigen::Vector4d q = y.head<4>(), e(c, s * phi[0], s * phi[1], s * phi[2]);
    y[0] = q[0] * e[0] - q[1] * e[1] - q[2] * e[2] - q[3] * e[3];
    y[1] = q[0] * e[1] + q[1] * e[0] + q[2] * e[3] - q[3] * e[2];
    y[2] = q[0] * e[2] + q[2] * e[0] + q[3] * e[1] - q[1] * e[3];
    y[3] = q[0] * e[3] + q[3] * e[0] + q[1] * e[2] - q[2] * e[1];
  }
  bool project(double, VecX& y) override {
    y.head<4>() /= y.head<4>().norm();
    return true;
  }
  static VecX calc_exact(double t) {
    std::array<long double, 7> y;
    for (std::size_t i = 0; i < 7; ++i) y[i] = start()[static_cast<Eigen::Index>(i)];
    const auto f = [](long double, const auto& x, auto& dx) { calc<long double>(x, dx); };
    const auto end = solve_reference<7>(f, y, t, 4000);
    VecX result(7);
    for (std::size_t i = 0; i < 7; ++i) result[static_cast<Eigen::Index>(i)] = static_cast<double>(end[i]);
    return result;
  }
};

/// x'' + 2 delta x' + omega0^2 x = 0 with x(0) = 1, x'(0) = 0; closed form.
class DampedSpring : public PlainProblem {
 public:
  static constexpr double delta = 0.3, omega0 = 4.0;
  DampedSpring() : PlainProblem(2) {}
  static VecX start() { return Eigen::Vector2d(1, 0); }
  void calc_derivative(double, const VecX& y, VecX& dy) override {
    dy[0] = y[1];
    dy[1] = -omega0 * omega0 * y[0] - 2 * delta * y[1];
  }
  void apply_semi_implicit(double, double h, VecX& y) override {
    y[1] += h * (-omega0 * omega0 * y[0] - 2 * delta * y[1]);
    y[0] += h * y[1];
  }
  static VecX calc_exact(double t) {
    const double w = std::sqrt(omega0 * omega0 - delta * delta), decay = std::exp(-delta * t);
    return Eigen::Vector2d(decay * (std::cos(w * t) + delta / w * std::sin(w * t)),
                           -decay * omega0 * omega0 / w * std::sin(w * t));
  }
};

/// A ball that falls from x = height onto a spring at x < 0: x'' = -g - [x < 0] k x. The guard is -x.
class BallOnSpring : public PlainProblem {
 public:
  static constexpr double g = 9.81, k = 4000, height = 0.7;
  BallOnSpring() : PlainProblem(2) {}
  static VecX start() { return Eigen::Vector2d(height, 0); }
  void calc_derivative(double, const VecX& y, VecX& dy) override {
    dy[0] = y[1];
    dy[1] = -g - (active_ ? k * y[0] : 0);
  }
  void apply_semi_implicit(double, double h, VecX& y) override {
    y[1] += h * (-g - (active_ ? k * y[0] : 0));
    y[0] += h * y[1];
  }
  int guard_count() const override { return 1; }
  void calc_guards(double, const VecX& y, VecX& guards) override { guards[0] = -y[0]; }
  bool mode(int) const override { return active_; }
  void set_mode(int, bool mode) override { active_ = mode; }
  /// Times of touch and release, alternating: free fall, then x = -(g/k)(1 - cos w s) - (v/w) sin w s, which is zero
  /// again at s = 2 (pi - atan(v w / g)) / w.
  static std::vector<double> calc_event_times(int count) {
    const double v = std::sqrt(2 * g * height), w = std::sqrt(k);
    const double contact = 2 * (std::numbers::pi - std::atan(v * w / g)) / w;
    std::vector<double> times = {v / g};
    while (static_cast<int>(times.size()) < count) {
      times.push_back(times.back() + (times.size() % 2 == 1 ? contact : 2 * v / g));
    }
    return times;
  }

 private:
  bool active_ = false;
};

/// A pendulum of length 1 in Cartesian coordinates, y = (x, y, vx, vy): constraint at the acceleration level,
/// projected.
///     p'' = (0, -g) - lambda p,   lambda = v.v - g y,   |p| = 1, p.v = 0
class CartesianPendulum : public PlainProblem {
 public:
  static constexpr double g = 9.81;
  CartesianPendulum() : PlainProblem(4) {}
  static VecX start() { return Eigen::Vector4d(1, 0, 0, 0); }
  template <class Real, class In, class Out>
  static void calc(const In& y, Out& dy) {
    const Real lambda = (y[2] * y[2] + y[3] * y[3] - static_cast<Real>(g) * y[1]) / (y[0] * y[0] + y[1] * y[1]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -lambda * y[0];
    dy[3] = -static_cast<Real>(g) - lambda * y[1];
  }
  void calc_derivative(double, const VecX& y, VecX& dy) override { calc<double>(y, dy); }
  void apply_semi_implicit(double, double h, VecX& y) override {
    VecX dy(4);
    calc<double>(y, dy);
    y.tail<2>() += h * dy.tail<2>();
    y.head<2>() += h * y.tail<2>();
  }
  bool project(double, VecX& y) override {
    if (fail_projection) return false;
    y.head<2>() /= y.head<2>().norm();
    y.tail<2>() -= y.head<2>().dot(y.tail<2>()) * y.head<2>();
    return true;
  }
  bool has_constraints() const override { return true; }
  static double calc_drift(const VecX& y) {
    return std::max(std::abs(y.head<2>().norm() - 1), std::abs(y.head<2>().dot(y.tail<2>())));
  }
  bool fail_projection = false;
};

/// Any f, for short tests.
class FunctionProblem : public PlainProblem {
 public:
  using Function = std::function<void(double t, const VecX& y, VecX& dy)>;
  FunctionProblem(int size, Function f) : PlainProblem(size), f_(std::move(f)), dy_(size) {}
  void calc_derivative(double t, const VecX& y, VecX& dy) override { f_(t, y, dy); }
  void apply_semi_implicit(double t, double h, VecX& y) override {
    f_(t, y, dy_);
    y += h * dy_;
  }
  double next_break(double t) const override {
    for (const double b : breaks) {
      if (b > t) return b;
    }
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> breaks;

 private:
  Function f_;
  VecX dy_;
};

/// The integrators of the table for which `wanted` holds.
std::vector<IntegratorInfo> select(const std::function<bool(const IntegratorInfo&)>& wanted);

/// Advance to t_end, looking at every multiple of `interval`; all reports must be ok. Returns the events.
std::vector<OdeEvent> run(OdeIntegrator& integrator, double& t, VecX& y, double t_end, double interval,
                          const std::function<void(const OdeReport&)>& observe = {});

}  // namespace stiction::test
