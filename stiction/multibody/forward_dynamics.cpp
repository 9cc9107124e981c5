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

/// Inwards over N free axes: u = tau - H' p,  p_parent += shift(p + U D^-1 u).
template <int N>
void pass_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const Vec6& p = r.t.p[b];
  double* u = r.t.u.data() + joint.v_start;
  for (int i = 0; i < N; ++i) {
    const double* H = r.k.H[b].data() + 6 * i;
    u[i] = r.tau[joint.v_start + i] -
           (((H[0] * p[0] + H[1] * p[1]) + (H[2] * p[2] + H[3] * p[3])) + (H[4] * p[4] + H[5] * p[5]));
  }
  if (!joint.parent_moves) return;

  Vec6 F = p;
  for (int i = 0; i < N; ++i) {
    double D_u = 0;
    for (int j = 0; j < N; ++j) D_u += r.t.D_inverse[b](i, j) * u[j];
    const double* U = r.t.U[b].data() + 6 * i;
    for (int j = 0; j < 6; ++j) F[j] += U[j] * D_u;
  }
  add_shifted_force(F, r.k.p_PB[b], r.t.p[joint.parent]);
}

/// Outwards over N free axes: vdot = D^-1 (u - U' A),  A_rel = A + H vdot,  A = shift(A_rel,parent).
template <int N>
void solve_axes(int b, const Vec6& A, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const double* u = r.t.u.data() + joint.v_start;
  double rest[N];
  for (int i = 0; i < N; ++i) {
    const double* U = r.t.U[b].data() + 6 * i;
    rest[i] = u[i] - (((U[0] * A[0] + U[1] * A[1]) + (U[2] * A[2] + U[3] * A[3])) + (U[4] * A[4] + U[5] * A[5]));
  }
  Vec6 A_rel = A;
  for (int i = 0; i < N; ++i) {
    double x = 0;
    for (int j = 0; j < N; ++j) x += r.t.D_inverse[b](i, j) * rest[j];
    r.vdot[joint.v_start + i] = x;
    const double* H = r.k.H[b].data() + 6 * i;
    for (int j = 0; j < 6; ++j) A_rel[j] += H[j] * x;
  }
  r.t.A_rel[b] = A_rel;
}

/// Across a weld or a prescribed joint, from vdot: H vdot.
Vec6 calc_known_motion(const JointPlan& joint, const Mat6& H, const double* vdot) {
  Vec6 A = Vec6::Zero();
  for (int i = 0; i < joint.nv; ++i) A += H.col(i) * vdot[joint.v_start + i];
  return A;
}

void pass_known_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  if (!joint.parent_moves) return;
  Vec6 F = r.t.p[b];
  if (joint.prescribed) F += r.t.I_A[b] * calc_known_motion(joint, r.k.H[b], r.vdot);
  add_shifted_force(F, r.k.p_PB[b], r.t.p[joint.parent]);
}

/// The force of a free joint on its body: tau = H' F solved for F, H = [R 0; -skew(p_MB) R, R], R = R_WF.
Vec6 calc_free_joint_force(int b, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  const double* tau = r.tau + joint.v_start;
  const Vec3 tau_w(tau[0], tau[1], tau[2]), tau_v(tau[3], tau[4], tau[5]);
  Vec6 F;
  if (joint.plain) {
    store_spatial(tau_w, tau_v, F.data());
    return F;
  }
  const Mat3 R_WF = r.k.H[b].topLeftCorner<3, 3>();
  const Vec3 f = R_WF * tau_v;
  store_spatial(R_WF * tau_w - r.k.p_MB[b].cross(f), f, F.data());
  return F;
}

/// Newton-Euler of a single body under the force F at its origin:
///     J alpha = n - c x f - w x J w (body axes),   a = f / m + g - alpha x c - w x (w x c)
Vec6 calc_free_acceleration(const FreeBody& body, const Mat3& R, const Vec6& F, const Vec3& w, const Vec3& g) {
  const Vec3 c = R * body.com, f = F.tail<3>(), n = F.head<3>();
  const Vec3 w_B = R.transpose() * w;
  const Vec3 n_B = R.transpose() * (n - c.cross(f));
  const Vec3 Jw = body.inertia * w_B;
  const Vec3 alpha_B = body.inverse_inertia * (n_B - w_B.cross(Jw));
  const Vec3 alpha = R * alpha_B;
  Vec6 A;
  store_spatial(alpha, body.inverse_mass * f + g - alpha.cross(c) - w.cross(w.cross(c)), A.data());
  return A;
}

