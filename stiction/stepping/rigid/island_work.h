#pragma once

#include "stiction/stepping/rigid/free_step.h"
#include "stiction/stepping/rigid/rigid_solver.h"
#include "stiction/stepping/rigid/step_problem.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// What all parts of a step work on: one island at a time.
struct IslandWork {
  explicit IslandWork(const RigidModel& of);
  const RigidModel& model;
  StepProfile profile;
  StepRows rows;
  ContactSearch search;
  ContactTracker tracker;
  FreeStep free;
  RigidSolver solver;
  Kinematics kinematics;  ///< of the last problem posed
  Jam jam;
  ContactAudit audit;  ///< of the part of the step that is being taken
  /// Where the solver's problem is posed, for who watches (posed_step.h).
  struct Posed {
    double t_s = 0, h = 0;
    const VecX *v_start = nullptr, *v_free = nullptr, *v_kept = nullptr;
    const std::vector<Contact>* contacts = nullptr;
    bool moves_positions = false;
  } posed;

  void begin(const Island& island, const IslandState& start, const State& whole, const Kinematics& at_start,
             const std::vector<double>& reach, const Sleeping& sleeping);
  void note(const RigidSolver::Result& result);
  /// u after the impulses, which methods that smooth leave on contacts that open: negligible ones are removed.
  void calc_end_velocities(const VecX& u_free, const VecX& q, SolvedContacts& solved);
};

}  // namespace stiction
