#pragma once

#include "stiction/stepping/rigid/free_motion.h"
#include "stiction/stepping/rigid/island_state.h"

namespace stiction {

/// Free bodies in a step, about their centres of mass c: torque and impulses act half at its start and half at its end,
/// and between these the body turns as it would by itself (math/free_rotation.h),
///     L_m = L + (h T + P) / 2,   R+ = turn of L_m over h,   w+ = J(R+)^-1 (L + h T + P)                        (1)
///     v_c+ = v_c + h f/m + h g + p/m
/// T, f: forces at the instant that the formulation takes them; P, p: what impulses did. (1) is of second order in h,
/// time-reversible, and keeps energy and angular momentum to rounding where nothing acts.
///
/// A step solves for impulses with the mass matrix at s: v+ = v_free + M(s)^-1 J' r. Here v_free is what makes that the
/// velocities of (1), given P = J(s) dw and p = m (dv + dw x c(s)) of the solution before (dv, dw: none at first).
///
/// Bodies: on a plain free joint, nothing attached by joints; balls are left out, whose free rotation is no problem.
class FreeFlight {
 public:
  explicit FreeFlight(const RigidModel& model);
  void begin(const Island& island);

  /// A step of length h from a state, with the forces last evaluated by `free`.
  struct Step {
    const IslandState& from;
    double h = 0;
    const FreeMotion& free;
  };
  /// v_free of these bodies, without impulses.
  void update(const Step& step, VecX& v_free);
  /// The same with the impulses that led from v_before, the v_free of the last solution, to v_end; `at_s`: where they
  /// acted.
  void correct(const Step& step, const Kinematics& at_s, const VecX& v_before, const VecX& v_end, VecX& v_free);
  /// The same as `update` left it, for masses at q_s instead of where the turn without impulses ends: whatever impulses
  /// are, L+ = L + h T + P with the inertia there, and angular momentum is kept.
  void refer_to(const VecX& q_s, VecX& v_free) const;
  /// What these bodies do over the step, v_end being what came out: the turn of (1), and what impulses that (1) did not
  /// know yet add to it, theta h dw; and of bodies whose origin is not c, how it is carried around. `displacement`
  /// holds h times the velocities at both ends already, those at the end with `weight`, one for each velocity.
  void add_turns(const Step& step, double theta, const VecX& weight, const VecX& v_end, VecX& displacement) const;
  /// Of bodies whose origin is not c: a becomes the acceleration of c, forces alone.
  void refer_accelerations(const Step& step, VecX& a) const;

 private:
  struct Body {
    int body = 0, q_start = 0, v_start = 0;
    FreeBody mass;
    Vec6 impulse = Vec6::Zero();  ///< [dw; dv] that the turn knows
    Vec3 turn = Vec3::Zero();
    Mat3 R_end = Mat3::Identity();
    Vec3 L_end = Vec3::Zero();   ///< L + h T + P
    Vec3 w_free = Vec3::Zero();  ///< at R_end, without the impulse
    Vec3 v_c = Vec3::Zero();     ///< likewise of the centre of mass, where that is not the origin
  };
  static void fly(const Step& step, const Mat3& R_s, Body& body, VecX& v_free);

  const RigidModel& model_;
  std::vector<char> flies_;       ///< bodies
  std::vector<FreeBody> masses_;  ///< of bodies
  std::vector<Body> bodies_;      ///< of the island
};

}  // namespace stiction
