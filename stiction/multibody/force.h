#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stiction/contact/friction_bristle.h"
#include "stiction/math/time_function.h"
#include "stiction/math/transform.h"
#include "stiction/multibody/coordinate_ref.h"

namespace stiction {

/// Force elements, as data. Each has, beside its forces, the energy it stores, the power it dissipates (never negative
/// for a passive element) and the power it feeds in, so that the ledger closes; force_sum.h evaluates them.

/// A point fixed in a body (0 = the world).
struct Attachment {
  int body = 0;
  Vec3 p_BQ = Vec3::Zero();  ///< body axes
};

/// When a linear spring acts. The one-sided ones are located as events by adaptive integrators.
enum class SpringSide { both, tension, compression };

/// Along the line between two points at distance l:
///     f = stiffness (l - rest_length) + damping dl/dt,   pulling the points together where f > 0          (1)
/// One-sided: active only while l > rest_length (tension: a rope) or l < rest_length (compression: a bumper); the
/// damper never makes an active one-sided spring push the wrong way: f is clipped at 0, and of the damper's power only
/// what the spring gives up then is dissipated. State::modes says whether it is active; between events the force is the
/// smooth continuation of the active (or slack) branch, so that an integrator sees no kink inside a step. Where l = 0
/// the line has no direction and the force is 0.
struct SpringLinear {
  Attachment a, b;
  double stiffness = 0;    ///< [N/m]
  double damping = 0;      ///< [N s/m]
  double rest_length = 0;  ///< [m]
  SpringSide side = SpringSide::both;
  int mode = -1;  ///< one-sided: where in State::modes it says 1 = active, 0 = slack
};
/// What to call a change of mode of an element: the event's name is the element's.
struct ModeInfo {
  std::string element;
  std::string on_word;   ///< the mode becomes 1: "taut" or "pressed"
  std::string off_word;  ///< the mode becomes 0: "slack" or "free"
};

/// On a joint coordinate: force = -stiffness (q - rest) - damping dq/dt.                                   (2)
struct SpringTorsional {
  CoordinateRef coordinate;
  double stiffness = 0;  ///< [N m/rad] ([N/m] on a sliding joint)
  double damping = 0;    ///< [N m s/rad]
  double rest = 0;       ///< [rad]
};

/// Between frame A (on body a) and frame B (on body b), with x = [theta; p] the relative displacement of B in A (theta
/// the rotation vector of R_AB, p = p_AB, both in A) and V the relative twist [w_AB; dp/dt], in A:
///     E = 1/2 x' K x,   wrench on B at its origin, in A:  f = -J' K x - C V - f_d,   J = dxdot/dV          (3)
///     f_d,i = friction_i dir(V_i),   dir(u) = u/|u|,   smooth below v_eps: 3/2 r - 1/2 r^3, r = u/v_eps    (4)
/// E is exact for finite displacements and the wrench its exact gradient: J holds the inverse left Jacobian of the
/// rotation vector (calc_log_rate_matrix). The opposite wrench acts on a at the same point, so that force and moment
/// balance. K symmetric positive semidefinite; the symmetric part of C, positive semidefinite, dissipates, and so does
/// dry friction, component by component.
///
/// With K = 0 and a diagonal C, (3) and (4) are a force and moment accommodation with a dead-band, read backwards: a
/// control that measures the six components of the wrench in A and departs from the commanded motion (of a) by
/// V_i = (|f_i| - friction_i) / C_ii against f_i, where |f_i| is above friction_i, and not at all below it.
///
/// Cannot do: turns beyond half a revolution. At an angle of pi the rotation vector changes sign and the torque jumps.
/// Dry friction does not hold for ever: under a load below it, it creeps at up to v_eps. Near rest it acts as damping
/// of 3/2 friction / v_eps, which explicit steps must resolve.
struct Bushing {
  int body_a = 0, body_b = 0;
  Transform X_aA, X_bB;
  Mat6 stiffness = Mat6::Zero();  ///< [theta; p] order: N m/rad, N/rad, N m/m, N/m
  Mat6 damping = Mat6::Zero();
  Vec6 friction = Vec6::Zero();      ///< N m, N
  double tolerance_rate = 1e-2;      ///< v_eps of the rotation [rad/s]
  double tolerance_velocity = 1e-3;  ///< v_eps of the translation [m/s]

  /// Damping that stands for dry friction at rest: 3/2 friction / v_eps.
  Vec6 calc_steepest_friction() const {
    Vec6 slope = 1.5 * friction;
    slope.head<3>() /= tolerance_rate;
    slope.tail<3>() /= tolerance_velocity;
    return slope;
  }
};

/// Spatial spring between frame A (on body a) and frame B (on body b), both at its centre of stiffness
/// (math/stiffness_centre.h). With R = R_AB, p = p_AB in A, and G = tr(K)/2 I - K for each part K of the stiffness,
///     E = tr(G_o) - tr(G_o R) + 1/4 p'(K_t + R K_t R')p + tr(G_c R'[p x])                                     (9)
/// and the wrench on B at its origin, in A, is its exact gradient for every displacement,
///     f = -1/2 (K_t + R K_t R')p + 2 as(G_c R'),
///     m = -2 as(R G_o) + 1/2 p x (R K_t R'p) - 2 as([p x] G_c R')                                            (10)
/// Near the unloaded position E = 1/2 theta'K_o theta + theta'K_c p + 1/2 p'K_t p. (Stramigioli and Duindam 2001, which
/// contact-kinematics-2003, section 5, refers to.) Unlike that of a Bushing, E is the same if a and b are exchanged and
/// smooth for every rotation. A damper acts beside it, -C V, with V as in (3), at the same point.
/// LIMIT: the torque of K_o is a sine: it is largest at a quarter turn, and at half a turn there is a second
/// equilibrium, which is not stable where G_o is positive.
struct SpringSpatial {
  int body_a = 0, body_b = 0;
  Transform X_aA, X_bB;
  Mat3 rotational = Mat3::Zero();     ///< G_o [N m/rad]
  Mat3 translational = Mat3::Zero();  ///< K_t [N/m]
  Mat3 coupling = Mat3::Zero();       ///< G_c [N]
  Mat6 damping = Mat6::Zero();        ///< C, [theta; p] order

