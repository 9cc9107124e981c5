#include "stiction/multibody/mass_entries.h"

namespace stiction {

void calc_mass_matrix(const System& system, const Kinematics& k, TreeDynamics& t, MatX& M) {
  M.setZero(system.nv, system.nv);
  calc_mass_entries(k, t, [&](int i, int j, double m) { M(i, j) = M(j, i) = m; });
}

}  // namespace stiction
