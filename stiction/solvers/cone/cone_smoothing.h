#pragma once

#include "stiction/solvers/cone/cone_canonical.h"
#include "stiction/solvers/cone/cone_factor.h"

namespace stiction {

/// Phi of (1) below at one contact, and its norm over all of them.
template <int D>
Eigen::Matrix<double, D, 1> calc_smoothed_map(const Eigen::Matrix<double, D, 1>& x,
                                              const Eigen::Matrix<double, D, 1>& u, double e);
template <int D>
double calc_smoothed_norm(const typename ConeCanonical<D>::Vecs& x, const typename ConeCanonical<D>::Vecs& u, double e);
/// The largest over the contacts of |Phi| against e^2 / (|x| + |y|), the size of the smaller of x and y on the path.
template <int D>
double calc_strict_norm(const typename ConeCanonical<D>::Vecs& x, const typename ConeCanonical<D>::Vecs& u, double e);

/// B and B G of (2) below at one contact.
template <int D>
struct ConeSlope {
  Eigen::Matrix<double, D, D> B, BG;
  /// Does the contact matter to others? One with B = 0 (to 1e-12) takes off.
  bool is_active() const { return B.squaredNorm() > 1e-24; }
};
template <int D>
ConeSlope<D> calc_smoothed_slope(const Eigen::Matrix<double, D, 1>& x, const Eigen::Matrix<double, D, 1>& u, double e);

/// Natural map of the canonical problem with the smoothed projection of cone_smooth_projection.h, and its Newton step:
///     Phi(x) = x - P_e(x - y(x)),   y = u + |u_t| e_0,   u = A x + b                                          (1)
/// Phi = 0 means x o y = e^2 in the Jordan algebra of L, x and y within: the central path of an interior-point method,
/// which needs no interior start; e = 0 is the natural map itself. With B = P_e'(x - y) and G = dy/du the step solves
///     [ (I - B) + B G (A + alpha N) ] dx = -Phi,   N = diag(A)                                                (2)
/// where alpha > 0 is the weight of a proximal term about the current x: it keeps (2) regular when A is singular. By N
/// it is small against A in every row, also where friction is strong: A_00 is 1 / mu^2 there.
/// Contacts with B = 0 are eliminated: dx = -Phi there.
template <int D>
class ConeSmoothing {
 public:
  using Cone = ConeCanonical<D>;
  using Vec = typename Cone::Vec;
  using Mat = typename Cone::Mat;
  using Vecs = typename Cone::Vecs;

  explicit ConeSmoothing(const Cone& cone);

  int count() const { return cone_.count; }
  void calc_velocity(const Vecs& x, Vecs& u) const { stiction::calc_velocity(cone_, x, u); }
  /// A dx
  void multiply(const Vecs& dx, Vecs& du) const;
  double calc_natural_norm(const Vecs& x, const Vecs& u) const { return stiction::calc_natural_norm(cone_, x, u); }
  /// Data of a contact: b.
  const Vec& offset(int contact) const { return cone_.b[contact]; }

  /// The map at x and u = A x + b.
  void update_map(const Vecs& x, const Vecs& u, double e);
  /// dx of (2) for the map last updated. False if (2) is singular.
  bool solve_step(double alpha, Vecs& dx);
  /// Diagonal of N of a contact; 1 where A has none.
  const Vec& proximal(int contact) const { return proximal_[contact]; }

 private:
  void choose_pattern();
  void assemble(double alpha);

  const Cone& cone_;
  ConeFactor<D> factor_;
  Vecs phi_, proximal_;
  std::vector<Mat> B_, BG_;
  std::vector<char> active_;
  std::vector<int> index_;            ///< of a contact in the system, -1 if eliminated
  std::vector<int> start_, columns_;  ///< pattern of the system
  std::vector<Mat> blocks_;
  Vecs right_side_;
};

}  // namespace stiction
