#pragma once

namespace stiction::bench {

/// A ball (2 kg, 0.1 m) dropped without spin from 0.5 m above a plane with f = 1e6 x^1.5, no damping, no friction, for
/// one second, by Simbody's Hunt-Crossley contact and Runge-Kutta-Merson integrator. Its height [m] in the end.
class SimbodyBall {
 public:
  SimbodyBall();
  ~SimbodyBall();
  double simulate(double accuracy);

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace stiction::bench
