#pragma once

#include "stiction/solvers/cone/cone_contact.h"

namespace stiction {

/// Nonlinear block Gauss-Seidel (Jean and Moreau 1992): each contact in turn is solved exactly with the others held,
/// its diagonal block by cone_contact.h. Cheap, and sure for one contact; linear at best, and slow when bodies are
/// stacked or masses differ. Cost of a sweep: one product W r.
[[nodiscard]] ConeResult solve_cone_gauss_seidel(const ConeProblem& problem, const ConeOptions& options = {});

/// The same as a part of other methods: keeps its one-contact solvers between calls.
template <int D>
class ConeSweeper {
 public:
  using Cone = ConeCanonical<D>;
  explicit ConeSweeper(const Cone& cone);
  /// One sweep, forward or backward; x changes. Returns the norm of the change.
  double sweep(typename Cone::Vecs& x, bool backward = false);

 private:
  const Cone& cone_;
  std::vector<ConeContact<D>> contacts_;
};

}  // namespace stiction