/// vdot of a free joint from A_rel of its body and `A` of its parent shifted there: the inverse of H.
void solve_free_joint(int b, const Vec6& A, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  double* vdot = r.vdot + joint.v_start;
  const Vec6& A_rel = r.t.A_rel[b];
  if (joint.plain) {
    for (int i = 0; i < 6; ++i) vdot[i] = A_rel[i];
    return;
  }
  const Vec6 across = A_rel - A;
  const auto R_WF = r.k.H[b].topLeftCorner<3, 3>();
  const Vec3 alpha = across.head<3>(), a = across.tail<3>();
  store_spatial(R_WF.transpose() * alpha, R_WF.transpose() * (a - alpha.cross(r.k.p_MB[b])), vdot);
}

/// Inwards over every joint but the free leaves'.
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
    case HingeRole::free_leaf: {
      // p: the force of the joint, known from tau alone.
      const JointPlan& joint = r.k.plan.joints[b];
      r.t.p[b] = calc_free_joint_force(b, r);
      if (joint.parent_moves) add_shifted_force(r.t.p[b], r.k.p_PB[b], r.t.p[joint.parent]);
      return;
    }
  }
}

/// A_rel and vdot outwards over every joint but the free leaves'; `A` is the parent's A_rel shifted to the body.
void solve_outwards(int b, const Vec6& A, const Recursion& r) {
  const JointPlan& joint = r.k.plan.joints[b];
  switch (joint.role) {
    case HingeRole::rigid:
      r.t.A_rel[b] = A;
      if (joint.prescribed) r.t.A_rel[b] += calc_known_motion(joint, r.k.H[b], r.vdot);
      return;
    case HingeRole::one:
      return solve_axes<1>(b, A, r);
    case HingeRole::two:
      return solve_axes<2>(b, A, r);
    case HingeRole::three:
      return solve_axes<3>(b, A, r);
    case HingeRole::six:
      return solve_axes<6>(b, A, r);
    case HingeRole::free_leaf:
      return;
  }
}

}  // namespace

void calc_forward_dynamics(const System& system, const Kinematics& k, TreeDynamics& t, const std::vector<Vec6>& F,
                           VecX& tau, VecX& vdot) {
  const Recursion r{k, t, tau.data(), vdot.data()};
  const std::vector<int>& moving = k.plan.moving;
  // p: the force each body alone needs for vdot = 0.
  for (int b : moving) {
    if (k.plan.joints[b].role == HingeRole::free_leaf) continue;
    t.p[b] = calc_inertia_force(t.inertia_W[b], k.A_bias[b], angular(k.V_WB[b]), system.gravity) - F[b];
  }
  for (auto at = moving.rbegin(); at != moving.rend(); ++at) pass_force_inwards(*at, r);
  for (int b : moving) {
    const JointPlan& joint = k.plan.joints[b];
    const Vec6 A = shift_velocity(t.A_rel[joint.parent], k.p_PB[b]);
    if (joint.role == HingeRole::free_leaf) {
      t.F_joint[b] = t.p[b];
      const Vec6 F_all = F[b] + t.F_joint[b];
      t.A_WB[b] = calc_free_acceleration(t.free_body[b], k.X_WB[b].R, F_all, angular(k.V_WB[b]), system.gravity);
      t.A_rel[b] = t.A_WB[b] - k.A_bias[b];
      solve_free_joint(b, A, r);
      continue;
    }
    solve_outwards(b, A, r);
    t.A_WB[b] = k.A_bias[b] + t.A_rel[b];
    t.F_joint[b] = t.I_A[b] * t.A_rel[b] + t.p[b];
    if (!joint.prescribed) continue;
    for (int i = 0; i < joint.nv; ++i) tau[joint.v_start + i] = k.H[b].col(i).dot(t.F_joint[b]);
  }
  update_fixed_joint_forces(system, k, F, t);
}

void calc_inverse_mass_product(const System&, const Kinematics& k, TreeDynamics& t, Eigen::Ref<const VecX> rhs,
                               Eigen::Ref<VecX> x) {
  const Recursion r{k, t, rhs.data(), x.data()};
  const std::vector<int>& moving = k.plan.moving;
  for (int b : moving) {
    const JointPlan& joint = k.plan.joints[b];
    t.p[b].setZero();
    if (joint.prescribed) x.segment(joint.v_start, joint.nv).setZero();
  }
  for (auto at = moving.rbegin(); at != moving.rend(); ++at) pass_force_inwards(*at, r);
  for (int b : moving) {
    const JointPlan& joint = k.plan.joints[b];
    const Vec6 A = shift_velocity(t.A_rel[joint.parent], k.p_PB[b]);
    if (joint.role == HingeRole::free_leaf) {
      t.A_rel[b] = calc_free_acceleration(t.free_body[b], k.X_WB[b].R, t.p[b], Vec3::Zero(), Vec3::Zero());
      solve_free_joint(b, A, r);
    } else {
      solve_outwards(b, A, r);
    }
  }
}

}  // namespace stiction
