#pragma once

#include <string>

#include "stiction/multibody/joint_form.h"

namespace stiction {

/// What `[method]` says: which formulation, how it is integrated. Described to users in scene/describe_method.cpp.
struct MethodSettings {
  std::string type;                     ///< the formulation (stepping/stepper.h lists them); "": by choose_formulation
  std::string integrator = "rk4";       ///< smooth formulation: one table lists them: stepping/ode/integrators.h
  JointForm joints = JointForm::tree;   ///< how joints are modelled unless a joint says otherwise
  double step = 1e-3;                   ///< fixed step [s]; copied from [time]
  double step_origin = 0;               ///< a fixed step ends at step_origin + k step [s]
  double relative_tolerance = 1e-8;     ///< adaptive integrators [-]
  double absolute_tolerance = 1e-10;    ///< adaptive integrators [SI of each coordinate]
  double max_step = 0;                  ///< adaptive integrators; 0 = the recording interval [s]
  double event_tolerance = 1e-10;       ///< time to which events are located [s]
  double projection_tolerance = 1e-12;  ///< allowed constraint violation after a step [m, rad]

  // Rigid formulations (stepping/rigid/formulation.h):
  double theta = 0.5;      ///< cone: 0.5 is of second order in smooth phases, 1 is the implicit Euler method
  int directions = 8;      ///< polyhedral friction: edges of the pyramid in space
  bool nonlinear = false;  ///< stewart_trinkle: section 3.4
  double nonlinear_tolerance = 1e-12;  ///< change of the velocities between two iterations [m/s, rad/s]
  int nonlinear_iterations = 50;
  double solver_tolerance = 0;  ///< on the residual of each step's contact problem; 0: rigid/solved_measure.h
  int impacts = 8;              ///< impacts located inside a step before the rest of it is taken at once
  int located_contacts = 60;    ///< impacts are located in islands of up to so many loaded contacts
  bool settle = false;          ///< move apart what overlaps at the start
  double sleep = 0;             ///< time after which bodies at rest sleep; 0: never [s] (stepping/rigid/sleeping.h)
  double sleep_speed = 1e-4;    ///< of a body's fastest point, up to which it is at rest [m/s]
  int threads = 1;              ///< on which islands are advanced, patches integrated; no result depends on it
  bool strict = false;          ///< a run stops at the first step that is not trustworthy (results/verdict.h)
};

}  // namespace stiction
