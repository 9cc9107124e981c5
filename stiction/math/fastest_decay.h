#pragma once

#include "stiction/math/vector.h"

namespace stiction {

/// Of the solutions of dx/dt = A x, exp(lambda t) times an eigenvector, the one that decays fastest.
struct FastestDecay {
  double rate = 0;  ///< max(0, -Re lambda) [1/s]
  int entry = 0;    ///< the largest of its eigenvector
};

/// A square and finite. By the real Schur form, some 25 n^3 operations.
FastestDecay calc_fastest_decay(const MatX& A);

}  // namespace stiction
