#pragma once

#include <limits>
#include <memory>

#include "stiction/contact/contact_law.h"
#include "stiction/stepping/method.h"
#include "stiction/stepping/rigid/island_state.h"
#include "stiction/stepping/rigid/tolerances.h"

namespace stiction {

class RigidStep;

/// How friction is posed.
enum class FrictionForm {
  cone,        ///< the exact cone (solvers/cone/cone.h)
  polyhedral,  ///< a pyramid of `directions` edges (stewart-trinkle-2000, eqs 13-20)
};

/// Where in a step what is taken: the coefficients of (1) and (2) in Formulation.
struct TimeScheme {
  double theta = 1;          ///< weight of the end velocity in positions
  double geometry = 0;       ///< s = q + geometry h v
  double force_ahead = 0;    ///< forces are taken at q + force_ahead h v, velocities likewise; 0: at the start
  bool implicit = false;     ///< s, M and forces follow the solution
  bool mean_flight = false;  ///< clusters without impulses move by the mean of their velocities whatever theta
  /// Where s is the end of the step, gaps and constraints change from there by u+ - u(v_linear): b_G of (2) is G v.
  bool is_at_end() const { return geometry == 1; }
};

/// One (sub)step, of length h.
struct StepTask {
  const IslandState& from;
  double h = 0;
  TimeScheme scheme;
  bool locating = true;  ///< contacts whose time of impact is sought have no part in (2)
};

/// One contact as (2) sees it.
struct ContactAtS {
  double gap = 0;          ///< at s [m]
  double gap_start = 0;    ///< at the start of the (sub)step: gap - geometry h speed [m]
  double speed = 0;        ///< of the gap on the way to s, and at which it is linearised there [m/s]
  double closed_gap = 0;   ///< gaps below it touch [m]
  double h = 0, step = 0;  ///< this (sub)step, a whole step [s]
  double slack = 0;        ///< jammed islands: gaps at the start up to this count as 0; else 0 [m]
  double touching = 0;     ///< likewise, of this contact: more where it was loaded before [m]
};

/// Overlaps that are left as they are at the end of a step.
struct AllowedOverlap {
  double overlap = std::numeric_limits<double>::infinity();  ///< [m, rad]
  double part = 0;      ///< likewise, as part of the size of a pair: the larger of both counts
  bool roughly = true;  ///< others are corrected by so many sweeps only as a step can afford
};

/// A rigid formulation: one step of length h from (q, v), impulses and velocities its unknowns, with s the
/// configuration at which contacts, M and constraints G are evaluated:
///     v+ = v_free + M^-1 (G' lambda + J' r),   q+ = q + h ((1 - theta) v + theta v+)                           (1)
///     0 <= r_n  orthogonal to  u_n+ >= bound,   friction by r_t and u_t+,   G v+ = -phi(s)/h + b_G             (2)
/// so that impacts, sticking and jamming need no case distinction. v_free: free_motion.h, free_flight.h.
/// Each formulation is a file, formulation_NAME.cpp: its equations, its bound, and its step, written in the parts that
/// all share (rigid_step.h). It inherits from nothing but this interface.
///
/// JAMMED ISLANDS (more than MethodSettings::located_contacts are loaded): gaps there can neither be opened nor closed
/// to first order against friction, and impulses would grow from sweep to sweep in the attempt. Gaps up to a slack
/// therefore count as 0 in (2), and overlaps are left to the position correction.
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual FrictionForm friction() const = 0;
  /// `locating`: impacts inside the step are located; else it is the rest of a step in which they are not: every
  /// contact is in (2), restitution acts where the gap closes in free motion: of first order.
  virtual TimeScheme scheme(bool locating) const = 0;
  /// (1) and (2): from task.from to `to`.
  virtual void take(RigidStep& parts, const StepTask& task, IslandState& to) const = 0;
  /// The bound of u_n+ in (2) [m/s].
  virtual double calc_bound(const ContactAtS& contact) const = 0;
  /// Is the time of impact of such contacts sought?
  virtual bool is_located(const RigidLaw& law) const = 0;
  /// `slack`: of a jammed island, else 0.
  virtual AllowedOverlap allowed_overlap(double slack) const = 0;
  /// Bodies with contacts turn by no more in a (sub)step [rad]; see RigidTolerances::passing_turn.
  virtual double most_turn(const RigidTolerances& tolerances) const { return tolerances.passing_turn; }
  /// An unsolved (sub)step is halved and taken again, so often at most.
  virtual int halvings() const { return 0; }
};

std::unique_ptr<Formulation> make_cone(const MethodSettings& settings, const RigidTolerances& tolerances);
std::unique_ptr<Formulation> make_stewart_trinkle(const MethodSettings& settings, const RigidTolerances& tolerances);
std::unique_ptr<Formulation> make_berard(const MethodSettings& settings, const RigidTolerances& tolerances);
std::unique_ptr<Formulation> make_anitescu_potra(const MethodSettings& settings, const RigidTolerances& tolerances);
std::unique_ptr<Formulation> make_geometric_implicit(const MethodSettings& settings, const RigidTolerances& tolerances);
/// By settings.type.
std::unique_ptr<Formulation> make_formulation(const MethodSettings& settings, const RigidTolerances& tolerances);

// What several formulations share:
/// -gap/h + speed, where overlaps from the start are opened at the pace of whole steps: in a short rest of a step 1/h
/// would make an impact of rounding. `speed`: of the gap where it is linearised at s, else 0.
double calc_closing_bound(double gap, double gap_start, double speed, double h, double step);
/// The same of a contact; in jammed islands by the slack.
double calc_position_bound(const ContactAtS& contact, double speed);
/// Overlaps are left to (2); in jammed islands they are corrected beyond the slack.
AllowedOverlap leave_overlaps(double slack);

}  // namespace stiction
