#pragma once

namespace stiction {

/// What is done where a step of an island cannot be had as the formulation asks, in this order. Each stage acts on one
/// island only, has a budget, and is counted in the audit.
///
// clang-format off
///   stage                condition                                             budget             then
///   active set           a contact without a row closes after the solve,       active_set         unconverged
///                        or a layer reaches or leaves its core
///   damping forces       Coriolis forces of joints, theta < 1 also those       force_iterations   halving
///                        of dampers and motors, change v
///   turning              bodies on joints turn by more than most_turn, those   turning_parts      longer parts
///                        with contacts by more than Formulation::most_turn
///   tolerated gaps       cone: unsolved, or impulses beyond bound              1 solve            as solved
///   Newton's method      geometric_implicit: all but 8 iterations used         20 steps           Anderson
///   halving              forces that depend on velocities are not found        force_halvings     unconverged
///                        geometric_implicit: unsolved                          Formulation::halvings  unconverged
///   passing              bodies overlap on the way, not at its ends            passing_steps      counted
///   time of impact       an open contact is closed at the end of the step      trial_steps        its closed end
///   next impact          another impact in the same step                       method.impacts     first order
///   first order          budget spent; or an impact may come, or comes, where   rest of the step   counted
///                        more than method.located_contacts are loaded
///   impact increments    slip turns or stops often during an impact            400 a phase        the rest at once
///   restitution          an impact would create energy                         restitution        the largest part that does not
///   position correction  overlaps beyond what the formulation leaves           correction         unconverged
///   reach                a body leaves the region where contacts are known     doubles            the island is taken again
///   wake                 an impulse acts on a sleeper                          once a group       the island is taken again
// clang-format on
///
/// The solver has stages of its own (solvers/cone/cone_auto.h, rigid_solver.h).
struct FailurePolicy {
  int active_set = 20;
  int force_iterations = 20;
  /// The iteration of forces contracts with h w, w the angular velocity that impulses leave: one that grows gains
  /// energy without bound.
  int force_halvings = 10;
  int turning_parts = 100;
  int trial_steps = 60;
  int passing_steps = 20;
  int restitution = 30;  ///< bisections
  int halved_parts = 2;  ///< of a step, for which all halvings may be used
  int correction = 5, settle_correction = 100;
};

}  // namespace stiction
