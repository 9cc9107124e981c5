#pragma once

#include <vector>

#include "stiction/multibody/system.h"

namespace stiction {

/// The times at which forces, prescribed motions or surface velocities of a system are not smooth (knots of tables),
/// ascending. Times
/// that differ by no more than rounding count once.
std::vector<double> collect_breaks(const System& system);

}  // namespace stiction
