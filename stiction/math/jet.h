#pragma once

#include <array>
#include <cmath>

namespace stiction {

/// A function of two variables u, v at a point, with its first and second derivatives there. What + - * / and the
/// elementary functions below make of jets has exact derivatives, by the rules of differentiation (Griewank, Walther
/// 2008, chapter 13): no differences are taken.
struct Jet {
  double value = 0, u = 0, v = 0, uu = 0, uv = 0, vv = 0;
  constexpr Jet() = default;
  constexpr Jet(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): a number is a constant
  static constexpr Jet make_u(double at) {
    Jet j(at);
    j.u = 1;
    return j;
  }
  static constexpr Jet make_v(double at) {
    Jet j(at);
    j.v = 1;
    return j;
  }
  bool is_constant() const { return u == 0 && v == 0 && uu == 0 && uv == 0 && vv == 0; }
};

/// f(x), with f, f' and f'' at x.value.
inline Jet calc_chain(const Jet& x, double f, double f1, double f2) {
  Jet y(f);
  y.u = f1 * x.u;
  y.v = f1 * x.v;
  y.uu = f1 * x.uu + f2 * x.u * x.u;
  y.uv = f1 * x.uv + f2 * x.u * x.v;
  y.vv = f1 * x.vv + f2 * x.v * x.v;
  return y;
}

inline Jet operator+(Jet a, const Jet& b) {
  a.value += b.value, a.u += b.u, a.v += b.v, a.uu += b.uu, a.uv += b.uv, a.vv += b.vv;
  return a;
}
inline Jet operator-(const Jet& a) {
  return calc_chain(a, -a.value, -1, 0);
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return a + (-b);
}
inline Jet operator*(const Jet& a, const Jet& b) {
  Jet y(a.value * b.value);
  y.u = a.u * b.value + a.value * b.u;
  y.v = a.v * b.value + a.value * b.v;
  y.uu = a.uu * b.value + 2 * a.u * b.u + a.value * b.uu;
  y.uv = a.uv * b.value + a.u * b.v + a.v * b.u + a.value * b.uv;
  y.vv = a.vv * b.value + 2 * a.v * b.v + a.value * b.vv;
  return y;
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double i = 1 / b.value;
  Jet y = a * calc_chain(b, i, -i * i, 2 * i * i * i);
  y.value = a.value / b.value;
  return y;
}

inline Jet sin(const Jet& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return calc_chain(x, s, c, -s);
}
inline Jet cos(const Jet& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return calc_chain(x, c, -s, -c);
}
inline Jet tan(const Jet& x) {
  const double t = std::tan(x.value), d = 1 + t * t;
  return calc_chain(x, t, d, 2 * t * d);
}
inline Jet exp(const Jet& x) {
  const double e = std::exp(x.value);
  return calc_chain(x, e, e, e);
}
inline Jet log(const Jet& x) {
  const double i = 1 / x.value;
  return calc_chain(x, std::log(x.value), i, -i * i);
}
inline Jet sqrt(const Jet& x) {
  const double r = std::sqrt(x.value);
  return calc_chain(x, r, 0.5 / r, -0.25 / (r * x.value));
}
inline Jet sinh(const Jet& x) {
  const double s = std::sinh(x.value), c = std::cosh(x.value);
  return calc_chain(x, s, c, s);
}
inline Jet cosh(const Jet& x) {
  const double s = std::sinh(x.value), c = std::cosh(x.value);
  return calc_chain(x, c, s, c);
}
inline Jet tanh(const Jet& x) {
  const double t = std::tanh(x.value), d = 1 - t * t;
  return calc_chain(x, t, d, -2 * t * d);
}
inline Jet pow(const Jet& x, const Jet& y) {
  if (!y.is_constant()) return exp(y * log(x));
  // Powers of zero and negative numbers have derivatives where the exponent is whole.
  const double p = y.value;
  const double f1 = p == 0 ? 0 : p * std::pow(x.value, p - 1);
  const double f2 = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(x.value, p - 2);
  return calc_chain(x, std::pow(x.value, p), f1, f2);
}

}  // namespace stiction
