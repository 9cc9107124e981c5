#include <Eigen/Cholesky>

#include "stiction/multibody/dynamics.h"

namespace stiction {

namespace {

/// One axis: U, D^-1, and I_A - U D^-1 U' to the parent.
void factor_axis(int b, const Kinematics& k, TreeDynamics& t) {
  const JointPlan& joint = k.plan.joints[b];
  const SpatialInertia& I = t.I_A[b];
  const SpatialPair H = load_spatial(k.H[b].data());
  const SpatialPair U = I * H;
  const double D_inverse = 1 / dot(H, U);
  U.store(t.U[b].data());
  t.D_inverse[b](0, 0) = D_inverse;
  if (!joint.parent_moves) return;

  const SpatialPair UD = U * D_inverse;
  SpatialInertia rest;
  rest.J.noalias() = I.J - UD.w * U.w.transpose();
  rest.C.noalias() = I.C - UD.w * U.v.transpose();
  rest.M.noalias() = I.M - UD.v * U.v.transpose();
  add_shifted(rest, k.p_PB[b], t.I_A[joint.parent]);
}

/// N axes at once; D is factorised by Cholesky.
template <int N>
void factor_axes(int b, const Kinematics& k, TreeDynamics& t) {
  using Columns = Eigen::Matrix<double, 6, N>;
  using Square = Eigen::Matrix<double, N, N>;
  const JointPlan& joint = k.plan.joints[b];
  const SpatialInertia& I = t.I_A[b];
  const Columns H = k.H[b].leftCols<N>();
  Columns U;
  for (int i = 0; i < N; ++i) (I * load_spatial(H.col(i).data())).store(U.col(i).data());
  const Square D = H.transpose() * U;
  const Square D_inverse = D.llt().solve(Square::Identity());
  t.U[b].leftCols<N>() = U;
  t.D_inverse[b].topLeftCorner<N, N>() = D_inverse;
  // What a free joint leaves is zero.
  if (!joint.parent_moves || N == 6) return;

  const Columns UD = U * D_inverse;
  const auto U_n = U.template topRows<3>(), U_f = U.template bottomRows<3>();
  const auto UD_n = UD.template topRows<3>(), UD_f = UD.template bottomRows<3>();
  SpatialInertia rest;
  rest.J.noalias() = I.J - UD_n * U_n.transpose();
  rest.C.noalias() = I.C - UD_n * U_f.transpose();
  rest.M.noalias() = I.M - UD_f * U_f.transpose();
  add_shifted(rest, k.p_PB[b], t.I_A[joint.parent]);
}

FreeBody make_free_body(const MassProperties& mass) {
  const Mat3& J = mass.inertia;
  const bool centred = mass.com == Vec3::Zero();
  return {1 / mass.mass, centred, centred && J == J(0, 0) * Mat3::Identity(), mass.com, J, J.inverse()};
}

}  // namespace

TreeDynamics::TreeDynamics(const System& system)
    : inertia(system.bodies.size()),
      free_body(system.bodies.size()),
      inertia_W(system.bodies.size()),
      I_A(system.bodies.size()),
      U(system.bodies.size(), Mat6::Zero()),
      D_inverse(system.bodies.size(), Mat6::Zero()),
      A_WB(system.bodies.size(), Vec6::Zero()),
      F_joint(system.bodies.size(), Vec6::Zero()),
      I_C(system.bodies.size()),
      p(system.bodies.size(), Vec6::Zero()),
      A_rel(system.bodies.size(), Vec6::Zero()),
      u(VecX::Zero(system.nv)) {
  const TreePlan plan(system);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    inertia[b] = make_rigid_inertia(system.bodies[b].mass);
    if (plan.joints[b].role == HingeRole::free_leaf) free_body[b] = make_free_body(system.bodies[b].mass);
  }
}

void update_articulated_inertia(const System&, const Kinematics& k, TreeDynamics& t) {
  const std::vector<int>& coupled = k.plan.coupled;
  for (int b : coupled) {
    if (k.plan.joints[b].role == HingeRole::free_leaf) continue;
    rotate_inertia(t.inertia[b], k.X_WB[b].R, t.inertia_W[b]);
    t.I_A[b] = make_spatial_inertia(t.inertia_W[b]);
  }
  // Tips first: each body adds what its joint leaves of its inertia to its parent's.
  for (auto at = coupled.rbegin(); at != coupled.rend(); ++at) {
    const int b = *at;
    const JointPlan& joint = k.plan.joints[b];
    switch (joint.role) {
      case HingeRole::rigid:
        if (joint.parent_moves) add_shifted(t.I_A[b], k.p_PB[b], t.I_A[joint.parent]);
        break;
      case HingeRole::one:
        factor_axis(b, k, t);
        break;
      case HingeRole::two:
        factor_axes<2>(b, k, t);
        break;
      case HingeRole::three:
        factor_axes<3>(b, k, t);
        break;
      case HingeRole::six:
        factor_axes<6>(b, k, t);
        break;
      case HingeRole::free_leaf:
        break;
    }
  }
}

}  // namespace stiction
