#include "stiction/contact/volume_patch.h"

#include <Eigen/Eigenvalues>

#include <cmath>

#include "stiction/contact/round_pair.h"
#include "stiction/geometry/shape/shape_features.h"
#include "stiction/geometry/volume/cut_shape.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

/// The part of the patch's size by which the bodies are moved to see how the normal turns.
constexpr double turn_displacement = 1e-4;
/// A mean depth that is known to this part of the distance of the bodies is as exact as their places: where bodies just
/// touch, no volume has a relative accuracy.
constexpr double depth_rounding = 1e-12;

/// -dV/dx as a direction. A body inside another has none: then away from the middle of A, any if they are concentric.
Vec3 calc_area_normal(const InterferenceRegion& region, const Transform& X_WA, const Transform& X_WB) {
  const double size = region.dV_dx.norm();
  if (size > 0) return region.dV_dx / -size;
  const Vec3 apart = X_WB.p - X_WA.p;
  const double distance = apart.norm();
  return distance > 0 ? Vec3(apart / distance) : Vec3(Vec3::UnitZ());
}

/// The eigenvector nearest to `direction`, on its side (4.199).
Vec3 find_principal_axis(const Mat3& inertia, const Vec3& direction) {
  // A direction that is one already: soles, and spheres on planes.
  const Vec3 turned = inertia * direction;
  if ((turned - direction.dot(turned) * direction).squaredNorm() <= 1e-26 * turned.squaredNorm()) return direction;
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.compute(inertia / inertia.trace());
  const Vec3 along = solver.eigenvectors().transpose() * direction;
  Eigen::Index nearest = 0;
  along.cwiseAbs().maxCoeff(&nearest);
  const Vec3 axis = solver.eigenvectors().col(nearest);
  return along[nearest] < 0 ? Vec3(-axis) : axis;
}

/// By symmetry the normal of a sphere's patch points to its centre; the area's normal on a half-space is its own.
bool find_known_turn(const ContactSides& sides, const VolumePatch& patch, PatchNormal normal, double spin, Vec3& turn) {
  const auto& [A, a, B, b] = sides;
  const bool round = std::holds_alternative<Sphere>(A) || std::holds_alternative<Sphere>(B);
  return (round || normal == PatchNormal::area) && find_round_turn(A, a, B, b, patch.normal, spin, turn);
}

/// A pose after a motion with velocity v at `point` and angular velocity w for the time h.
Transform move_pose(const Transform& X, const Vec3& point, const Vec3& v, const Vec3& w, double h) {
  const Mat3 R = calc_matrix(calc_exponential(h * w));
  return {R * X.R, point + h * v + R * (X.p - point)};
}

}  // namespace

Vec3 VolumePatch::calc_extent() const {
  const Vec3 u = normal.unitOrthogonal(), w = normal.cross(u);
  // In the plate K = tr(S_t) - S_t: its smallest moment belongs to the longest direction.
  const double a = u.dot(rolling * u), b = u.dot(rolling * w), c = w.dot(rolling * w);
  const double angle = 0.5 * std::atan2(2 * b, a - c);  // of the largest
  const double largest = 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
  return 2 * std::sqrt(largest / volume) * (std::cos(angle) * w - std::sin(angle) * u);
}

VolumePatch find_volume_patch(const Shape& A, const Transform& X_WA, const Shape& B, const Transform& X_WB,
                              const VolumeSettings& settings) {
  VolumePatch patch;
  const InterferenceRegion region =
      settings.cut_a || settings.cut_b
          ? calc_cut_interference(A, settings.cut_a, X_WA, B, settings.cut_b, X_WB, {.accuracy = settings.accuracy})
          : calc_interference(A, X_WA, B, X_WB, {.accuracy = settings.accuracy});
  patch.converged = region.converged;
  patch.integrated = region.method == RegionMethod::chords || settings.cut_a || settings.cut_b;
  if (!(region.volume > 0)) return patch;
  patch.volume = region.volume;
  patch.area = region.dV_dx.norm();
  const double depth_error = region.error * patch.mean_depth();
  patch.converged = region.converged || depth_error <= depth_rounding * (X_WB.p - X_WA.p).norm();
  patch.centroid = region.centroid;
  patch.normal = calc_area_normal(region, X_WA, X_WB);
  if (settings.normal == PatchNormal::inertia) patch.normal = find_principal_axis(region.inertia, patch.normal);
  const Vec3& n = patch.normal;
  // (1): with S n = s, S_t = S - n s' - s n' + (n.s) n n', and tr(S_t) = n . J_v . n.
  const double about_normal = n.dot(region.inertia * n);
  const Mat3 S = 0.5 * region.inertia.trace() * Mat3::Identity() - region.inertia;
  const Vec3 s = S * n;
  const Mat3 ns = n * s.transpose();
  patch.rolling =
      about_normal * Mat3::Identity() - S + ns + ns.transpose() - (n.dot(s) + about_normal) * n * n.transpose();
  patch.gyration = std::sqrt(std::max(about_normal, 0.0) / region.volume);
  // (4.143)
  patch.point = patch.centroid + (0.5 * settings.plate_offset * patch.mean_depth()) * n;
  return patch;
}

Vec3 calc_patch_turn(const ContactSides& sides, const VolumePatch& patch, const VolumeSettings& settings) {
  const auto& [A, a, B, b] = sides;
  const Vec3& n = patch.normal;
  const double spin = n.dot(b.w - a.w);
  Vec3 turn;
  if (find_known_turn(sides, patch, settings.normal, spin, turn)) return turn;
  // Seen from A, B moves by v and w.
  const Vec3 w = b.w - a.w, v = calc_point_velocity(b, patch.point) - calc_point_velocity(a, patch.point);
  const Vec3 common = a.w + (0.5 * spin) * n;
  if (settings.normal == PatchNormal::area) {
    // A patch on one flat face: its normal is fixed in that body.
    if (has_face(A, a.X_WS.R.transpose() * n)) return common;
    if (has_face(B, -(b.X_WS.R.transpose() * n))) return b.w - (0.5 * spin) * n;
  }
  const double speed = v.norm() + patch.gyration * w.norm();
  if (!(speed > 0)) return common;
  const double h = turn_displacement * patch.gyration / speed;
  const VolumePatch next = find_volume_patch(A, a.X_WS, B, move_pose(b.X_WS, patch.point, v, w, h), settings);
  if (!(next.volume > 0)) return common;
  // n x dn/dt as seen from A: what the normal turns beyond A's own turning.
  return common + n.cross(next.normal) / h;
}

}  // namespace stiction
