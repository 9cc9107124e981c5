#include "stiction/multibody/pair_measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

/// (e_z + f_z) / (1 + e_z.f_z), and the divisor; the bound keeps opposite axes finite.
struct TurnAxis {
  Vec3 sum;
  double divisor;
};
TurnAxis calc_turn_axis(const PairPose& pose) {
  const Vec3 e = pose.R_WA.col(2), f = pose.R_WB.col(2);
  return {e + f, std::max(1 + e.dot(f), 1e-12)};
}

/// A unit force along n on b at p_B, and its opposite on a at p_A.
Measure make_along_line(const PairPose& pose, const Vec3& n) {
  return {0, make_spatial(n.cross(pose.r_a), -n), make_spatial(pose.r_b.cross(n), n)};
}

}  // namespace

PairPose calc_pair_pose(const Kinematics& kinematics, const FramePair& frames) {
  const Transform& X_Wa = kinematics.X_WB[frames.body_a];
  const Transform& X_Wb = kinematics.X_WB[frames.body_b];
  PairPose pose;
  pose.body_a = frames.body_a, pose.body_b = frames.body_b;
  pose.R_WA.noalias() = X_Wa.R * frames.X_aA.R;
  pose.R_WB.noalias() = X_Wb.R * frames.X_bB.R;
  pose.r_a.noalias() = X_Wa.R * frames.X_aA.p;
  pose.r_b.noalias() = X_Wb.R * frames.X_bB.p;
  pose.d = (X_Wb.p - X_Wa.p) + (pose.r_b - pose.r_a);
  return pose;
}

PairMotion calc_pair_motion(const Kinematics& kinematics, const PairPose& pose) {
  const int a = pose.body_a, b = pose.body_b;
  const Vec6 &V_a = kinematics.V_WB[a], &V_b = kinematics.V_WB[b];
  const Vec6 &A_a = kinematics.A_bias[a], &A_b = kinematics.A_bias[b];
  PairMotion motion;
  motion.w_a = angular(V_a), motion.w_b = angular(V_b);
  motion.alpha_a = angular(A_a), motion.alpha_b = angular(A_b);
  motion.d_rate = linear(V_b) + motion.w_b.cross(pose.r_b) - linear(V_a) - motion.w_a.cross(pose.r_a);
  motion.d_acceleration = linear(A_b) + motion.alpha_b.cross(pose.r_b) + motion.w_b.cross(motion.w_b.cross(pose.r_b)) -
                          linear(A_a) - motion.alpha_a.cross(pose.r_a) - motion.w_a.cross(motion.w_a.cross(pose.r_a));
  return motion;
}

Measure calc_displacement(const PairPose& pose, int axis) {
  const Vec3 e = pose.R_WA.col(axis);
  // On a the force acts at p_B too: the axis turns with a.
  return {e.dot(pose.d), make_spatial(e.cross(pose.r_a + pose.d), -e), make_spatial(pose.r_b.cross(e), e)};
}

double calc_displacement_bias(const PairPose& pose, const PairMotion& motion, int axis) {
  const Vec3 e = pose.R_WA.col(axis);
  const Vec3 e_rate = motion.w_a.cross(e);
  return e.dot(motion.d_acceleration) + 2 * e_rate.dot(motion.d_rate) +
         (motion.alpha_a.cross(e) + motion.w_a.cross(e_rate)).dot(pose.d);
}

Measure calc_axes_product(const PairPose& pose, int axis_a, int axis_b) {
  const Vec3 e = pose.R_WA.col(axis_a), f = pose.R_WB.col(axis_b);
  const Vec3 torque = f.cross(e);
  return {e.dot(f), make_spatial(-torque, Vec3::Zero()), make_spatial(torque, Vec3::Zero())};
}

double calc_axes_product_bias(const PairPose& pose, const PairMotion& motion, int axis_a, int axis_b) {
  const Vec3 e = pose.R_WA.col(axis_a), f = pose.R_WB.col(axis_b);
  return (motion.alpha_b - motion.alpha_a).dot(f.cross(e)) +
         (motion.w_b - motion.w_a).dot(motion.w_b.cross(f).cross(e) + f.cross(motion.w_a.cross(e)));
}

Measure calc_distance(const PairPose& pose) {
  const double length = pose.d.norm();
  Measure result = make_along_line(pose, length > 0 ? Vec3(pose.d / length) : Vec3(Vec3::Zero()));
  result.value = length;
  return result;
}

double calc_distance_bias(const PairPose& pose, const PairMotion& motion) {
  const double length = pose.d.norm();
  if (length == 0) return 0;
  const Vec3 n = pose.d / length;
  const double rate = n.dot(motion.d_rate);
  return n.dot(motion.d_acceleration) + (motion.d_rate.squaredNorm() - rate * rate) / length;
}

Measure calc_turn(const PairPose& pose) {
  const Mat3 &A = pose.R_WA, &B = pose.R_WB;
  const double angle = std::atan2(A.col(1).dot(B.col(0)) - A.col(0).dot(B.col(1)),  //
                                  A.col(0).dot(B.col(0)) + A.col(1).dot(B.col(1)));
  const TurnAxis axis = calc_turn_axis(pose);
  const Vec3 u = axis.sum / axis.divisor;
  return {angle, make_spatial(-u, Vec3::Zero()), make_spatial(u, Vec3::Zero())};
}

double calc_turn_bias(const PairPose& pose, const PairMotion& motion) {
  const Vec3 e = pose.R_WA.col(2), f = pose.R_WB.col(2);
  const Vec3 e_rate = motion.w_a.cross(e), f_rate = motion.w_b.cross(f);
  const TurnAxis axis = calc_turn_axis(pose);
  const double divisor_rate = e_rate.dot(f) + e.dot(f_rate);
  const Vec3 u_rate = (e_rate + f_rate - divisor_rate / axis.divisor * axis.sum) / axis.divisor;
  return (motion.alpha_b - motion.alpha_a).dot(axis.sum) / axis.divisor + (motion.w_b - motion.w_a).dot(u_rate);
}

Measure calc_axes_angle(const PairPose& pose, AnglePart sine, AnglePart cosine) {
  const Measure s = calc_axes_product(pose, sine.axis_a, sine.axis_b);
  const Measure c = calc_axes_product(pose, cosine.axis_a, cosine.axis_b);
  const double n = s.value * s.value + c.value * c.value;
  return {std::atan2(s.value, c.value), (c.value * s.F_a - s.value * c.F_a) / n,
          (c.value * s.F_b - s.value * c.F_b) / n};
}

double calc_axes_angle_bias(const PairPose& pose, const PairMotion& motion, AnglePart sine, AnglePart cosine) {
  const Vec3 u = motion.w_b - motion.w_a;
  const Measure s = calc_axes_product(pose, sine.axis_a, sine.axis_b);
  const Measure c = calc_axes_product(pose, cosine.axis_a, cosine.axis_b);
  const double s_rate = u.dot(angular(s.F_b)), c_rate = u.dot(angular(c.F_b));
  const double n = s.value * s.value + c.value * c.value;
  const double n_rate = 2 * (s.value * s_rate + c.value * c_rate);
  const double s_bias = calc_axes_product_bias(pose, motion, sine.axis_a, sine.axis_b);
  const double c_bias = calc_axes_product_bias(pose, motion, cosine.axis_a, cosine.axis_b);
  // The derivative of (c ds/dt - s dc/dt) / n.
  return (c.value * s_bias - s.value * c_bias - n_rate / n * (c.value * s_rate - s.value * c_rate)) / n;
}

double add_whole_turns(double angle, double near) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

}  // namespace stiction
