#pragma once

#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/cone/cone_bodies.h"

namespace stiction {

/// The units in which impulses are sought. Residuals add impulses to velocities (solvers/cone/cone.h, (4)): with masses
/// of 1e-10 kg every impulse is below every tolerance, and with 1e10 kg no impulse is exact enough. Where an entry W_ii
/// of a normal row is beyond 1e-3 ... 1e3 1/kg, the impulses of its group are measured by the nearest power of 2 to c =
/// mean(diag W):
///     r' = c r,   W' = W / c,   u = W' r' + q as before                                                        (1)
class ImpulseUnits {
 public:
  /// Of a posed problem and the guess of its solution, group by group.
  void apply(ConeProblem& problem, VecX& r);
  /// The same of one group as bodies.
  void apply(BodyConeProblem& problem, VecX& r);
  /// Back to N s.
  void restore(VecX& r) const;

 private:
  VecX scale_;  ///< of each number of r; empty: 1
};

/// c of a matrix; 1 where nothing is to be scaled.
double calc_impulse_unit(const ConeMatrix& W);

}  // namespace stiction
