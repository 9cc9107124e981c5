#pragma once

#include <array>
#include <utility>
#include <vector>

#include "stiction/math/pivoted_cholesky.h"
#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// What the impulse of one contact changes of the velocities v of the bodies: in each part, v of first, ..., first +
/// size - 1 changes by rows' r; rows (d x size) are stored one after the other. The diagonal of the inverse mass (size
/// x size) makes velocities of different units comparable.
struct ImpulseMotion {
  struct Part {
    int first = 0, size = 0;
    const double* rows = nullptr;
    const double* inverse_mass = nullptr;
  };
  std::array<Part, 2> parts;
};

/// The impulses of least norm among all that give the same velocities. Where more impulses act than the motion
/// determines (W singular), a solution (r*, u*) of cone.h is one of many with the same u. With a compliance eps C at
/// the contacts, u = (W + eps C) r + q, impulses are unique. Without friction the step is the minimum of
/// r'(W + eps C) r / 2 + q'r, and its limit for eps -> 0 is, of all minima with eps = 0, the one that minimises
///     1/2 r'C r   subject to   G'r = G'r*,   r_i in F_i                                                         (1)
///     G' r: the change of the bodies' velocities
///     F_i = { 0 }                  where the contact opens, u_n > 0
///         = { rho r*_i, rho >= 0 } where it slips (without an impulse: r*_i by the direction of slip)
///         = K_i                    where it sticks: u = 0
///     C = diag(1, E^-2): the same compliance at all contacts and in all directions; an axis of the friction ellipsoid
///         scales it, which gives moments against spin the unit of an impulse.
/// (1) is strictly convex: its solution does not depend on r*, but for u*, and has the symmetries of the problem.
///
/// With friction (1) is that limit as long as no contact that sticks reaches its cone. DEPARTURE where one does: bodies
/// would creep there by eps and keep their normal distance; in (1) they also part by mu times the creep (the associated
/// law). The limit itself need not be unique then; (1) is.
///
/// With x = C^(1/2) r of the contacts that are not open, and the columns of G scaled to length 1:
///     x = P_F(G y),   G'P_F(G y) = G'x*                                                                        (2)
/// the gradient of |P_F(G y)|^2 / 2 - y'G'x* = 0, by Newton's method with a line search; P_F on a cone in closed form.
/// (G'G) y = G'x* solves it where no contact reaches its cone: that is tried first. Newton's method takes 3 to 15 steps
/// otherwise. It does not end where (2) has no solution, as there is but one point in all cones: r* stays then.
///
/// Rank: pivots of G'G, scaled to unit diagonal, below 1e-13 count as 0 (half or double: nothing changes in the towers
/// and tables of the tests, whose pivots are above 1e-6 or below 1e-15); so do columns below 1e-12 of the largest of
/// their part, which are rounding of velocities that the contacts do not change.
/// Cost: n (6 d)^2 for n contacts and v^3 / 3 for v velocities, in each step.
class ConeLeastNorm {
 public:
  struct [[nodiscard]] Result {
    int undetermined = 0;  ///< components of loaded contacts less the rank of their G
    double part = 0;       ///< by how much, of itself, the largest normal impulse may differ, at least; at most 1e6
    bool is_found = true;  ///< false: r is as it was
    bool has_changed = false;
  };
  /// Of the named contacts, which no others act on. `u` = W r + q and `motions` of the whole problem; velocities up to
  /// `still` count as 0 [m/s]. Contacts with `is_held` keep their r.
  Result apply(const ConeProblem& problem, const std::vector<int>& contacts, const std::vector<char>& is_held,
               const std::vector<ImpulseMotion>& motions, const VecX& u, double still, VecX& r);

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;
  using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  /// Rows of G of one contact in the columns of one part.
  struct SetPart {
    int column = 0, size = 0, pool = 0;
  };
  /// One contact that is not open: r = B x.
  struct Set {
    int contact = 0;
    int start = 0, size = 0;  ///< in x; size 1: a ray
    double slope = 0;         ///< |x_t| <= slope x_n
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4> B;
    std::array<SetPart, 2> parts;
  };

  void find_sets(const ConeProblem& problem, const std::vector<int>& contacts, const std::vector<char>& is_held,
                 const VecX& u, double still, const VecX& r);
  static Set make_ray(const Small& direction, const Small& axes);
  static Set make_cone(double mu, const Small& axes);
  void fill_rows(const std::vector<ImpulseMotion>& motions, int d);
  Rows rows(const Set& set, std::size_t part) {
    return {pool_.data() + set.parts[part].pool, set.size, set.parts[part].size};
  }
  void expand(const VecX& y, VecX& z);
  void collect(const VecX& x, VecX& sum);
  double project(const VecX& z, VecX& x) const;
  /// G' V G, V the derivative of P_F at z; z empty: G'G.
  void calc_hessian(const VecX& z, MatX& hessian);
  bool solve();
  void drop_unloaded();
  double calc_spread();
  double calc_room(const VecX& direction, double sign) const;

  std::vector<Set> sets_;
  std::vector<double> pool_;                 ///< G
  std::vector<int> column_of_v_;             ///< -1: none
  std::vector<std::pair<int, int>> ranges_;  ///< of the columns of a part: the first, how many
  int columns_ = 0;
  VecX known_, x_, y_, z_, g_, target_, step_, trial_, trial_g_, direction_, scale_;
  MatX gram_, hessian_;
  PivotedCholesky factor_, newton_;
};

}  // namespace stiction
