#include "stiction/geometry/volume/interference.h"

#include <cmath>
#include <optional>

#include "stiction/geometry/shape/surface.h"
#include "stiction/geometry/volume/volume_ball_box.h"
#include "stiction/geometry/volume/volume_cap.h"
#include "stiction/geometry/volume/volume_chords.h"
#include "stiction/geometry/volume/volume_clip.h"
#include "stiction/geometry/volume/volume_revolved.h"
#include "stiction/geometry/volume/volume_wall.h"

namespace stiction {
namespace {

/// A result in A's frame, or none if the pair has no closed form in this order. The surface sums are B's.
using Found = std::optional<InterferenceRegion>;

InterferenceRegion finish(LocalSums local, RegionMethod method, bool flip_surface, const Mat3& R = Mat3::Identity()) {
  if (flip_surface) local.sums.segment<6>(10) *= -1;
  InterferenceRegion region = calc_region(local.sums, {R, R * local.origin});
  region.method = method;
  // Rounding of the coordinates moves the surface of B by so much.
  const double place = 2.2e-16 * (local.origin.norm() + std::cbrt(region.volume));
  const double area = Vec3(local.sums.segment<3>(10)).norm();
  region.error = region.volume > 0 ? 1e-14 + place * area / region.volume : 0;
  return region;
}

/// B as a half-space in the frame of A.
HalfSpace calc_in_frame(const HalfSpace& s, const Transform& X_AB) {
  const Vec3 n = X_AB.R * s.normal;
  return {n, s.offset + n.dot(X_AB.p)};
}

InterferenceRegion cut_revolved(const RevolvedSolid& solid, const Vec3& axis, const HalfSpace& plane) {
  // Columns of R: x in the plane of axis and normal, z the axis.
  const Vec3 across = plane.normal - plane.normal.dot(axis) * axis;
  const double s = across.norm();
  Mat3 R;
  R.col(2) = axis;
  R.col(0) = s > 0 ? Vec3(across / s) : axis.unitOrthogonal();
  R.col(1) = R.col(2).cross(R.col(0));
  const LocalSums local = calc_revolved_cut_sums(solid, s, plane.normal.dot(axis), plane.offset);
  return finish(local, RegionMethod::closed_form, true, R);
}

Found with_half_space(const Sphere& s, const HalfSpace& p) {
  return finish(calc_ellipsoid_cap_sums(Vec3::Constant(s.radius), p.normal, p.offset), RegionMethod::closed_form, true);
}
Found with_half_space(const Ellipsoid& s, const HalfSpace& p) {
  return finish(calc_ellipsoid_cap_sums(s.semi_axes, p.normal, p.offset), RegionMethod::closed_form, true);
}
Found with_half_space(const Cylinder& s, const HalfSpace& p) {
  const double end = 0.5 * s.length;
  return cut_revolved({{{-end, end, s.radius, 0, 0, 0}, {}, {}}, 1}, s.axis, p);
}
Found with_half_space(const Cone& s, const HalfSpace& p) {
  return cut_revolved({{{0, s.height, s.radius, (s.top_radius - s.radius) / s.height, 0, 0}, {}, {}}, 1}, s.axis, p);
}
Found with_half_space(const Capsule& s, const HalfSpace& p) {
  const double end = 0.5 * s.length, r = s.radius;
  const RevolvedPiece bottom{-end - r, -end, 0, 0, r, -end}, side{-end, end, r, 0, 0, 0},
      top{end, end + r, 0, 0, r, end};
  return cut_revolved({{bottom, side, top}, 3}, s.axis, p);
}
Found with_half_space(const Torus& s, const HalfSpace& p) {
  RevolvedPiece tube{-s.tube_radius, s.tube_radius, 0, 0, s.tube_radius, 0};
  tube.ring_radius = s.radius;
  return cut_revolved({{tube, {}, {}}, 1}, s.axis, p);
}
Found with_half_space(const Box& s, const HalfSpace& p) {
  BoxClipSolid solid = make_clip_box(s.size);
  solid.cut(p.normal, p.offset, true);
  return finish(solid.calc_sums(), RegionMethod::closed_form, false);
}
/// A polytope cut by `faces` planes: `cut` is given the solid, in storage that does not allocate where they are few.
template <class Cut>
LocalSums clip_polytope(const Polytope& polytope, std::size_t faces, const Cut& cut) {
  const auto clip = [&cut](auto solid) {
    cut(solid);
    return solid.calc_sums();
  };
  return polytope.faces.size() + faces <= small_clip_faces ? clip(make_clip_polytope<SmallClipStorage>(polytope))
                                                           : clip(make_clip_polytope<FreeClipStorage>(polytope));
}
Found with_half_space(const Polytope& s, const HalfSpace& p) {
  return finish(clip_polytope(s, 1, [&p](auto& solid) { solid.cut(p.normal, p.offset, true); }),
                RegionMethod::closed_form, false);
}
template <class Other>
Found with_half_space(const Other&, const HalfSpace&) {
  return {};
}

/// A ball whose centre lies outside of a box: the cap of a half-space where it keeps clear of the face's edges, else
/// what they leave of it. Nothing where they are apart; none where the ball comes out of the opposite face, or where
/// rounding leaves less than 1e-4 of the accuracy: normals are differentiated over that part of a patch
/// (volume_patch.h). With all of it the ball of ball_on_table takes 3,000 more steps as it leaves the edge.
Found with_ball(const Box& box, const Sphere& ball, const Vec3& centre, double accuracy) {
  const Vec3 half = 0.5 * box.size;
  const Vec3 beyond = (centre.cwiseAbs() - half).cwiseMax(0);
  if (beyond.squaredNorm() >= ball.radius * ball.radius) return make_empty_region(RegionMethod::closed_form);
  int face = 0;
  const double height = beyond.maxCoeff(&face), radius = std::sqrt(ball.radius * ball.radius - height * height);
  if (!(height > 0) || ball.radius - height > box.size[face]) return {};
  const auto is_over_edge = [&](int i) { return i != face && std::abs(centre[i]) + radius > half[i]; };
  if (is_over_edge(0) || is_over_edge(1) || is_over_edge(2)) {
    const double wanted = 1e-4 * accuracy;
    const BallBoxCut cut = calc_ball_box_cut(box.size, ball.radius, centre, face, wanted);
    if (!(cut.error <= wanted)) return {};
    InterferenceRegion region = finish(cut.local, RegionMethod::closed_form, false);
    region.error += cut.error;
    return region;
  }
  const double side = centre[face] < 0 ? -1 : 1;
  LocalSums cap = calc_ellipsoid_cap_sums(Vec3::Constant(ball.radius), side * Vec3::Unit(face), -height);
  cap.origin += centre;
  return finish(cap, RegionMethod::closed_form, false);
}

template <class Solid>
void cut_by_box(Solid& solid, const Box& box, const Transform& X_AB) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 n = X_AB.R.col(i);
    const double centre = n.dot(X_AB.p), half = 0.5 * box.size[i];
    solid.cut(n, centre + half, true);
    solid.cut(-n, half - centre, true);
  }
}
template <class Solid>
void cut_by_polytope(Solid& solid, const Polytope& polytope, const Transform& X_AB) {
  for (const PolytopeFace& face : polytope.faces) {
    const Vec3 n = X_AB.R * face.normal;
    solid.cut(n, face.offset + n.dot(X_AB.p), true);
    if (solid.empty()) return;
  }
}

