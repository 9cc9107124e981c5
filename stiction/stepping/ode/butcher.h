#pragma once

#include <array>
#include <initializer_list>

#include "stiction/math/vector.h"

namespace stiction {

inline constexpr int max_stages = 7;
using Stages = std::array<VecX, max_stages>;

/// A weighted sum of stage derivatives with the zero weights left out.
struct StageSum {
  int count = 0;
  std::array<int, max_stages> stage{};
  std::array<double, max_stages> weight{};
};
StageSum make_stage_sum(std::initializer_list<double> weights);

/// out = y + h sum_j weight_j k_j, in one pass. `out` must be none of the others.
void add_stages(const StageSum& sum, double h, const VecX& y, const Stages& k, VecX& out);
/// out = h sum_j weight_j k_j.
void calc_stage_sum(const StageSum& sum, double h, const Stages& k, VecX& out);

/// Explicit Runge-Kutta method (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.1):
///     k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j),   y+ = y + h sum_i b_i k_i                              (1)
struct Tableau {
  int stages = 0;
  std::array<double, max_stages> c{};
  std::array<StageSum, max_stages> a{};
  StageSum b;
};

const Tableau& tableau_euler();             ///< order 1
const Tableau& tableau_midpoint();          ///< order 2
const Tableau& tableau_bogacki_shampine();  ///< order 3: Bogacki and Shampine, Appl. Math. Lett. 2(4), 1989
const Tableau& tableau_classical();         ///< order 4: Kutta 1901
/// Order 5: Dormand and Prince, J. Comput. Appl. Math. 6(1), 1980. Six stages; the seventh, at y+, serves error and
/// dense output of the adaptive method.
const Tableau& tableau_dormand_prince();

}  // namespace stiction
