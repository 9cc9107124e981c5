#pragma once

#include <string>

#include "stiction/multibody/system.h"

namespace stiction {

/// What `[method]` says: which formulation, how it is integrated. Described to users in scene/describe_method.cpp.
struct MethodSettings {
  std::string type = "smooth";          ///< the formulation; one table lists them: stepping/stepper.h
  std::string integrator = "rk4";       ///< smooth formulation: one table lists them: stepping/integrators.h
  JointForm joints = JointForm::tree;   ///< how joints are modelled unless a joint says otherwise
  double step = 1e-3;                   ///< fixed step [s]; copied from [time]
  double relative_tolerance = 1e-8;     ///< adaptive integrators [-]
  double absolute_tolerance = 1e-10;    ///< adaptive integrators [SI of each coordinate]
  double max_step = 0;                  ///< adaptive integrators; 0 = the recording interval [s]
  double event_tolerance = 1e-10;       ///< time to which events are located [s]
  double projection_tolerance = 1e-12;  ///< allowed constraint violation after a step [m, rad]
};

}  // namespace stiction
