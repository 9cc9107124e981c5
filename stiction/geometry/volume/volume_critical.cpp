#include "stiction/geometry/volume/volume_critical.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "stiction/geometry/volume/volume_roots.h"
#include "stiction/math/symmetric_eigen.h"

namespace stiction {
namespace {

/// Collects the places of points that lie in the region, seen from all surfaces but those the point was made from.
class PlaceCollector {
 public:
  explicit PlaceCollector(const UnitRegion& region) : surfaces_(region.surfaces) {}
  void add(const Vec3& p, int i, int j, int k) {
    if (!(p.cwiseAbs().maxCoeff() <= 1 + boundary_slack)) return;
    for (int s = 0; s < static_cast<int>(surfaces_.size()); ++s)
      if (s != i && s != j && s != k && surfaces_[s].f.value(p) > boundary_slack) return;
    places.push_back(p.x());
  }
  /// Points p + t d on surface k.
  void add_line(const Vec3& p, const Vec3& d, int i, int j, int k) {
    const Quadric& f = surfaces_[k].f;
    const std::array<double, 3> c = {f.value(p), f.gradient(p).dot(d), d.dot(f.A * d)};
    if (f.is_flat()) {
      if (std::abs(c[1]) > 1e-14) add(p - c[0] / c[1] * d, i, j, k);
      return;
    }
    const PolynomialRoots roots = find_polynomial_roots<2>(c, -2, 2, 0);
    for (int n = 0; n < roots.count; ++n) add(p + roots.t[n] * d, i, j, k);
  }
  std::vector<double> places;

