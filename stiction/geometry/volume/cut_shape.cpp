#include "stiction/geometry/volume/cut_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/geometry/closest/closest.h"
#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/constraint_visit.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_clip.h"

namespace stiction {
namespace {

/// A smaller share of the smaller part is rounding.
constexpr double least_overlap = 1e-9;
/// Pieces that add up to the volume to this share of the part are all of them.
constexpr double volume_agreement = 1e-6;
constexpr std::size_t most_pieces = 64;

/// A piece as the constraints of (1), and as a shape.
struct CutPiece {
  std::vector<Quadric> constraints;
  Shape shape;
};

bool has_volume_in_common(const Bounds& a, const Bounds& b) {
  return (a.lower.array() < b.upper.array()).all() && (b.lower.array() < a.upper.array()).all();
}

/// Planes only: their polytope; nothing where they enclose none.
std::optional<Shape> make_flat_piece(const std::vector<Quadric>& planes, const Bounds& bounds) {
  auto solid = make_clip_polytope<FreeClipStorage>({});
  const BoxClipSolid box = make_clip_box(bounds.upper - bounds.lower);
  const Vec3 middle = 0.5 * (bounds.lower + bounds.upper);
  for (const Vec3& corner : box.corners) solid.corners.push_back(corner + middle);
  for (const auto& face : box.faces) solid.faces.push_back({{face.loop.begin(), face.loop.end()}, face.of_b});
  for (const Quadric& plane : planes) {
    const double length = 2 * plane.b.norm();
    solid.cut(2 * plane.b / length, -plane.c / length, false);
    if (solid.empty()) return {};
  }
  auto polytope = make_polytope(solid.corners);
  if (auto* made = std::get_if<Polytope>(&polytope)) return Shape(std::move(*made));
  return {};
}

std::optional<Shape> make_piece(const std::vector<Quadric>& constraints, const Bounds& bounds) {
  if (std::all_of(constraints.begin(), constraints.end(), [](const Quadric& f) { return f.is_flat(); }))
    return make_flat_piece(constraints, bounds);
  auto cell = make_cell(constraints);
  if (auto* made = std::get_if<Cell>(&cell)) return Shape(std::move(*made));
  return {};
}

/// (1). False where the pieces do not add up.
bool split_piece(const CutPiece& piece, const Shape& other, const Transform& X, const Bounds& bounds, double whole,
                 std::vector<CutPiece>& to) {
  const double common = calc_interference(piece.shape, {}, other, X, {.accuracy = 1e-8}).volume;
  if (common <= least_overlap * std::min(calc_volume(piece.shape), calc_volume(other))) {
    to.push_back(piece);
    return true;
  }
  std::vector<Quadric> inside = piece.constraints;
  double sum = 0;
  for (const Quadric& surface : calc_constraints(other)) {
    const Quadric g = calc_transformed(surface, X);
    std::vector<Quadric> constraints = inside;
    constraints.push_back(calc_complement(g));
    inside.push_back(g);
    const std::optional<Shape> rest = make_piece(constraints, bounds);
    const double volume = rest ? calc_volume(*rest) : 0;
    if (volume <= least_overlap * whole) continue;
    sum += volume;
    to.push_back({std::move(constraints), *rest});
  }
  return std::abs(sum + common - calc_volume(piece.shape)) <= volume_agreement * whole;
}

void enclose(const Bounds& box, bool first, Bounds& all) {
  all.lower = first ? box.lower : all.lower.cwiseMin(box.lower).eval();
  all.upper = first ? box.upper : all.upper.cwiseMax(box.upper).eval();
}

bool is_near(const CutShape& cut, const Transform& X_W, const Shape& other, const Transform& X_WO) {
  return calc_closest(Box{cut.size}, {X_W.R, X_W * cut.centre}, other, X_WO).gap <= 0;
}

/// A plane among the surfaces of A that B lies beyond, but for rounding of their numbers: cells that touch along it.
bool is_parted(const Shape& A, const Transform& X_A, const Shape& B, const Transform& X_B) {
  const Transform X_BA = X_B.inverse() * X_A;
  const double rounding = 0.1 * least_overlap * std::min(calc_size(A), calc_size(B));
  bool parted = false;
  std::visit(
      [&](const auto& a) {
        visit_constraints(a, [&](const Quadric& f) {
          if (parted || !f.is_flat()) return;
          const Quadric face = calc_transformed(f, X_BA);
          const double slope = 2 * face.b.norm();
          parted = face.value(calc_support(B, -face.b)) >= -rounding * slope;
        });
      },
      A);
  return parted;
}

}  // namespace

bool overlaps(const Shape& A, const Transform& X_A, const Shape& B, const Transform& X_B) {
  if (!is_bounded(A) || !is_bounded(B) || !has_volume_in_common(calc_bounds(A, X_A), calc_bounds(B, X_B))) return false;
  if (is_parted(A, X_A, B, X_B) || is_parted(B, X_B, A, X_A)) return false;
  const double common = calc_interference(A, X_A, B, X_B, {.accuracy = 1e-4}).volume;
  return common > least_overlap * std::min(calc_volume(A), calc_volume(B));
}

CutResult cut_shape(const Shape& part, const std::vector<OtherPart>& others) {
  CutResult result;
  const Bounds bounds = calc_bounds(part, {});
  const double whole = calc_volume(part);
  std::vector<CutPiece> pieces = {{calc_constraints(part), part}}, next;
  Bounds away;
  for (const OtherPart& other : others) {
    if (!overlaps(part, {}, *other.shape, other.X)) continue;
    const Bounds box = calc_bounds(*other.shape, other.X);
    enclose({box.lower.cwiseMax(bounds.lower), box.upper.cwiseMin(bounds.upper)}, result.status == CutStatus::whole,
            away);
    result.status = CutStatus::cut;
    if (calc_constraints(part).empty() || calc_constraints(*other.shape).empty()) return {CutStatus::not_possible, {}};
    next.clear();
    for (const CutPiece& piece : pieces)
      if (!split_piece(piece, *other.shape, other.X, bounds, whole, next)) return {CutStatus::not_possible, {}};
    std::swap(pieces, next);
    if (pieces.size() > most_pieces) return {CutStatus::not_possible, {}};
  }
  if (result.status == CutStatus::whole) return result;
  CutShape& cut = result.shape;
  if (pieces.empty()) result.status = CutStatus::swallowed;
  for (CutPiece& piece : pieces) {
    cut.unit_density = calc_sum(cut.unit_density, calc_mass_properties(piece.shape, 1));
    cut.pieces.push_back(std::move(piece.shape));
  }
  cut.centre = 0.5 * (away.lower + away.upper);
  cut.size = away.upper - away.lower;
  return result;
}

InterferenceRegion calc_cut_interference(const Shape& A, const CutShape* cut_a, const Transform& X_WA, const Shape& B,
                                         const CutShape* cut_b, const Transform& X_WB, const RegionOptions& options) {
  const bool a_in_pieces = cut_a != nullptr && is_near(*cut_a, X_WA, B, X_WB);
  const bool b_in_pieces = cut_b != nullptr && is_near(*cut_b, X_WB, A, X_WA);
  if (!a_in_pieces && !b_in_pieces) return calc_interference(A, X_WA, B, X_WB, options);
  InterferenceRegion sum;
  const auto add_with = [&](const Shape& a) {
    if (!b_in_pieces) return add_region(sum, calc_interference(a, X_WA, B, X_WB, options));
    for (const Shape& b : cut_b->pieces) add_region(sum, calc_interference(a, X_WA, b, X_WB, options));
  };
  if (!a_in_pieces) {
    add_with(A);
  } else {
    for (const Shape& a : cut_a->pieces) add_with(a);
  }
  return sum;
}

}  // namespace stiction
