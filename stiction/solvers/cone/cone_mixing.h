#pragma once

#include "stiction/solvers/cone/cone_canonical.h"
#include "stiction/solvers/mixing.h"

namespace stiction {

/// Mixing of Gauss-Seidel sweeps over a canonical problem: from x and g(x) to where the next sweep starts.
template <int D>
class ConeMixing {
 public:
  using Vecs = typename ConeCanonical<D>::Vecs;
  explicit ConeMixing(int contacts);
  /// `x` and `next` may be the same.
  void mix(const Vecs& x, const Vecs& swept, Vecs& next);

 private:
  static constexpr int columns = 5;
  MixingWindow window_{columns};
  MatX f_differences_, g_differences_;
  VecX f_, g_, f_before_, g_before_;
};

}  // namespace stiction