/// Pairs with a closed form, in one of the two orders; others: none.
template <class First, class Second>
Found closed_pair(const First& a, const Second& b, const Transform& X_AB, double accuracy) {
  if constexpr (std::is_same_v<Second, HalfSpace>) {
    return with_half_space(a, calc_in_frame(b, X_AB));
  } else if constexpr (std::is_same_v<First, Sphere> && std::is_same_v<Second, Sphere>) {
    return finish(calc_lens_sums(a.radius, b.radius, X_AB.p), RegionMethod::closed_form, false);
  } else if constexpr (std::is_same_v<First, Box> && std::is_same_v<Second, Sphere>) {
    return with_ball(a, b, X_AB.p, accuracy);
  } else if constexpr (std::is_same_v<First, Box> && std::is_same_v<Second, Box>) {
    BoxClipSolid solid = make_clip_box(a.size);
    cut_by_box(solid, b, X_AB);
    return finish(solid.calc_sums(), RegionMethod::clipping, false);
  } else if constexpr (std::is_same_v<First, Polytope> && std::is_same_v<Second, Box>) {
    return finish(clip_polytope(a, 6, [&](auto& solid) { cut_by_box(solid, b, X_AB); }), RegionMethod::clipping, false);
  } else if constexpr (std::is_same_v<First, Polytope> && std::is_same_v<Second, Polytope>) {
    return finish(clip_polytope(a, b.faces.size(), [&](auto& solid) { cut_by_polytope(solid, b, X_AB); }),
                  RegionMethod::clipping, false);
  } else {
    return {};
  }
}

