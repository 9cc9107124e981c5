#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "stiction/multibody/force.h"

namespace stiction {

/// Controllers, as data: sampled every `sample_time`, their output held until the next sample (force.h, HeldForce).
/// stepping/control/control_sampler.h evaluates them.

/// On a joint coordinate q with the target q_d(t), T the sample time and all measured `delay` samples ago:
///     e = q_d - q,   s += T e,   u = kp e + ki s + kd (dq_d/dt - dq/dt) + g(q),   clipped to +-limit            (1)
/// g(q): what holds the bodies that the joint carries against gravity. While u is clipped, s is not increased.
struct JointControl {
  CoordinateRef coordinate;
  TimeFunction target = make_constant(0);
  double proportional = 0;  ///< kp [N m/rad]
  double integral = 0;      ///< ki [N m/(rad s)]
  double derivative = 0;    ///< kd [N m s/rad]
  double limit = std::numeric_limits<double>::infinity();
  bool gravity = false;
};

/// A wrench F = [moment; force] on a body at a point with the commanded place x_c, orientation R_c and velocities v_c,
/// w_c; theta: rotation vector from the body's orientation to R_c. World axes.
///     impedance:   x_c = x_d(t), R_c as at the start,  F = [K_r theta - C_r w;  K (x_c - x) + C (v_c - v)] + G   (2)
///     admittance:  w_c = w_d(t) + Y_r dead(m),   v_c = v_d(t) + Y dead(f),
///                  R_c = exp(T w_c) R_c,         x_c += T v_c,
///                  F = Lambda [b^2 theta + 2 b (w_c - w);  b^2 (x_c - x) + 2 b (v_c - v)] + G                    (3)
/// m, f: moment about the point and force of contacts on the body, dead(f_i) = sign(f_i) max(0, |f_i| - dead_band_i);
/// Lambda = (J M^-1 J')^-1, the inertia that is felt at the point: an acceleration-based control of bandwidth b.
/// G = Lambda J M^-1 g(q), where asked for: what holds the joint torques of gravity g(q) (exactly, where the point has
/// as many freedoms as the arm has joints; else the part that moves the point).
/// The wrench acts on the generalized coordinates as the joint torques J' F of an arm would.
struct CartesianControl {
  Attachment at;
  Mat3 R_start = Mat3::Identity();  ///< orientation that is held
  bool admittance = false;
  std::vector<TimeFunction> target;                       ///< x_d, or v_d: x, y, z
  Vec6 stiffness = Vec6::Zero(), damping = Vec6::Zero();  ///< impedance: [rotation; translation]
  std::vector<TimeFunction> angular_target;               ///< w_d
  Vec6 yield = Vec6::Zero();                              ///< [Y_r [rad/(s N m)]; Y [m/(s N)]]
  Vec6 dead_band = Vec6::Zero();                          ///< [N m; N]
  double bandwidth = 0;                                   ///< b [1/s]
  bool gravity = false;
};

struct Controller {
  std::string name;
  double sample_time = 1e-3;  ///< T [s]
  int delay = 0;              ///< samples
  std::variant<JointControl, CartesianControl> law;
  int z_start = 0;  ///< outputs, memory, then the measured values of the last delay + 1 samples, newest first

  bool is_cartesian() const { return std::holds_alternative<CartesianControl>(law); }
  int outputs() const { return is_cartesian() ? 6 : 1; }
  int memory() const { return is_cartesian() ? 12 : 1; }    ///< R_c, x_c; contacts of the last step; s
  int measured() const { return is_cartesian() ? 18 : 2; }  ///< orientation, x, w, v, m, f; q, dq/dt
  int z_size() const { return outputs() + memory() + (delay + 1) * measured(); }
};

}  // namespace stiction
