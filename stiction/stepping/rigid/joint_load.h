#pragma once

#include "stiction/multibody/equations.h"
#include "stiction/stepping/contact_record.h"
#include "stiction/stepping/rigid/rigid_model.h"

namespace stiction {

/// The load L of joints whose friction grows with it, (8) of multibody/force.h, in rigid formulations:
///     T_C = friction + k L,   dL/dt = (R - L) / load_time                                                       (1)
/// R, the size of the reaction force, is that at the end of a step under the forces of the elements there and the mean
/// forces of the step: impulses of contacts, and of limits and friction of joints, over h. L follows it as (1) does
/// while R is constant,
///     L+ = R + (L - R) exp(-h / load_time)                                                                      (2)
/// so that friction is as in the integrated formulations, but for bristles.
/// DEPARTURES: the friction of a step has the L of its start: it lags by h and is of first order whatever the order of
/// the formulation. R is that of accelerations; that of the step's velocities differs by O(h). An impact is in R with
/// its impulse p over h: by (2) the friction impulse that it causes is k p, in all, spread over load_time behind it.
/// L starts with the reaction that there is without contacts.
/// LIMIT: as of (8). Of reactions that redundant constraints leave open Equations chooses one.
/// Cost: one evaluation of the system a step, where a joint asks for it.
class JointLoad {
 public:
  explicit JointLoad(const RigidModel& model) : model_(model) {}
  /// L in `end`, the state at the end of a step of length h with these contacts, forces of limits and friction in its z
  /// (NamedJoint::row_force_start). `equations`: of the system; their results become those of this instant.
  void update(const std::vector<ContactRecord>& contacts, double h, Equations& equations, State& end);

 private:
  const RigidModel& model_;
  StepLoads loads_;
};

}  // namespace stiction
