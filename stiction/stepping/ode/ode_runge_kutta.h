#pragma once

#include "stiction/stepping/ode/butcher.h"
#include "stiction/stepping/ode/ode_fixed.h"

namespace stiction {

/// Explicit Runge-Kutta method with a fixed step: (1) of butcher.h with any tableau. Departure from the textbook: y+ is
/// projected onto the manifold of the problem, which changes it by no more than the error of the step (Hairer, Lubich,
/// Wanner, Geometric Numerical Integration, 2006, IV.4), so the order stays. A jump of f at the start or the end of a
/// step belongs to the side it is seen from; one inside a step is not located. Cost: one evaluation of f a stage.
class RungeKutta final : public FixedStepIntegrator {
 public:
  RungeKutta(OdeProblem& problem, const OdeSettings& settings, const Tableau& tableau);

 private:
  int calc_step(double t, double h, const VecX& y, VecX& y_new) override;
  /// The times at which f is evaluated first and last: inside of breaks at the ends of the step.
  struct Sides {
    double first, last;
  };
  Sides find_sides(double t, double h) const;

  const Tableau& tableau_;
  Stages k_;
  VecX y_stage_;
};

/// v+ = v + h dv(q, v),  q+ = q (+) h v+ (exponential map for rotations),  z+ = z + h dz(q, v): forces and the rates of
/// z at the start of the step. First order; symplectic for forces that depend on positions only.
class SemiImplicitEuler final : public FixedStepIntegrator {
 public:
  using FixedStepIntegrator::FixedStepIntegrator;

 private:
  int calc_step(double t, double h, const VecX& y, VecX& y_new) override;
};

}  // namespace stiction