 private:
  const std::vector<RegionSurface>& surfaces_;
};

/// Extreme points in x of f = 0 in the plane: u = p + s e1 + t e2, e1 along the slice; f_s = 0 gives s(t), f a
/// quadratic.
void add_edge_extremes(PlaceCollector& collector, const Quadric& plane, const Quadric& f, int i, int j) {
  const Vec3 n = 2 * plane.b;
  const double norm2 = n.squaredNorm(), across = std::hypot(n.y(), n.z());
  if (across * across < 1e-20 * norm2) return;
  const Vec3 p = -plane.c / norm2 * n, e1 = Vec3(0, -n.z(), n.y()) / across, e2 = e1.cross(n) / std::sqrt(norm2);
  const Vec3 half_gradient = f.A * p + f.b, Ae1 = f.A * e1, Ae2 = f.A * e2;
  const double a11 = e1.dot(Ae1), a12 = e1.dot(Ae2), b1 = e1.dot(half_gradient);
  if (std::abs(a11) < 1e-12) return;
  const std::array<double, 3> c = {f.value(p) - b1 * b1 / a11, 2 * (e2.dot(half_gradient) - a12 * b1 / a11),
                                   e2.dot(Ae2) - a12 * a12 / a11};
  const PolynomialRoots roots = find_polynomial_roots<2>(c, -2, 2, 0);
  for (int n_root = 0; n_root < roots.count; ++n_root) {
    const double t = roots.t[n_root];
    collector.add(p - (a12 * t + b1) / a11 * e1 + t * e2, i, j, -1);
  }
}

/// Gauss-Newton's method on the five equations (1) for p and lambda.
bool polish_pole(const Quadric& f, const Quadric& g, Vec3& p) {
  double lambda = f.gradient(p).dot(g.gradient(p)) / std::max(g.gradient(p).squaredNorm(), 1e-300);
  for (int step = 0; step < 15; ++step) {
    const Vec3 fp = f.gradient(p), gp = g.gradient(p);
    Eigen::Matrix<double, 5, 4> J;
    Eigen::Matrix<double, 5, 1> r;
    J.topLeftCorner<3, 3>() = 2 * (f.A - lambda * g.A), J.topRightCorner<3, 1>() = -gp;
    J.row(3) << fp.transpose(), 0;
    J.row(4) << gp.transpose(), 0;
    r << fp - lambda * gp, f.value(p), g.value(p);
    const auto [d, rank] = solve_least_norm(J, -r, 1e-4);
    if (rank < 4) return false;
    if (!(d.head<3>().norm() < 1)) return false;
    p += d.head<3>(), lambda += d[3];
    if (d.norm() < 1e-9) return r.norm() < 1e-9 && p.cwiseAbs().maxCoeff() <= 1;
  }
  return false;
}

Eigen::Matrix4d calc_matrix4(const Quadric& f) {
  Eigen::Matrix4d F;
  F << f.A, f.b, f.b.transpose(), f.c;
  return F;
}

/// Adds the poles whose lambda lies in [-1, 1].
void add_poles(const Quadric& f, const Quadric& g, std::vector<Vec3>& poles) {
  const Eigen::Matrix4d F = calc_matrix4(f), G = calc_matrix4(g);
  // det(F - lambda G) by its values at -1, -1/2, 0, 1/2, 1.
  double v[5];
  for (int k = 0; k < 5; ++k) v[k] = (F - (0.5 * k - 1) * G).determinant();
  const double even1 = 0.5 * (v[4] + v[0]) - v[2], even2 = 0.5 * (v[3] + v[1]) - v[2];
  const double odd1 = 0.5 * (v[4] - v[0]), odd2 = 0.5 * (v[3] - v[1]);
  const double c4 = (4 * even1 - 16 * even2) / 3, c2 = even1 - c4, c3 = (4 * odd1 - 8 * odd2) / 3, c1 = odd1 - c3;
  const std::array<double, 4> slope = {c1, 2 * c2, 3 * c3, 4 * c4};
  const double size = std::max({std::abs(v[2]), std::abs(c1), std::abs(c2), std::abs(c3), std::abs(c4)});
  const PolynomialRoots roots = find_polynomial_roots<3>(slope, -1.01, 1.01, 1e-12);
  for (int k = 0; k < roots.count; ++k) {
    const double t = roots.t[k];
    if (std::abs((((c4 * t + c3) * t + c2) * t + c1) * t + v[2]) > 1e-9 * size) continue;
    // The apex: the one null vector, or on the line of two planes the points where that meets g.
    const SymmetricEigen eigen = calc_symmetric_eigen(SmallMat(F - t * G));
    const Eigen::Vector4d e = eigen.values.cwiseAbs();
    int order[4] = {0, 1, 2, 3};
    std::sort(order, order + 4, [&](int a, int b) { return e[a] < e[b]; });
    const Eigen::Vector4d n1 = eigen.vectors.col(order[0]), n2 = eigen.vectors.col(order[1]);
    FixedVector<Eigen::Vector4d, 3> apexes;
    apexes.push_back(n1);
    if (e[order[1]] < 1e-4 * e[order[3]]) {
      const double a = n1.dot(G * n1), b = n1.dot(G * n2), c = n2.dot(G * n2), root = b * b - a * c;
      if (root > 0)
        for (double sign : {-1.0, 1.0}) {
          // a s^2 + 2 b s r + c r^2 = 0
          const double q = -(b + std::copysign(std::sqrt(root), b));
          apexes.push_back(sign < 0 ? Eigen::Vector4d(q * n1 + a * n2) : Eigen::Vector4d(c * n1 + q * n2));
        }
    }
    for (const Eigen::Vector4d& apex : apexes) {
      if (!(std::abs(apex[3]) > 1e-3 * apex.norm())) continue;
      Vec3 p = apex.head<3>() / apex[3];
      if (p.cwiseAbs().maxCoeff() < 1.1 && polish_pole(f, g, p)) poles.push_back(p);
    }
  }
}

}  // namespace

std::vector<double> find_critical_places(const UnitRegion& region) {
  PlaceCollector collector(region);
  const int count = static_cast<int>(region.surfaces.size());
  std::vector<int> planes;
  for (int i = 0; i < count; ++i)
    if (region.surfaces[i].f.is_flat()) planes.push_back(i);
  const auto is_plane = [&](int i) { return region.surfaces[i].f.is_flat(); };
  for (std::size_t m = 0; m < planes.size(); ++m) {
    const int i = planes[m];
    const Quadric& plane = region.surfaces[i].f;
    for (int j = 0; j < count; ++j)
      if (!is_plane(j)) add_edge_extremes(collector, plane, region.surfaces[j].f, i, j);
    for (std::size_t n = m + 1; n < planes.size(); ++n) {
      const int j = planes[n];
      const Quadric& other = region.surfaces[j].f;
      // The common line of both planes: direction d, and the point of it nearest to the origin.
      const Vec3 a = 2 * plane.b, b = 2 * other.b, d = a.cross(b);
      const double norm2 = d.squaredNorm();
      if (norm2 < 1e-20 * a.squaredNorm() * b.squaredNorm()) continue;
      const Vec3 p = (plane.c * d.cross(b) + other.c * a.cross(d)) / norm2;
      for (int k = 0; k < count; ++k)
        if (!is_plane(k) || k > j) collector.add_line(p, d / std::sqrt(norm2), i, j, k);
    }
  }
  std::sort(collector.places.begin(), collector.places.end());
  return collector.places;
}

std::vector<double> find_poles(const UnitRegion& region) {
  PlaceCollector collector(region);
  std::vector<Vec3> poles;
  const int count = static_cast<int>(region.surfaces.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      const Quadric &f = region.surfaces[i].f, &g = region.surfaces[j].f;
      if (f.is_flat() || g.is_flat()) continue;
      poles.clear();
      add_poles(f, g, poles);
      add_poles(g, f, poles);
      for (const Vec3& p : poles) collector.add(p, i, j, -1);
    }
  std::vector<double>& x = collector.places;
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end(), [](double a, double b) { return b - a < 1e-7; }), x.end());
  return x;
}

}  // namespace stiction
