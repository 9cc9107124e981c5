#pragma once

#include <string>

#include "stiction/solvers/cone/cone_matrix.h"
#include "stiction/solvers/solve.h"

namespace stiction {

/// Contact with Coulomb friction on the exact cone: find impulses r and velocities u with, for each contact,
///     u = W r + q                                                                                             (1)
///     K* contains  u + mu |E u_t| e_n,   orthogonal to   r in K                                               (2)
///     K = { |E^-1 r_t| <= mu r_n },   K* = { v_n >= mu |E v_t| }                                              (3)
/// Component 0 of a contact is normal, the others tangential: one in the plane, two in space, and in space with a
/// moment against spin three (r_t1, r_t2, r_spin). E = diag(ellipsoid) gives the half-axes of the friction ellipsoid
/// of Chakraborty, Berard, Akella, Trinkle 2007, eq. (5); the plain Coulomb cone has E = 1, and an axis of 0 bears no
/// friction. Term mu |E u_t| makes the largest dissipation of (5) there and the complementarity of the normal
/// direction one statement (De Saxce 1998).
/// Contact reading: W = J M^-1 J' Delassus matrix [1/kg], q velocity without impulses [m/s], r = gamma [N s].
struct ConeProblem {
  ConeMatrix W;    ///< blocks of 2, 3 or 4; need not be symmetric, may be singular
  VecX q;          ///< (d nc)
  VecX mu;         ///< (nc), >= 0
  MatX ellipsoid;  ///< (nc x d-1), >= 0; empty: all 1

  int dimension() const { return W.block_size(); }
  int contacts() const { return W.block_count(); }
};

/// Throws InputError naming every wrong size, every entry that is not finite and every negative mu or half-axis.
void validate(const ConeProblem& problem);

/// Natural-map residual with rho = 1, relative to the data:
///     || r - P_K(r - (u + mu |E u_t| e_n)) || / (1 + ||q||)                                                   (4)
/// Zero exactly at solutions. Independent of every solver. NaN counts as infinite.
double calc_residual(const ConeProblem& problem, const VecX& r);
/// The same where u = W r + q is known.
double calc_residual(const ConeProblem& problem, const VecX& r, const VecX& u);

using ConeStatus = SolveStatus;

struct ConeOptions : SolveOptions {
  ConeOptions() { tolerance = 1e-8; }
  double aim = 0;      ///< below the tolerance: what a search that is needed goes on to if that is cheap; 0: none
  double enough = 0;   ///< a residual from which slow methods are not tried; above it they have a limit. 0: neither
  bool quick = false;  ///< no slow methods at all, and from `enough` on no second factorising method either
  int threads = 1;     ///< for the islands; the result does not depend on it
};

struct [[nodiscard]] ConeResult : SolveOutcome {
  VecX r;
  VecX u;              ///< W r + q
  std::string method;  ///< the method that gave the answer
};

/// Fills u, residual and status from r: what every solver ends with. `stalled` tells how an unsolved run ended.
ConeResult make_cone_result(const ConeProblem& problem, VecX r, double tolerance, bool stalled);

}  // namespace stiction
