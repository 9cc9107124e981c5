#pragma once

#include "stiction/math/vector.h"

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
/// two walls steeper than the friction angle turn a velocity of 1e-7 m/s into a force that is off by a tenth.
struct SolvedMeasure {
  /// The old fixed limit: what Newton's method reaches on W where it converges.
  double exact = 1e-10;
  /// Origin: a hundredth of what the verdict accepts of energy (1e-3), so that a hundred steps of one sign are below
  /// it. Of 600 steps in which 99 spheres fall into a bin 28 are unsolved (141 at 1e-10), in 7.1 s; half: 24, 7.7 s;
  /// double: 70, 19 s, another pile: such a motion is chaotic.
  double part = 1e-5;
  double gravity = 0;  ///< [m/s^2]

  /// The residual up to which a problem with this q, in blocks of d, is solved.
  double calc_limit(const VecX& q, int d, double h) const;
};

/// For method.solver_tolerance; 0: not given.
SolvedMeasure make_solved_measure(double solver_tolerance, double gravity);

}  // namespace stiction
