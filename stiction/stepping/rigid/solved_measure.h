#pragma once

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// When is a contact problem solved? Residual (4) of solvers/cone/cone.h, times 1 + ||q||, is a velocity: the change of
/// u that makes r an exact solution, for contacts that bear more than their own error. Where the user gives
/// method.solver_tolerance, that is the limit of the residual. Else a group of contacts that is solved on its bodies
/// (rigid_solver.h) is solved where this velocity is a small part of those that its impulses change:
///     residual (1 + ||q||) <= part sqrt( sum_i (h g)^2 + [q_ni < 0] |q_i|^2 )                                   (1)
/// or the residual is within `exact`. (h g is what a step of weight makes; q_i what a contact that closes must stop; h
/// = 0 where q has no weight in it.) So each contact may leave, in the mean, a part of the speed that a body gains by
/// its weight in a step: positions are right to that part of g h^2, 2.5e-9 m at 5 ms, and forces to that part of the
/// weights where bodies are not wedged.
///
/// Problems solved on W are sought to `exact` and beyond (ConeOptions::aim), where that is cheap. (1) is not for them:
/// two walls steeper than the friction angle turn a velocity of 1e-7 m/s into a force that is off by a tenth. What
/// methods that are cheap leave of a group is its solution where (1) holds with the smaller part `part_of_hard` and the
/// impulses are moderate: none more than ten times what stops all contacts of the group at once, each alone,
///     r_ni <= 10 sum_j |q_j| / W_njnj                                                                          (2)
/// as a wedge has no finite impulses, but residuals that fall as they grow.
struct SolvedMeasure {
  /// The old fixed limit: what Newton's method reaches on W where it converges.
  double exact = 1e-10;
  /// Origin: a hundredth of what the verdict accepts of energy (1e-3), so that a hundred steps of one sign are below
  /// it. Of 600 steps in which 99 spheres fall into a bin 28 are unsolved (141 at 1e-10), in 7.1 s; half: 24, 7.7 s;
  /// double: 70, 19 s, another pile: such a motion is chaotic.
  double part = 1e-5;
  /// Of problems on W that cheap methods do not solve to `exact`. Origin: a hundredth of `part`, as walls steeper than
  /// the friction angle turn 1e-5 of the velocities into a tenth of a force.
  double part_of_hard = 1e-7;
  double gravity = 0;  ///< [m/s^2]

  /// The residual up to which a problem with this q, in blocks of d, is solved.
  double calc_limit(const VecX& q, int d, double h) const { return calc_limit(part, q, d, h); }
  /// The same of a problem on W for (2).
  double calc_limit_of_hard(const VecX& q, int d, double h) const { return calc_limit(part_of_hard, q, d, h); }
  /// Is r, whose residual is known, a solution of a problem on W?
  bool accepts(const ConeProblem& problem, const VecX& r, double residual, double h) const;

 private:
  double calc_limit(double part_of_velocities, const VecX& q, int d, double h) const;
};

/// For method.solver_tolerance; 0: not given.
SolvedMeasure make_solved_measure(double solver_tolerance, double gravity);

}  // namespace stiction
