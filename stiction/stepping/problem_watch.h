#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

/// What stands behind a contact problem before velocities and joint impulses are eliminated from it
/// (cooking-complementarity-2006, (34)), all of it at the configuration s at which the formulation takes it, for the
/// coordinates of one island that are not prescribed:
///     M (v+ - v_free) = G' lambda + J' r,   G v+ = G v_kept,   r = E z                                          (1)
///     W = J A J' + compliance of layers,   A = M^-1 - M^-1 G' (G M^-1 G')^-1 G M^-1                             (2)
/// cone: u = W r + q, its problem is in r itself; pyramids: w = E' (W E z + q) + ..., the problem that was posed.
/// v_free: v after a step's forces; v_kept: v_free made to keep the constraints. What u and w have besides J v: the gap
/// over h, restitution, driven bodies and belts.
struct PosedStep {
  double t_s = 0;                ///< time of s [s]
  double h = 0;                  ///< of the (sub)step; 0: an impact, or a correction of positions [s]
  bool moves_positions = false;  ///< a correction of positions: v are displacements, u gaps
  std::vector<std::string> velocities, constraints, rows, unknowns;  ///< what the entries are called
  MatX M, G, J, W;                                                   ///< of rows that stand for something
  MatX E;                                                            ///< rows x unknowns; pyramids
  VecX v_start, v_free, v_kept, v_end, phi, lambda, r, mu;           ///< mu: of the rows' contacts
  VecX q;                                                            ///< cone: of the rows
  double misfit = 0;                                                 ///< largest entry of (1) that is left [N s, N m s]
};

/// A contact problem of a step as it was posed, in SI units, and what came out. Steps may have several: one an island,
/// one a located impact, one a round of the active set. Without unknowns: nothing touches.
struct SolvedProblem {
  double t = 0;           ///< at the start of the step [s]
  std::int64_t step = 0;  ///< its number, from 0
  std::variant<ConeProblem, MlcpProblem> problem;
  VecX solution;        ///< impulses r, or z
  double residual = 0;  ///< as measured
  int iterations = 0;
  bool converged = true;
  std::function<PosedStep()> take_apart;  ///< may be called while the watch is
};

using ProblemWatch = std::function<void(const SolvedProblem&)>;

}  // namespace stiction
