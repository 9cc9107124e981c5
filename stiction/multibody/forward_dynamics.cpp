#include "stiction/base/always_inline.h"
#include "stiction/multibody/joint_force.h"

namespace stiction {

namespace {

/// The recursion (2) of dynamics.h for one right-hand side. `tau` and `vdot` are the whole vectors; of prescribed
/// joints vdot is read, of all others written.
struct Recursion {
  const Kinematics& k;
  TreeDynamics& t;
  const double* tau;
  double* vdot;
};

SpatialPair load_column(const Mat6& columns, int i) {
  return load_spatial(columns.data() + 6 * i);
}

/// Inwards over N free axes: u = tau - H' p,  p_parent += shift(p + U D^-1 u).
template <int N>
void pass_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  SpatialPair p = load_spatial(r.t.p[b].data());
  double* u = r.t.u.data() + joint.v_start;
  for (int i = 0; i < N; ++i) u[i] = r.tau[joint.v_start + i] - dot(load_column(r.k.H[b], i), p);
  if (!joint.parent_moves) return;

  for (int i = 0; i < N; ++i) {
    double D_u = 0;
    for (int j = 0; j < N; ++j) D_u += r.t.D_inverse[b](i, j) * u[j];
    p = p + load_column(r.t.U[b], i) * D_u;
  }
  add_shifted_force(p, r.k.p_PB[b], r.t.p[joint.parent]);
}

/// Outwards over N free axes: vdot = D^-1 (u - U' A); returns A_rel = A + H vdot, where A = shift(A_rel,parent).
template <int N>
SpatialPair solve_axes(int b, const SpatialPair& A, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const double* u = r.t.u.data() + joint.v_start;
  double rest[N];
  for (int i = 0; i < N; ++i) rest[i] = u[i] - dot(load_column(r.t.U[b], i), A);
  SpatialPair A_rel = A;
  for (int i = 0; i < N; ++i) {
    double x = 0;
    for (int j = 0; j < N; ++j) x += r.t.D_inverse[b](i, j) * rest[j];
    r.vdot[joint.v_start + i] = x;
    A_rel = A_rel + load_column(r.k.H[b], i) * x;
  }
  return A_rel;
}

/// H vdot across a weld (zero) or a prescribed joint.
SpatialPair calc_known_motion(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  SpatialPair A{Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < joint.nv; ++i) A = A + load_column(r.k.H[b], i) * r.vdot[joint.v_start + i];
  return A;
}

void pass_known_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  if (!joint.parent_moves) return;
  SpatialPair F = load_spatial(r.t.p[b].data());
  if (joint.prescribed) F = F + r.t.I_A[b] * calc_known_motion(b, r);
  add_shifted_force(F, r.k.p_PB[b], r.t.p[joint.parent]);
}

/// The force of a free joint on its body: tau = H' F solved for F, H = [R 0; -skew(p_MB) R, R], R = R_WF.
STICTION_INLINE SpatialPair calc_free_joint_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const SpatialPair tau = load_spatial(r.tau + joint.v_start);
  if (joint.plain) return tau;
  const auto R_WF = r.k.H[b].topLeftCorner<3, 3>();
  const Vec3 f = R_WF * tau.v;
  return {R_WF * tau.w - r.k.p_MB[b].cross(f), f};
}

/// Newton-Euler of a single body under the force F at its origin:
///     J alpha = n - c x f - w x J w (body axes),   a = f / m + g - alpha x c - w x (w x c)
STICTION_INLINE SpatialPair calc_free_acceleration(const FreeBody& body, const Mat3& R, const SpatialPair& F,
                                                   const Vec3& w, const Vec3& g) {
  const Vec3 w_B = R.transpose() * w;
  if (body.centred) {
    const Vec3 alpha_B = body.inverse_inertia * (R.transpose() * F.w - w_B.cross(body.inertia * w_B));
    return {R * alpha_B, body.inverse_mass * F.v + g};
  }
  const Vec3 c = R * body.com;
  const Vec3 n_B = R.transpose() * (F.w - c.cross(F.v));
  const Vec3 Jw = body.inertia * w_B;
  const Vec3 alpha_B = body.inverse_inertia * (n_B - w_B.cross(Jw));
  const Vec3 alpha = R * alpha_B;
  return {alpha, body.inverse_mass * F.v + g - alpha.cross(c) - w.cross(w.cross(c))};
}

/// vdot of a free joint from A_rel of its body and of its parent: the inverse of H.
STICTION_INLINE void solve_free_joint(int b, const SpatialPair& A_rel, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  double* vdot = r.vdot + joint.v_start;
  if (joint.plain) return A_rel.store(vdot);
  const SpatialPair across = A_rel - shift_velocity(load_spatial(r.t.A_rel[joint.parent].data()), r.k.p_PB[b]);
  const auto R_WF = r.k.H[b].topLeftCorner<3, 3>();
  store_spatial(R_WF.transpose() * across.w, R_WF.transpose() * (across.v - across.w.cross(r.k.p_MB[b])), vdot);
}

void pass_force_inwards(int b, const Recursion& r) {
  switch (r.k.plan.joints[b].role) {
    case HingeRole::rigid:
      return pass_known_force(b, r);
    case HingeRole::one:
      return pass_force<1>(b, r);
    case HingeRole::two:
      return pass_force<2>(b, r);
    case HingeRole::three:
      return pass_force<3>(b, r);
    case HingeRole::six:
      return pass_force<6>(b, r);
    case HingeRole::free_leaf:
      // Known from tau alone.
      if (r.k.plan.joints[b].parent_moves) {
        add_shifted_force(calc_free_joint_force(b, r), r.k.p_PB[b], r.t.p[r.k.plan.joints[b].parent]);
      }
      return;
  }
}

