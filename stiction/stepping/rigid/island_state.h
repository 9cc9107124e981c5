#pragma once

#include "stiction/multibody/system.h"

namespace stiction {

/// The part of a State that belongs to an island, numbered as the island does.
struct IslandState {
  double t = 0;        ///< [s]
  double elapsed = 0;  ///< since the step began: what is left of it does not depend on how far t is from 0 [s]
  VecX q, v;
  Eigen::Array<double, ledger_size, 1> ledger = Eigen::Array<double, ledger_size, 1>::Zero();  ///< since the step began
};

}  // namespace stiction
