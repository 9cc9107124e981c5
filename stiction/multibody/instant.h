#pragma once

#include "stiction/multibody/kinematics.h"

namespace stiction {

/// An instant at which elements and constraint rows are evaluated: a state without its modes, and its kinematics. What
/// only needs positions asks for no more of the kinematics.
struct Instant {
  const System& system;
  const Kinematics& kinematics;
  double t;
  const VecX& q;
  const VecX& v;
  const VecX& z;
};

}  // namespace stiction