/// Which of two shapes of one kind comes first: the smaller, or, of equals, by their relative place as each sees it, so
/// that exchanging the arguments changes nothing but rounding.
bool comes_first(const Shape& A, const Shape& B, const Transform& X_AB) {
  if (A.index() != B.index()) return A.index() > B.index();
  const double size_a = calc_size(A), size_b = calc_size(B);
  if (std::abs(size_a - size_b) > 1e-12 * (size_a + size_b)) return size_a < size_b;
  const Vec3 b_from_a = X_AB.p, a_from_b = -(X_AB.R.transpose() * X_AB.p);
  for (int i = 0; i < 3; ++i)
    if (std::abs(b_from_a[i] - a_from_b[i]) > 1e-12 * (size_a + size_b)) return b_from_a[i] < a_from_b[i];
  return true;
}

/// X_AB; the difference of places first, so that it is exact far from the world's origin.
Transform calc_relative(const Transform& X_WA, const Transform& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

/// The region in the frame of A.
InterferenceRegion calc_in_first(const Shape& A, const Shape& B, const Transform& X_AB, const RegionOptions& options) {
  const Found closed =
      std::visit([&](const auto& a, const auto& b) { return closed_pair(a, b, X_AB, options.accuracy); }, A, B);
  if (closed) return *closed;
  if (!is_bounded(A) && !is_bounded(B)) {
    InterferenceRegion region;
    region.converged = false;
    return region;
  }
  if (const Found wall = find_wall_region(A, B, X_AB, options.accuracy)) return *wall;
  return calc_interference_by_chords(A, B, X_AB, options);
}

}  // namespace

InterferenceRegion calc_interference(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                                     const RegionOptions& options) {
  // Work in the frame of one body: nothing depends on where the pair is in the world, nor on which comes first.
  const bool in_order = comes_first(A, B, calc_relative(X_WA, X_WB));
  const Transform& X_WF = in_order ? X_WA : X_WB;
  RegionOptions local = options;
  local.normal = X_WF.R.transpose() * options.normal;
  InterferenceRegion region = in_order ? calc_in_first(A, B, calc_relative(X_WA, X_WB), local)
                                       : calc_in_first(B, A, calc_relative(X_WB, X_WA), local);
  region.centroid = X_WF * region.centroid;
  region.inertia = X_WF.R * region.inertia * X_WF.R.transpose();
  region.dV_dx = (in_order ? 1 : -1) * (X_WF.R * region.dV_dx);
  region.dV_dr = (in_order ? 1 : -1) * (X_WF.R * region.dV_dr);
  return region;
}

void add_region(InterferenceRegion& sum, const InterferenceRegion& part) {
  if (!(part.volume > 0)) {
    sum.converged = sum.converged && part.converged;
    return;
  }
  // Two pieces of matter of density 1.
  const MassProperties both =
      calc_sum({sum.volume, sum.centroid, sum.inertia}, {part.volume, part.centroid, part.inertia});
  const double V = both.mass;
  const Vec3 centroid = both.com;
  sum.error = (sum.error * sum.volume + part.error * part.volume) / V;
  // Rotations about the common centroid: dV = dV_dr . dr + dV_dx . (dr x (c_part - c)).
  const auto turned = [&](const InterferenceRegion& r) -> Vec3 {
    return r.dV_dr + (r.centroid - centroid).cross(r.dV_dx);
  };
  sum.dV_dr = sum.volume > 0 ? Vec3(turned(sum) + turned(part)) : part.dV_dr;
  sum.dV_dx += part.dV_dx;
  sum.volume = V;
  sum.centroid = centroid;
  sum.inertia = both.inertia;
  sum.converged = sum.converged && part.converged;
  sum.method = std::max(sum.method, part.method);
}

}  // namespace stiction
