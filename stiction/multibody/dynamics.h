#pragma once

#include <vector>

#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/spatial_inertia.h"

namespace stiction {

/// Equations of motion of the tree, in world axes at body origins (Featherstone, Rigid Body Dynamics Algorithms, 2008;
/// departures: ordinary accelerations instead of spatial ones, world axes instead of body axes, prescribed joints as in
/// his hybrid dynamics, section 9.2):
///     M(q) vdot + b(q, v) = tau + sum_i J_i' F_i                                                      (1)
/// b holds Coriolis, centrifugal and gravity terms. F_i: force on body i, [torque about its origin; force]; one entry a
/// body, the world's is ignored. Cost: one pass outwards and one inwards over the bodies that can move.
///
/// Accelerations are split as A_WB = A_bias + A_rel, A_bias of the kinematics (vdot = 0) and A_rel linear in vdot. With
/// p_i = I_i A_bias,i + gyroscopic terms - gravity - F_i, the articulated-body recursion needs no velocity terms:
///     U = I_A H,   D = H' U,   u = tau - H' p,   I_A,parent += shift(I_A - U D^-1 U'),
///     p_parent += shift(p + U D^-1 u),   vdot = D^-1 (u - U' shift(A_rel,parent))                          (2)
/// and across a weld or a prescribed joint  I_A,parent += shift(I_A),  p_parent += shift(p + I_A H vdot).
/// A body without mass must be welded, prescribed, or carry bodies that give every free direction inertia (D > 0).

/// A body on a free joint with nothing outboard is solved without a factorisation, about its centre of mass.
struct FreeBody {
  double inverse_mass = 0;
  bool centred = false;                                         ///< com is the origin
  bool isotropic = false;                                       ///< and inertia is a multiple of 1: a ball, a cube
  Vec3 com = Vec3::Zero();                                      ///< body axes
  Mat3 inertia = Mat3::Zero(), inverse_inertia = Mat3::Zero();  ///< about the centre of mass, body axes
};

struct TreeDynamics {
  explicit TreeDynamics(const System& system);

  // Constants
  std::vector<RigidInertia> inertia;  ///< body axes
  std::vector<FreeBody> free_body;    ///< filled where a body is one
  // After update_articulated_inertia (positions only):
  std::vector<RigidInertia> inertia_W;  ///< world axes
  std::vector<SpatialInertia> I_A;      ///< articulated-body inertia, at the body's origin
  std::vector<Mat6> U;                  ///< I_A H (first nv columns)
  std::vector<Mat6> D_inverse;          ///< (H' I_A H)^-1 (first nv rows and columns)
  // After calc_forward_dynamics or calc_inverse_dynamics:
  std::vector<Vec6> A_WB;     ///< accelerations of the bodies
  std::vector<Vec6> F_joint;  ///< force that the inboard joint transmits to a body that can move, at its origin
  // Scratch
  std::vector<SpatialInertia> I_C;  ///< composite inertia
  std::vector<Vec6> p;              ///< force on the bodies outboard of a joint for vdot = 0
  std::vector<Vec6> A_rel;          ///< A_WB - A_bias: what vdot contributes
  VecX u;
};

/// tau of (1) for given vdot: recursive Newton-Euler, O(n). With vdot = 0 and F = 0 this is b(q, v).
void calc_inverse_dynamics(const System&, const Kinematics&, const VecX& vdot, const std::vector<Vec6>& F,
                           TreeDynamics& scratch, VecX& tau);
/// M(q), dense nv x nv: composite rigid bodies, O(n depth). Prescribed joints have their rows and columns too.
void calc_mass_matrix(const System&, const Kinematics&, TreeDynamics& scratch, MatX& M);

/// The factorisation on which the next two rest, O(n). Prescribed joints are passed through as rigid.
void update_articulated_inertia(const System&, const Kinematics&, TreeDynamics&);
/// Articulated-body algorithm, O(n). On entry vdot holds the accelerations of prescribed joints; on exit all of vdot,
/// and in tau at the prescribed joints the force that drives them.
void calc_forward_dynamics(const System&, const Kinematics&, TreeDynamics&, const std::vector<Vec6>& F, VecX& tau,
                           VecX& vdot);
/// F_joint of a body that can move; of one welded to the world what holds it against gravity, F and the joints of the
/// bodies that it carries.
Vec6 calc_joint_force(const System&, const Kinematics&, const std::vector<Vec6>& F, const TreeDynamics&, int body);
/// x = M^-1 r over the joints that are not prescribed (entries of prescribed joints in r are ignored, in x zero). O(n).
void calc_inverse_mass_product(const System&, const Kinematics&, TreeDynamics&, Eigen::Ref<const VecX> r,
                               Eigen::Ref<VecX> x);

/// Jacobian of the frame fixed in `body` with origin p_BQ (body axes): [w; v_Q] = J v, world axes, 6 x nv.
void calc_frame_jacobian(const System&, const Kinematics&, int body, const Vec3& p_BQ, MatX& J);
/// tau += J_body' F for a force on one body at its origin: a row of a Jacobian if F is a unit force. O(depth).
void add_body_force(const System&, const Kinematics&, int body, const Vec6& F, Eigen::Ref<VecX> tau);

/// Over the bodies that can move: kinetic and gravitational energy [J], momentum [kg m/s] and angular momentum about
/// the world's origin [kg m^2/s].
double calc_kinetic_energy(const System&, const Kinematics&);
double calc_potential_energy(const System&, const Kinematics&);
Vec6 calc_momentum(const System&, const Kinematics&);  ///< [angular; linear]

}  // namespace stiction
