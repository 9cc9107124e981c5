#pragma once

#include "stiction/solvers/cone/cone_body_smoothing.h"
#include "stiction/solvers/cone/cone_path.h"

namespace stiction {

/// The default for contacts between bodies, as cone_auto.h is for a matrix. Stages, each from what it needs, until the
/// measured residual is within the tolerance; the best point wins:
///
///   stage              from                  ends                                     reason
///   sweeps             the caller's start    solved, or slow (cone_bodies.h)          cheapest where they converge
///   proximal path      the caller's start    solved, 25 steps, 15 without progress    few steps near an answer
///   Newton path        0                     solved, 80 steps, 20 without progress    surer far from one
///   sweeps, 20         the best so far       after each path                          paths leave single contacts off
///
/// The Newton path is taken where the residual is within 1000 times the tolerance, which is what it may gain, or above
/// 1e-4: a tolerance of 1e-10 is beyond reach of most jammed piles, and 80 factorisations more would not change that.
/// Paths start from the caller's start, not from where sweeps led: points on the boundary of the cones, where Newton's
/// method gets caught. Of 30 problems of boxes, capsules and bricks that sweeps leave at 1e-5 to 1e-3, all are solved
/// to 1e-4 and 23 to 1e-6, by 20 to 50 factorisations on the bodies. Paths are taken where a factorisation costs no
/// more than `worth` = 80 sweeps; else there are sweeps alone. Cost of a factorisation, in sweeps: 5 to 20 with 300
/// boxes, 13 with a wall of 100 bricks, 30 to 70 with 300 capsules, up to 400 with 1000 spheres. Half: capsules have
/// sweeps alone; double: spheres have paths while they fall, which take seconds a step.
class ConeBodyAuto {
 public:
  /// options.aim, enough and threads have no meaning here. options.max_iterations > 0: so many sweeps and nothing else.
  ConeStatus solve(const BodyConeProblem& problem, const ConeOptions& options, VecX& r);

  // Of the last solve:
  double residual() const { return residual_; }
  double residual_of_start() const { return residual_of_start_; }
  int iterations() const { return iterations_; }  ///< sweeps and factorisations
  int factorizations() const { return factorizations_; }

 private:
  void sweep(const ConeOptions& options, const VecX& from);
  void follow(const ConePath& path, const VecX& from);
  void take(const VecX& r, double residual);

  const BodyConeProblem* problem_ = nullptr;
  ConeBodySolver sweeper_;
  ConeBodySmoothing map_;
  VecX start_, trial_, best_;
  double tolerance_ = 0, residual_ = 0, residual_of_start_ = 0;
  int iterations_ = 0, factorizations_ = 0;
};

}  // namespace stiction
