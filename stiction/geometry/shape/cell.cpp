#include "stiction/geometry/shape/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/cell_support.h"
#include "stiction/geometry/shape/constraint_visit.h"
#include "stiction/geometry/volume/interference.h"
#include "stiction/math/symmetric_eigen.h"

namespace stiction {
namespace {

/// Whether the convex constraints leave a direction open: d with A_k d = 0 and b_k'd <= 0 for all k.
bool is_open(const std::vector<Quadric>& constraints, int n_convex) {
  Mat3 sum = Mat3::Zero();
  std::vector<Vec3> normals;
  for (int k = 0; k < n_convex; ++k) {
    const Quadric& f = constraints[static_cast<std::size_t>(k)];
    if (!f.is_flat()) sum += f.A / f.A.norm();
    if (f.b.norm() > 0) normals.push_back(f.b.normalized());
  }
  const SymmetricEigen eigen = calc_symmetric_eigen(SmallMat(sum));
  std::vector<Vec3> null;
  for (int i = 0; i < 3; ++i) {
    if (eigen.values[i] <= 1e-12) null.push_back(eigen.vectors.col(i));
  }
  if (null.empty()) return false;
  const auto leaves_open = [&](const Vec3& d) {
    for (const Vec3& n : normals) {
      if (n.dot(d) > 1e-12) return false;
    }
    return true;
  };
  const auto either = [&](const Vec3& d) {
    return d.norm() > 1e-9 && (leaves_open(d.normalized()) || leaves_open(-d.normalized()));
  };
  // The extreme rays of the cone {b'd <= 0} within the null space are normal to as many b as it has dimensions less
  // one; a b that does not reach into the null space bounds nothing.
  if (null.size() == 1) return either(null[0]);
  if (null.size() == 2) {
    bool bounded_somewhere = false;
    for (const Vec3& n : normals) {
      const Eigen::Vector2d p(n.dot(null[0]), n.dot(null[1]));
      if (p.norm() < 1e-9) continue;
      bounded_somewhere = true;
      if (either(-p.y() * null[0] + p.x() * null[1])) return true;
    }
    return !bounded_somewhere;
  }
  bool pair_found = false;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    for (std::size_t j = i + 1; j < normals.size(); ++j) {
      const Vec3 d = normals[i].cross(normals[j]);
      if (d.norm() < 1e-9) continue;
      pair_found = true;
      if (either(d)) return true;
    }
  }
  return !pair_found;
}

/// A point inside all constraints: the convex inner point, else the deepest of a grid in the box, refined twice.
InnerPoint find_point_inside(const Cell& cell) {
  const auto largest = [&](const Vec3& x) {
    double value = -HUGE_VAL;
    for (const Quadric& f : cell.constraints) value = std::max(value, f.value(x));
    return value;
  };
  InnerPoint best{cell.convex_inside, largest(cell.convex_inside)};
  Vec3 lower = cell.lower, upper = cell.upper;
  for (int level = 0; level < 4; ++level) {
    constexpr int n = 24;
    const Vec3 cell_size = (upper - lower) / n;
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3 x = lower + cell_size.cwiseProduct(Vec3(i % n + 0.5, i / n % n + 0.5, i / n / n + 0.5));
      const double value = largest(x);
      if (value < best.margin) best = {x, value};
    }
    lower = (best.point - 2 * cell_size).cwiseMax(cell.lower),
    upper = (best.point + 2 * cell_size).cwiseMin(cell.upper);
  }
  return best;
}

}  // namespace

std::variant<Cell, std::string> make_cell(std::vector<Quadric> constraints) {
  if (constraints.empty()) return std::string("a cell needs at least one surface");
  Cell cell;
  std::vector<Quadric> complements;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Quadric& f = constraints[k];
    if (!f.A.allFinite() || !f.b.allFinite() || !std::isfinite(f.c))
      return fmt::format("surface {} is not finite", k + 1);
    if (f.is_flat() && f.b.isZero(0))
      return fmt::format("surface {} is no surface: all its coefficients are zero", k + 1);
    const bool convex = is_convex(f);
    if (!convex && !is_convex(calc_complement(f))) {
      return fmt::format("surface {} is neither convex nor the complement of a convex quadric", k + 1);
    }
    const QuadricForm form = calc_form(f);
    const bool paraboloid = !f.is_flat() && f.gradient(form.centre).norm() > 1e-9 * f.A.norm();
    if (!f.is_flat() && !paraboloid && (convex ? form.value >= 0 : form.value <= 0)) {
      return fmt::format("surface {} has no points: the quadric is empty", k + 1);
    }
    (convex ? cell.constraints : complements).push_back(f);
  }
  cell.n_convex = static_cast<int>(cell.constraints.size());
  cell.convex = complements.empty();
  if (cell.n_convex == 0 || is_open(cell.constraints, cell.n_convex)) {
    return std::string("the cell is open: its convex surfaces do not enclose it");
  }
  cell.constraints.insert(cell.constraints.end(), complements.begin(), complements.end());
  for (Quadric& f : cell.constraints) f = calc_scaled(f);
  const std::vector<Quadric> convex_ones(cell.constraints.begin(), cell.constraints.begin() + cell.n_convex);
  const InnerPoint inner = find_inner_point(convex_ones);
  if (!(inner.margin < 0)) return std::string("the cell is empty: no point lies inside all its surfaces");
  cell.convex_inside = inner.point;
  // The support map needs a size: a first guess, then the box itself.
  cell.lower = inner.point.array() - 1e3 * std::abs(inner.margin),
  cell.upper = inner.point.array() + 1e3 * std::abs(inner.margin);
  Vec3 lower, upper;
  for (int i = 0; i < 3; ++i) {
    upper[i] = calc_cell_support(cell, Vec3::Unit(i))[i];
    lower[i] = calc_cell_support(cell, -Vec3::Unit(i))[i];
  }
  cell.lower = lower, cell.upper = upper;
  const InnerPoint inside = find_point_inside(cell);
  if (!(inside.margin < 0)) return std::string("the cell is empty: no point lies inside all its surfaces");
  cell.inside = inside.point;
  // Mass properties: the region it has in common with its own box.
  const Vec3 middle = 0.5 * (cell.lower + cell.upper);
  const Box box{1.01 * (cell.upper - cell.lower)};
  RegionOptions options;
  options.accuracy = 1e-10;
  const InterferenceRegion region = calc_interference(Shape(cell), {}, Shape(box), {Mat3::Identity(), middle}, options);
  cell.unit_density = {region.volume, region.centroid, region.inertia};
  return cell;
}

std::vector<Quadric> calc_constraints(const Shape& shape) {
  std::vector<Quadric> list;
  visit_constraints(shape, [&](const Quadric& f) { list.push_back(f); });
  return list;
}

}  // namespace stiction
