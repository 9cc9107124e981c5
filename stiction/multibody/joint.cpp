#include "stiction/multibody/joint.h"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "stiction/base/check.h"

namespace stiction {

namespace {

template <JointType type, class Kind>
constexpr bool stands_for = std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(type), JointKind>, Kind>;
static_assert(stands_for<JointType::weld, JointWeld> && stands_for<JointType::revolute, JointRevolute> &&
              stands_for<JointType::prismatic, JointPrismatic> && stands_for<JointType::screw, JointScrew> &&
              stands_for<JointType::cylindrical, JointCylindrical> &&
              stands_for<JointType::universal, JointUniversal> && stands_for<JointType::spherical, JointSpherical> &&
              stands_for<JointType::planar, JointPlanar> && stands_for<JointType::free, JointFree> &&
              stands_for<JointType::translation, JointTranslation> && std::variant_size_v<JointKind> == 10);

constexpr CoordinateName unnamed_angle{"", "rad", "rad/s", "N m"};
constexpr CoordinateName unnamed_length{"", "m", "m/s", "N"};

/// The angle plus the whole turns that bring it nearest to `near`.
double calc_near_angle(double angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

/// The angle of the rotation about z nearest to R (largest trace of Rz(angle)' R).
double calc_angle_about_z(const Mat3& R) {
  return std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
}

Quaternion calc_near_quaternion(const Mat3& R, const Quaternion& near) {
  const Quaternion q = calc_quaternion(R);
  const double side = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
  return side < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

}  // namespace

int calc_nq(const JointKind& kind) {
  if (const auto* translation = std::get_if<JointTranslation>(&kind)) return translation->dimension;
  constexpr int nq[] = {0, 1, 1, 1, 2, 2, 4, 3, 7};
  return nq[kind.index()];
}

int calc_nv(const JointKind& kind) {
  if (const auto* translation = std::get_if<JointTranslation>(&kind)) return translation->dimension;
  constexpr int nv[] = {0, 1, 1, 1, 2, 2, 3, 3, 6};
  return nv[kind.index()];
}

const char* name_of(const JointKind& kind) {
  constexpr const char* names[] = {"weld",      "revolute",  "prismatic", "screw", "cylindrical",
                                   "universal", "spherical", "planar",    "free",  "translation"};
  return names[kind.index()];
}

CoordinateName coordinate_name(const JointKind& kind, int k) {
  STICTION_CHECK(k >= 0 && k < calc_nq(kind) && calc_nq(kind) == calc_nv(kind));
  constexpr CoordinateName planar[] = {
      {"x", "m", "m/s", "N"}, {"y", "m", "m/s", "N"}, {"angle", "rad", "rad/s", "N m"}};
  constexpr CoordinateName cylindrical[] = {{"angle", "rad", "rad/s", "N m"}, {"displacement", "m", "m/s", "N"}};
  constexpr CoordinateName universal[] = {{"angle_z", "rad", "rad/s", "N m"}, {"angle_x", "rad", "rad/s", "N m"}};
  constexpr CoordinateName translation[] = {{"x", "m", "m/s", "N"}, {"y", "m", "m/s", "N"}, {"z", "m", "m/s", "N"}};
  switch (type_of(kind)) {
    case JointType::translation:
      return translation[k];
    case JointType::prismatic:
      return unnamed_length;
    case JointType::cylindrical:
      return cylindrical[k];
    case JointType::universal:
      return universal[k];
    case JointType::planar:
      return planar[k];
    default:
      return unnamed_angle;
  }
}

int quaternion_offset(const JointKind& kind) {
  const JointType type = type_of(kind);
  return type == JointType::spherical || type == JointType::free ? 0 : -1;
}

Transform calc_joint_transform(const JointKind& kind, const double* q) {
  switch (type_of(kind)) {
    case JointType::weld:
      return {};
    case JointType::revolute:
      return {make_rotation_z(q[0]), Vec3::Zero()};
    case JointType::prismatic:
      return {Mat3::Identity(), Vec3(0, 0, q[0])};
    case JointType::screw:
      return {make_rotation_z(q[0]), Vec3(0, 0, std::get<JointScrew>(kind).pitch * q[0])};
    case JointType::cylindrical:
      return {make_rotation_z(q[0]), Vec3(0, 0, q[1])};
    case JointType::universal:
      return {make_rotation_z(q[0]) * make_rotation_x(q[1]), Vec3::Zero()};
    case JointType::spherical:
      return {calc_matrix(read_quaternion(q)), Vec3::Zero()};
    case JointType::planar:
      return {make_rotation_z(q[2]), Vec3(q[0], q[1], 0)};
    case JointType::free:
      return {calc_matrix(read_quaternion(q)), Vec3(q[4], q[5], q[6])};
    case JointType::translation:
      return {Mat3::Identity(), Vec3(q[0], q[1], calc_nq(kind) == 3 ? q[2] : 0)};
  }
  return {};
}

void calc_joint_coordinates(const JointKind& kind, const Transform& X_FM, const double* near, double* q) {
  const Mat3& R = X_FM.R;
  switch (type_of(kind)) {
    case JointType::weld:
      return;
    case JointType::revolute:
    case JointType::screw:
      q[0] = calc_near_angle(calc_angle_about_z(R), near[0]);
      return;
    case JointType::prismatic:
      q[0] = X_FM.p.z();
      return;
    case JointType::cylindrical:
      q[0] = calc_near_angle(calc_angle_about_z(R), near[0]);
      q[1] = X_FM.p.z();
      return;
    case JointType::universal:
      // Rz(q0) Rx(q1): its first column is (cos q0, sin q0, 0), its last row (0, sin q1, cos q1).
      q[0] = calc_near_angle(std::atan2(R(1, 0), R(0, 0)), near[0]);
      q[1] = calc_near_angle(std::atan2(R(2, 1), R(2, 2)), near[1]);
      return;
    case JointType::spherical:
      write_quaternion(calc_near_quaternion(R, read_quaternion(near)), q);
      return;
    case JointType::planar:
      q[0] = X_FM.p.x();
      q[1] = X_FM.p.y();
      q[2] = calc_near_angle(calc_angle_about_z(R), near[2]);
      return;
    case JointType::free:
      write_quaternion(calc_near_quaternion(R, read_quaternion(near)), q);
      Eigen::Map<Vec3>(q + 4) = X_FM.p;
      return;
    case JointType::translation:
      for (int i = 0; i < calc_nq(kind); ++i) q[i] = X_FM.p[i];
      return;
  }
}

}  // namespace stiction
