#include "stiction/geometry/shape/nested_norm.h"

#include <cmath>
#include <limits>

namespace stiction {
namespace {

/// N(x, y) = (x^p + y^p)^(1/p) for x, y >= 0 and its derivatives, scaled by the larger so that powers stay tame.
struct Norm2 {
  double value = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

Norm2 calc_norm(double x, double y, double p) {
  Norm2 n;
  const double largest = std::max(x, y);
  if (largest == 0) return n;
  const double u = x / largest, v = y / largest;
  const double up = u == 1 ? 1 : std::pow(u, p), vp = v == 1 ? 1 : std::pow(v, p);
  const double sum = up + vp, s = std::pow(sum, 1 / p);
  n.value = largest * s;
  // N_x = (x/N)^(p-1);  N_xx = (p-1) x^(p-2) y^p / N^(2p-1);  N_xy = -(p-1) x^(p-1) y^(p-1) / N^(2p-1)
  n.x = u == 0 ? 0 : up / u * s / sum;
  n.y = v == 0 ? 0 : vp / v * s / sum;
  const double c = (p - 1) * s / (sum * sum) / largest;
  const auto curve = [&](double a, double ap, double bp) {
    if (a > 0) return c * ap / (a * a) * bp;
    if (bp == 0) return 0.0;
    return p < 2 ? std::numeric_limits<double>::infinity() : p > 2 ? 0.0 : c * bp;
  };
  n.xx = curve(u, up, vp);
  n.yy = curve(v, vp, up);
  n.xy = u == 0 || v == 0 ? 0 : -c * (up / u) * (vp / v);
  return n;
}

struct Both {
  Vec3 sign;
  Norm2 inner, outer;
};
Both calc_both(const NestedNorm& norm, const Vec3& x) {
  const Vec3 u = norm.scale.cwiseProduct(x);
  Both b;
  for (int i = 0; i < 3; ++i) b.sign[i] = u[i] < 0 ? -1 : 1;
  b.inner = calc_norm(std::abs(u.x()), std::abs(u.y()), norm.p2);
  b.outer = calc_norm(b.inner.value, std::abs(u.z()), norm.p1);
  return b;
}

}  // namespace

double NestedNorm::value(const Vec3& x) const {
  return calc_both(*this, x).outer.value;
}

Vec3 NestedNorm::gradient(const Vec3& x) const {
  const Both b = calc_both(*this, x);
  return Vec3(b.outer.x * b.inner.x, b.outer.x * b.inner.y, b.outer.y).cwiseProduct(b.sign).cwiseProduct(scale);
}

Mat3 NestedNorm::hessian(const Vec3& x) const {
  const Both b = calc_both(*this, x);
  const Norm2 &g = b.inner, &N = b.outer;
  const auto product = [](double k, double f) { return f == 0 ? 0.0 : k * f; };
  Mat3 H;
  H(0, 0) = product(N.xx, g.x * g.x) + product(g.xx, N.x);
  H(0, 1) = H(1, 0) = product(N.xx, g.x * g.y) + product(g.xy, N.x);
  H(1, 1) = product(N.xx, g.y * g.y) + product(g.yy, N.x);
  H(0, 2) = H(2, 0) = product(N.xy, g.x);
  H(1, 2) = H(2, 1) = product(N.xy, g.y);
  H(2, 2) = N.yy;
  const Vec3 f = b.sign.cwiseProduct(scale);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) H(i, j) = product(H(i, j), f[i] * f[j]);
  }
  return H;
}

}  // namespace stiction
