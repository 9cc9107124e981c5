#include "stiction/geometry/closest/contact_kinematics.h"

#include <cmath>

#include "stiction/geometry/shape/surface.h"
#include "stiction/math/least_norm.h"

namespace stiction {
namespace {

/// What moves: the bodies' twists at the closest points, in W.
struct Motion {
  Vec3 w_A, w_B;  ///< angular velocities
  Vec3 v_A, v_B;  ///< of the material points at a_A and a_B
};

/// Eq. (8) in the tangent plane. With u_A, u_B the velocities over the surfaces, n = nhat and w = w_B - w_A:
///     dn/dt = w_A x n + g_A u_A = w_B x n - g_B u_B                       (the normals stay opposite)
///     v_B + u_B - v_A - u_A = phi' n + phi dn/dt                          (the points stay on the normal)
/// so  (g_A + g_B (I + phi g_A)) u_A = w x n - g_B ((v_A - v_B)_t + phi w_A x n)
bool solve_smooth(const Motion& motion, const Vec3& n, double phi, const Mat3& g_A, const Mat3& g_B,
                  ContactRates& rates) {
  const Vec3 t = n.unitOrthogonal(), s = n.cross(t);
  Eigen::Matrix<double, 3, 2> T;
  T << t, s;
  const Eigen::Matrix2d gA = T.transpose() * g_A * T, gB = T.transpose() * g_B * T;
  const Eigen::Vector2d turn = T.transpose() * (motion.w_B - motion.w_A).cross(n);
  const Eigen::Vector2d turn_A = T.transpose() * motion.w_A.cross(n);
  const Eigen::Vector2d slide = T.transpose() * (motion.v_A - motion.v_B);
  const Eigen::Matrix2d K = gA + gB * (Eigen::Matrix2d::Identity() + phi * gA);
  const double scale = gA.norm() + gB.norm();
  if (!(std::abs(K.determinant()) > 1e-12 * scale * scale) || scale == 0) return false;
  const Eigen::Vector2d u_A = K.inverse() * (turn - gB * (slide + phi * turn_A));
  const Eigen::Vector2d dn = turn_A + gA * u_A;
  rates.surface_velocity_a = T * u_A;
  rates.surface_velocity_b = T * (slide + u_A + phi * dn);
  rates.normal_rate = T * dn;
  return true;
}

/// The same equations with several surfaces on a side, n = sum lambda_k grad_k, and for flats: unknowns u_A, u_B,
/// dn/dt, phi', lambda_A', lambda_B'; the solution of smallest norm where there are many.
void solve_features(const Motion& motion, const Vec3& n, double phi, const SurfaceFeature& A, const SurfaceFeature& B,
                    ContactRates& rates) {
  const int size = 10 + A.count + B.count;  // up to three surfaces on each side
  SmallMat K = SmallMat::Zero(size, size);
  SmallVec r = SmallVec::Zero(size);
  const Mat3 I = Mat3::Identity();
  // dn/dt - sum lambda H u_A - sum lambda' grad = w_A x n, and the same for -n and B.
  K.block<3, 3>(0, 6) = I;
  K.block<3, 3>(3, 6) = -I;
  r.segment<3>(0) = motion.w_A.cross(n);
  r.segment<3>(3) = -motion.w_B.cross(n);
  for (int k = 0; k < A.count; ++k) {
    K.block<3, 3>(0, 0) -= A.weight[k] * A.hessian[k];
    K.block<3, 1>(0, 10 + k) = -A.gradient[k];
    K.block<1, 3>(10 + k, 0) = A.gradient[k].transpose();
  }
  for (int k = 0; k < B.count; ++k) {
    K.block<3, 3>(3, 3) -= B.weight[k] * B.hessian[k];
    K.block<3, 1>(3, 10 + A.count + k) = -B.gradient[k];
    K.block<1, 3>(10 + A.count + k, 3) = B.gradient[k].transpose();
  }
  // v_B + u_B - v_A - u_A = phi' n + phi dn/dt;  n'dn/dt = 0
  K.block<3, 3>(6, 0) = -I;
  K.block<3, 3>(6, 3) = I;
  K.block<3, 3>(6, 6) = -phi * I;
  K.block<3, 1>(6, 9) = -n;
  r.segment<3>(6) = motion.v_A - motion.v_B;
  K.block<1, 3>(9, 6) = n.transpose();
  const auto [y, rank] = solve_least_norm(K, r);
  rates.regular = rank == size;
  rates.surface_velocity_a = y.segment<3>(0);
  rates.surface_velocity_b = y.segment<3>(3);
  rates.normal_rate = y.segment<3>(6);
}

SurfaceFeature turned(SurfaceFeature feature, const Mat3& R) {
  for (int k = 0; k < feature.count; ++k) {
    feature.gradient[k] = R * feature.gradient[k];
    feature.hessian[k] = R * feature.hessian[k] * R.transpose();
  }
  return feature;
}

}  // namespace

ContactRates calc_contact_rates(const Shape& A, const Transform& X_WA, const BodyTwist& V_WA, const Shape& B,
                                const Transform& X_WB, const BodyTwist& V_WB, const ClosestPoints& closest) {
  const Vec3& n = closest.normal;
  const Motion motion{V_WA.w, V_WB.w, V_WA.v + V_WA.w.cross(closest.point_a - X_WA.p),
                      V_WB.v + V_WB.w.cross(closest.point_b - X_WB.p)};
  ContactRates rates;
  // Eq. (10): nothing but the velocities of the material points along the normal.
  rates.gap_rate = n.dot(motion.v_B - motion.v_A);
  const Vec3 n_A = X_WA.R.transpose() * n, n_B = -(X_WB.R.transpose() * n);
  const Vec3 p_A = X_WA.inverse() * closest.point_a, p_B = X_WB.inverse() * closest.point_b;
  const SurfacePoint s_A = calc_surface_point(A, p_A, n_A), s_B = calc_surface_point(B, p_B, n_B);
  if (!s_A.smooth || !s_B.smooth ||
      !solve_smooth(motion, n, closest.gap, X_WA.R * s_A.curvature * X_WA.R.transpose(),
                    X_WB.R * s_B.curvature * X_WB.R.transpose(), rates)) {
    solve_features(motion, n, closest.gap, turned(calc_surface_feature(A, p_A, n_A), X_WA.R),
                   turned(calc_surface_feature(B, p_B, n_B), X_WB.R), rates);
  }
  rates.point_a_velocity = motion.v_A + rates.surface_velocity_a;
  rates.point_b_velocity = motion.v_B + rates.surface_velocity_b;
  return rates;
}

}  // namespace stiction
