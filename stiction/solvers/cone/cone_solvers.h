#pragma once

#include <span>
#include <string_view>

#include "stiction/solvers/cone/cone_auto.h"

namespace stiction {

/// A method of the family: functions of one signature, listed in one table.
struct ConeSolver {
  std::string_view name;
  ConeResult (*solve)(const ConeProblem&, const ConeOptions&, ConeWorkspace&);
  std::string_view sentence;
};

/// automatic, gauss_seidel, newton, proximal
std::span<const ConeSolver> cone_solvers();
/// Null if there is none of that name.
const ConeSolver* find_cone_solver(std::string_view name);

}  // namespace stiction
