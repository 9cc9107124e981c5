#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stiction/math/vector.h"

namespace stiction {

/// An ordinary differential equation dy/dt = f(t, y) with guards, as the integrators see it: they know nothing of bodies.
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
  virtual int guard_count() const = 0;
  virtual void calc_guards(double t, const VecX& y, VecX& guards) = 0;
  /// Times at which f is not smooth: the next one after t, or +infinity.
  virtual double next_break(double t) const = 0;
};

}  // namespace stiction