/// A_rel and vdot, outwards over every joint but those of free leaves.
SpatialPair solve_outwards(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const SpatialPair A = shift_velocity(load_spatial(r.t.A_rel[joint.parent].data()), r.k.p_PB[b]);
  switch (joint.role) {
    case HingeRole::one:
      return solve_axes<1>(b, A, r);
    case HingeRole::two:
      return solve_axes<2>(b, A, r);
    case HingeRole::three:
      return solve_axes<3>(b, A, r);
    case HingeRole::six:
      return solve_axes<6>(b, A, r);
    case HingeRole::rigid:
    case HingeRole::free_leaf:
      break;
  }
  return joint.prescribed ? A + calc_known_motion(b, r) : A;
}

/// The same of an isotropic body on a plain joint, number by number: nothing turns.
STICTION_INLINE void solve_free_ball(int b, const Vec6& F, const Vec3& gravity, const Recursion& r) {
  const FreeBody& body = r.t.free_body[b];
  const int start = r.k.plan.joints[b].v_start;
  const double *tau = r.tau + start, per_inertia = body.inverse_inertia(0, 0);
  double *A = r.t.A_WB[b].data(), *F_joint = r.t.F_joint[b].data(), *vdot = r.vdot + start;
  for (int i = 0; i < 3; ++i) {
    A[i] = vdot[i] = per_inertia * (F[i] + tau[i]);
    A[3 + i] = vdot[3 + i] = body.inverse_mass * (F[3 + i] + tau[3 + i]) + gravity[i];
  }
  for (int i = 0; i < 6; ++i) F_joint[i] = tau[i];
}

/// A_WB, F_joint and vdot of a body that floats freely.
STICTION_INLINE void solve_free_leaf(int b, const Vec6& F, const Vec3& gravity, const Recursion& r) {
  if (r.k.plan.joints[b].plain && r.t.free_body[b].isotropic) return solve_free_ball(b, F, gravity, r);
  const SpatialPair F_joint = calc_free_joint_force(b, r);
  F_joint.store(r.t.F_joint[b].data());
  const SpatialPair A = calc_free_acceleration(r.t.free_body[b], r.k.X_WB[b].R, load_spatial(F.data()) + F_joint,
                                               angular(r.k.V_WB[b]), gravity);
  A.store(r.t.A_WB[b].data());
  // A plain joint has no bias.
  solve_free_joint(b, r.k.plan.joints[b].plain ? A : A - load_spatial(r.k.A_bias[b].data()), r);
}

}  // namespace

void calc_forward_dynamics(const System& system, const Kinematics& k, TreeDynamics& t, const std::vector<Vec6>& F,
                           VecX& tau, VecX& vdot) {
  const Recursion r{k, t, tau.data(), vdot.data()};
  const std::vector<int>&moving = k.plan.moving, &coupled = k.plan.coupled;
  // p: the force each body alone needs for vdot = 0.
  for (int b : coupled) {
    if (k.plan.joints[b].role == HingeRole::free_leaf) continue;
    const SpatialPair A_bias = load_spatial(k.A_bias[b].data());
    const SpatialPair needed = calc_inertia_force(t.inertia_W[b], A_bias, angular(k.V_WB[b]), system.gravity);
    (needed - load_spatial(F[b].data())).store(t.p[b].data());
  }
  for (auto at = coupled.rbegin(); at != coupled.rend(); ++at) pass_force_inwards(*at, r);
  for (int b : moving) {
    const JointPlan& joint = k.plan.joints[b];
    if (joint.role == HingeRole::free_leaf) {
      solve_free_leaf(b, F[b], system.gravity, r);
      continue;
    }
    const SpatialPair A_rel = solve_outwards(b, r);
    A_rel.store(t.A_rel[b].data());
    (load_spatial(k.A_bias[b].data()) + A_rel).store(t.A_WB[b].data());
    const SpatialPair F_joint = t.I_A[b] * A_rel + load_spatial(t.p[b].data());
    F_joint.store(t.F_joint[b].data());
    if (!joint.prescribed) continue;
    for (int i = 0; i < joint.nv; ++i) tau[joint.v_start + i] = dot(load_column(k.H[b], i), F_joint);
  }
}

void calc_inverse_mass_product(const System&, const Kinematics& k, TreeDynamics& t, Eigen::Ref<const VecX> rhs,
                               Eigen::Ref<VecX> x) {
  const Recursion r{k, t, rhs.data(), x.data()};
  const std::vector<int>&moving = k.plan.moving, &coupled = k.plan.coupled;
  for (int b : coupled) {
    const JointPlan& joint = k.plan.joints[b];
    t.p[b].setZero();
    if (joint.prescribed) x.segment(joint.v_start, joint.nv).setZero();
  }
  for (auto at = coupled.rbegin(); at != coupled.rend(); ++at) pass_force_inwards(*at, r);
  const Vec3 none = Vec3::Zero();
  for (int b : moving) {
    if (k.plan.joints[b].role == HingeRole::free_leaf) {
      const SpatialPair F = calc_free_joint_force(b, r);
      solve_free_joint(b, calc_free_acceleration(t.free_body[b], k.X_WB[b].R, F, none, none), r);
    } else {
      solve_outwards(b, r).store(t.A_rel[b].data());
    }
  }
}

}  // namespace stiction
