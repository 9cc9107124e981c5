#pragma once

#include <array>
#include <cmath>

namespace stiction::bench {

/// A ball thrown along a plane from above it. One impact under f_n = k x^1.5 (1 + a dx/dt), in which it slides all the
/// while under mu f_n; the run ends before the next.
struct ThrownBall {
  double mass = 2, radius = 0.1;
  double height = 0.6, speed = 5;     ///< of the centre [m, m/s]
  double stiffness = 1e6;             ///< k [N/m^1.5]
  double restitution = 0.5;           ///< e [-]
  double friction = 0.2;              ///< mu [-]
  double transition_velocity = 0.01;  ///< below it friction falls to 0 [m/s]
  double duration = 0.6;

  /// a = d(e) / (e v_i) [s/m], the exact relation (3.23) of gonthier-thesis-2007; d(0.5) by mpmath.
  double damping() const { return 0.71637526663568751403 / (restitution * std::sqrt(2 * 9.81 * (height - radius))); }
};

/// ThrownBall by Simbody's Hunt-Crossley contact and Runge-Kutta-Merson integrator: where it is in the end [m].
class SimbodyBall {
 public:
  SimbodyBall();
  ~SimbodyBall();
  std::array<double, 3> simulate(double accuracy);

 private:
  struct Impl;
  Impl* impl_;
};

/// A ball with an elastic foundation on a rigid half-space, the pressure k x at a point of its surface that is x deep,
/// along the plane's normal. With x = R cos t - h, h = R - depth, dA = 2 pi R^2 sin t dt the force is
///     f = k int x dA = pi k R depth^2                                                                            (1)
struct FoundationBall {
  double radius = 0.1, stiffness = 1e7;  ///< R [m], k [N/m^3]
};
/// FoundationBall by Simbody's ElasticFoundationForce, the ball a mesh of triangles: `resolution` of
/// PolygonalMesh::createSphereMesh.
class SimbodyFoundation {
 public:
  explicit SimbodyFoundation(int resolution);
  ~SimbodyFoundation();
  /// Along the normal, with the ball turned about a horizontal axis [N].
  double calc_force(double depth, double angle);

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace stiction::bench
