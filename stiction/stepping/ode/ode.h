#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// An ordinary differential equation with switches, as the integrators see it: they know nothing of bodies.
///     dy/dt = f(t, y; modes),   y on a manifold,   modes change where guards change sign                   (1)
/// Each guard has one mode. f is computed for the modes as they are, however the guards stand, so that it stays smooth
/// inside a step that runs over an event.
class OdeProblem {
 public:
  virtual ~OdeProblem() = default;
  virtual int size() const = 0;
  /// dy = f(t, y). May yield non-finite numbers: the integrator checks.
  virtual void calc_derivative(double t, const VecX& y, VecX& dy) = 0;
  /// Symplectic methods: y+ from the derivative at y, new velocities first. Advances y by h.
  virtual void apply_semi_implicit(double t, double h, VecX& y) = 0;
  /// Bring y back onto its manifold (unit quaternions, constraints, prescribed motion) after a step. False: impossible.
  virtual bool project(double t, VecX& y) = 0;
  /// Does project() change more than rounding? Multistep methods need to know (constraints).
  virtual bool has_constraints() const = 0;
  /// By how much the tolerance of each entry is widened: 1, or more for what must not govern the step (size() numbers).
  virtual const VecX& tolerance_factors() const = 0;

  virtual int guard_count() const = 0;
  virtual void calc_guards(double t, const VecX& y, VecX& guards) = 0;
  /// The mode under which f is computed: true belongs to guard > 0, false to guard <= 0.
  virtual bool mode(int guard) const = 0;
  virtual void set_mode(int guard, bool mode) = 0;
  /// A guard has changed sign at (t, y), after an accepted step: the mode is set, and entries of y that change by
  /// events only may be too.
  virtual void switch_mode(int guard, bool mode, double, VecX&) { set_mode(guard, mode); }
  /// The same at the end (t, y) of a step that has run over the event, which was near (t_event, y_event).
  virtual void switch_mode_late(int guard, bool mode, double /*t_event*/, const VecX& /*y_event*/, double t, VecX& y) {
    switch_mode(guard, mode, t, y);
  }

  /// Times at which f is not smooth: the next one after t, or +infinity.
  virtual double next_break(double t) const = 0;
};

struct OdeSettings {
  double step = 1e-3;                ///< fixed-step methods [s]
  double step_origin = 0;            ///< of the grid on which they step [s]
  double relative_tolerance = 1e-8;  ///< adaptive methods [-]
  double absolute_tolerance = 1e-10;
  double max_step = std::numeric_limits<double>::infinity();  ///< adaptive methods [s]
  double event_tolerance = 1e-10;                             ///< to which adaptive methods locate events [s]
};

enum class OdeStatus {
  ok,
  not_finite,         ///< y or f(t, y) is not finite
  projection_failed,  ///< project() found no point on the manifold
  step_too_small,     ///< the error control asks for less than the time's precision resolves
};

/// A guard changed sign and its mode was switched.
struct OdeEvent {
  double t = 0;
  int guard = 0;
  bool mode = false;  ///< the new one
};

/// What a call of advance() did.
struct OdeReport {
  OdeStatus status = OdeStatus::ok;
  double h = 0;         ///< advance of the integrator; 0 if it only interpolated [s]
  int evaluations = 0;  ///< of f
  int rejected = 0;     ///< trial steps given up
  std::vector<OdeEvent> events;

  void clear() {
    status = OdeStatus::ok;
    h = 0, evaluations = 0, rejected = 0;
    events.clear();
  }
};

/// A method bound to a problem. Owns its scratch memory.
class OdeIntegrator {
 public:
  virtual ~OdeIntegrator() = default;
  /// Move (t, y) on by at most one step and never beyond t_limit > t; progress is made in every call that succeeds. On
  /// failure t and y stay. If (t, y) is not what the last call left, the history is dropped. The report is valid until
  /// the next call.
  virtual const OdeReport& advance(double& t, VecX& y, double t_limit) = 0;
  /// Drop the history: the modes were changed from outside.
  virtual void forget() = 0;
  /// Can all that determines the future be saved at (t, y)? False while a method has a history that cannot.
  virtual bool can_checkpoint(double t, const VecX& y) const = 0;
  /// What beside (t, y) and the modes determines the future. Only where can_checkpoint(); the steps that follow are
  /// those that would have followed without it.
  virtual std::vector<double> checkpoint(double t, const VecX& y) = 0;
  virtual void restore(double t, const VecX& y, const std::vector<double>& memory) = 0;
  /// The trial values on which the last failure was seen.
  virtual const VecX& trial() const = 0;
};

/// 0 x is 0 for a finite x and NaN otherwise: no branches and no overflow.
inline bool is_finite(const VecX& x) {
  return (0.0 * x.array()).sum() == 0;
}

}  // namespace stiction