  /// G of K.
  static Mat3 calc_co_stiffness(const Mat3& K);
};

/// Between two points, in all directions (cooking-complementarity-2006, eq. 85):
///     f = -C (v_b - v_a) on b at its point, -f on a at its own                                            (5)
/// C symmetric positive semidefinite, in axes that turn with a. Points that are apart make f and -f a couple, as in the
/// paper's (86): angular momentum is not kept, and a turn of both points about each other is braked.
struct Damper {
  Attachment a, b;
  Mat3 damping = Mat3::Zero();  ///< C, in D [N s/m]
  Mat3 R_aD = Mat3::Identity();
};

/// A force and a torque on a body, functions of time, in world axes or in the body's; the force acts at a point.
struct AppliedForce {
  Attachment at;
  std::vector<TimeFunction> force;   ///< x, y, z [N]
  std::vector<TimeFunction> torque;  ///< x, y, z [N m]
  bool in_body_axes = false;
};

/// On a joint coordinate: force = effort(t) + kp (target(t) - q) + kd (dtarget/dt - dq/dt), clipped to +-limit.   (6)
/// Its power counts as input, both signs. A velocity motor has kp = 0 and `target_rate`, which replaces dtarget/dt
/// where given.
struct Motor {
  CoordinateRef coordinate;
  TimeFunction effort = make_constant(0);
  TimeFunction target = make_constant(0);                  ///< position
  std::optional<TimeFunction> target_rate = std::nullopt;  ///< velocity
  double proportional = 0;                                 ///< kp [N m/rad]
  double derivative = 0;                                   ///< kd [N m s/rad]
  double limit = std::numeric_limits<double>::infinity();
};

/// The limit of a joint coordinate q as a spring and a damper, in formulations that are integrated (rigid ones have
/// rows for it). With x = side (q - limit), while x > 0:
///     force on the coordinate = -side max(0, stiffness x + damping dx/dt)                                  (7)
/// State::modes says whether it acts, as with one-sided springs.
struct JointStop {
  CoordinateRef coordinate;
  double limit = 0;      ///< [rad, m]
  double side = 1;       ///< 1: an upper limit, -1: a lower one
  double stiffness = 0;  ///< [N m/rad, N/m]
  double damping = 0;    ///< [N m s/rad, N s/m]
  int mode = -1;         ///< where in State::modes it says 1 = acts, 0 = free
};

/// Friction of a joint coordinate by the bristle law of gonthier-thesis-2007 (friction_bristle.h), in formulations that
/// are integrated (rigid ones have rows for it). The kinetic torque stands for the load and the law is that of its
/// multiples: law.kinetic = 1, law.static_coefficient = static / kinetic, law.stiffness = stiffness / kinetic.
/// The kinetic torque may grow with the load of the joint: with R the size of the reaction force, of a sliding
/// coordinate its part across the axis,
///     T_C = kinetic + load_factor L,   dL/dt = (R - L) / load_time                                         (8)
/// load_factor is mu r of a journal bearing, mu of a slide. The reaction depends on the accelerations and these on
/// friction: L, which follows it with the time load_time, cuts that loop (bearings give way and creep as fast).
/// LIMIT: moments across the axis, as of a cantilevered slide, do not count as load.
/// Memory: deflection and dwell state in z; where the load counts, behind them L and the energy of the bristles.
struct JointFriction {
  CoordinateRef coordinate;
  double kinetic = 0;  ///< [N m, N]
  FrictionBristle law;
  int z_start = 0;
  double load_factor = 0;   ///< mu r [m], mu [-]; 0: the load does not count
  bool slides = false;      ///< the coordinate is a length
  double load_time = 1e-3;  ///< [s]

  bool feels_load() const { return load_factor > 0; }
  int memory_size() const { return feels_load() ? 4 : 2; }
  int dwell_entry() const { return z_start + 1; }
  int load_entry() const { return z_start + 2; }
  int energy_entry() const { return z_start + 3; }
};

/// What a sampled controller holds between its samples (controller.h): a force on a joint coordinate, or a wrench
/// [torque; force], world axes, on a body at a point. Its power counts as input.
struct HeldForce {
  CoordinateRef coordinate;
  int body = -1;             ///< -1: on the coordinate
  Vec3 p_BQ = Vec3::Zero();  ///< body axes
  int z_start = 0;           ///< where in State::z it stands
};

using ForceKind = std::variant<SpringLinear, SpringTorsional, Bushing, SpringSpatial, Damper, AppliedForce, Motor,
                               JointStop, JointFriction, HeldForce>;

struct Force {
  std::string name;
  ForceKind kind;
};

}  // namespace stiction
