#include "stiction/math/free_rotation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

/// Terms are summed until two in a row are below this part of the first: they are below rounding then.
constexpr double negligible_term = 1e-17;
/// Of |L| h times the spread of J^-1: |m_k| h^k falls at least as its powers do, to negligible_term within most_terms.
constexpr double longest_interval = 0.3;
constexpr int most_terms = 36;
/// A body that turns this many intervals within a step is not resolved by that step in any sense.
constexpr int most_intervals = 1000;

/// (0, w) from the right: p (0, w).
Eigen::Vector4d multiply(const Eigen::Vector4d& p, const Vec3& w) {
  return {-p[1] * w[0] - p[2] * w[1] - p[3] * w[2], p[0] * w[0] + p[2] * w[2] - p[3] * w[1],
          p[0] * w[1] - p[1] * w[2] + p[3] * w[0], p[0] * w[2] + p[1] * w[1] - p[2] * w[0]};
}

/// (2) over one interval; m becomes that at its end, the turn in body axes is returned.
Quaternion calc_turn(const Mat3& J_inverse, double h, Vec3& m) {
  std::array<Vec3, most_terms + 1> M, W;
  std::array<Eigen::Vector4d, most_terms + 1> P;
  M[0] = m;
  W[0] = J_inverse * m;
  P[0] = Eigen::Vector4d(1, 0, 0, 0);
  Eigen::Vector4d p = P[0];
  const double scale = negligible_term * m.norm();
  int small = 0;
  for (int k = 0; k < most_terms && small < 2; ++k) {
    const auto next = static_cast<std::size_t>(k + 1);
    M[next].setZero();
    P[next].setZero();
    for (std::size_t i = 0; i < next; ++i) {
      M[next] += M[i].cross(W[next - 1 - i]);
      P[next] += multiply(P[i], W[next - 1 - i]);
    }
    M[next] *= h / (k + 1);
    P[next] *= 0.5 * h / (k + 1);
    W[next] = J_inverse * M[next];
    m += M[next];
    p += P[next];
    small = M[next].norm() <= scale && P[next].norm() <= negligible_term ? small + 1 : 0;
  }
  return calc_normalized({p[0], p[1], p[2], p[3]});
}

}  // namespace

FreeRotation calc_free_rotation(const Mat3& J_inverse, const Mat3& R, const Vec3& L, double h) {
  Vec3 m = R.transpose() * L;
  const Mat3 spread = J_inverse - Mat3(J_inverse.trace() / 3 * Mat3::Identity());
  const double way = h * std::max(L.norm() * spread.norm(), 0.3 * (J_inverse * m).norm());
  const int intervals =
      static_cast<int>(std::min(1 + std::floor(way / longest_interval), static_cast<double>(most_intervals)));
  Quaternion turn = calc_turn(J_inverse, h / intervals, m);
  for (int i = 1; i < intervals; ++i) turn = turn * calc_turn(J_inverse, h / intervals, m);
  FreeRotation result;
  result.turn = R * calc_logarithm(turn);
  result.R_end = R * calc_matrix(turn);
  result.velocity_end = result.R_end * (J_inverse * (result.R_end.transpose() * L));
  return result;
}

}  // namespace stiction
