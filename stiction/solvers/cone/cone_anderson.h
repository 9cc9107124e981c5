#pragma once

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/solvers/cone/cone_canonical.h"

namespace stiction {

/// Anderson acceleration of Gauss-Seidel sweeps over a canonical problem: from x and g(x) to where the next sweep
/// starts.
template <int D>
class ConeAnderson {
 public:
  using Vecs = typename ConeCanonical<D>::Vecs;
  explicit ConeAnderson(int contacts);
  /// `x` and `next` may be the same.
  void accelerate(const Vecs& x, const Vecs& swept, Vecs& next);

 private:
  AndersonAcceleration acceleration_{5};
  VecX x_, g_;
};

}  // namespace stiction
