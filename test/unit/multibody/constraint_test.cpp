#include "stiction/multibody/constraint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/multibody/constraint_joint.h"

#include "test/unit/multibody/element_systems.h"

namespace stiction {
namespace {

/// Rows of every kind on a random tree, none of them satisfied: phi is a function of q and t all the same.
struct RandomRows {
  explicit RandomRows(Random& random) {
    system = make_random_tree(random, {6, 0});
    const int screw = add_body_with_joint(random, JointScrew{0.2}),
              slide = add_body_with_joint(random, JointPrismatic{});
    NamedJoint hinge;
    hinge.kind = JointRevolute{};
    hinge.parent = 2, hinge.child = 5;
    hinge.X_PF = make_random_transform(random), hinge.X_MB = make_random_transform(random);
    const int measured = add_constraint_joint(system, hinge);
    for (int i = 0; i < 3; ++i) {
      Constraint c;
      c.name = "c" + std::to_string(i);
      c.frames = {random.index(7), random.index(7), make_random_transform(random), make_random_transform(random)};
      c.rows = {RowPoint{i}, RowNormal{i, (i + 1) % 3}, RowNormal{i, i}, RowDistance{0.4}, RowScrew{0.3, system.nz++}};
      system.constraints.push_back(c);
    }
    Constraint coupler;
    coupler.name = "coupler";
    coupler.rows = {RowCoupler{{{screw, 0}, {slide, 0}, {measured, 0}}, {1.5, -0.5, 0.7}, Sine{0.3, 0.5, 0.2, 0}}};
    system.constraints.push_back(coupler);
    state = make_state(system, make_random_values(random, system.nq), make_random_values(random, system.nv));
    state.t = 0.37;
    normalize_quaternions(TreePlan(system), state.q);
    start_turns();
  }
  /// The entries of z that follow angles start as the angles, so that no difference straddles half a turn.
  void start_turns() {
    Kinematics kinematics(system);
    update_positions(system, state.q, kinematics);
    for (const Constraint& c : system.constraints)
      for (const ConstraintRow& row : c.rows)
        if (const auto* screw = std::get_if<RowScrew>(&row))
          state.z[screw->turns] = calc_turn(calc_pair_pose(kinematics, c.frames)).value;
    for (const NamedJoint& joint : system.named_joints)
      if (joint.turns_start >= 0)
        state.z[joint.turns_start] =
            calc_turn(calc_pair_pose(kinematics, system.constraints[joint.constraint].frames)).value;
  }
  int add_body_with_joint(Random& random, const JointKind& kind) {
    Joint joint;
    joint.kind = kind;
    joint.parent = system.n_bodies() - 1;
    joint.X_PF = make_random_transform(random);
    return add_tree_name(system, add_body(system, joint, make_random_mass(random)));
  }
  System system;
  State state;
};

TEST(ConstraintRows, JacobianAndVelocityProductsAgainstDifferences) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const RandomRows sample(random);
    const System& system = sample.system;
    const State& state = sample.state;
    const VecX a = make_random_values(random, system.nv);
    Kinematics kinematics(system);
    TreeDynamics dynamics(system);
    ConstraintSet rows(system);
    // The motion q(s), v(s) with dq/ds = N v and dv/ds = a at s = 0, at time t + s.
    const auto update = [&](double s) {
      VecX q = state.q;
      const VecX v = state.v + s * a;
      add_displacement(TreePlan(system), s * state.v, q);
      update_positions(system, q, kinematics);
      update_velocities(system, v, kinematics);
      const Instant instant{system, kinematics, state.t + s, q, v, state.z};
      rows.update_positions(instant);
      rows.update_velocities(instant);
      rows.update_bias(instant);
    };
    const VecX rate = calc_derivative([&](double s) { return update(s), VecX(rows.phi()); });
    const VecX acceleration = calc_derivative([&](double s) { return update(s), VecX(rows.rate()); });
    update(0);
    update_articulated_inertia(system, kinematics, dynamics);
    rows.factorize(kinematics, dynamics, system.nv);
    const MatX g = rows.jacobian_transposed().transpose();
    // Five-point differences; distances as small as 0.1 enlarge the fifth derivatives.
    const VecX rate_error = rows.rate() - rate, row_error = g * state.v + rows.phi_t() - rate;
    EXPECT_LT(rate_error.lpNorm<Eigen::Infinity>(), 1e-6 * (1 + rate.lpNorm<Eigen::Infinity>()));
    EXPECT_LT(row_error.lpNorm<Eigen::Infinity>(), 1e-6 * (1 + rate.lpNorm<Eigen::Infinity>()));
    EXPECT_LT((g * state.v + rows.phi_t() - rows.rate()).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((g * a + rows.gamma() - acceleration).lpNorm<Eigen::Infinity>(),
              1e-6 * (1 + acceleration.lpNorm<Eigen::Infinity>()));
  }
}

TEST(ConstraintRows, ForcesAreTheTransposeOfTheJacobian) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const RandomRows sample(random);
    const System& system = sample.system;
    Equations equations(sample.system);
    equations.evaluate(sample.state);
    const ConstraintSet& rows = equations.constraints();
    const VecX lambda = make_random_values(random, rows.size());
    ForceSum sum(system);
    rows.add_forces(equations.kinematics(), lambda, sum);
    VecX tau = sum.tau;
    for (int b = 0; b < system.n_bodies(); ++b) add_body_force(system, equations.kinematics(), b, sum.F[b], tau);
    EXPECT_LT((tau - rows.jacobian_transposed() * lambda).norm(), 1e-10);
  }
}

TEST(JointConstraint, RowsHoldWhereTheTreeStandsAndLeaveItsFreedom) {
  Random random(3);
  for (const JointKind& kind : make_all_joint_kinds())
    for (int trial = 0; trial < 10; ++trial) {
      const TwoForms forms(random, kind, 3);
      Equations equations(forms.free);
      EXPECT_EQ(equations.n_rows(), 3 * (6 - calc_nv(kind))) << name_of(kind);
      const auto drift = equations.calc_drift(0, forms.free_state.q, forms.free_state.v, forms.free_state.z);
      EXPECT_LT(drift.position, 1e-13) << name_of(kind);
      EXPECT_LT(drift.velocity, 1e-12) << name_of(kind);
    }
}

TEST(JointConstraint, AccelerationsAndJointForcesAreThoseOfTheTree) {
  Random random(4);
  for (const JointKind& kind : make_all_joint_kinds())
    for (int trial = 0; trial < 10; ++trial) {
      TwoForms forms(random, kind, 4);
      // Load on the last body, and on a coordinate where there is one.
      for (System* system : {&forms.tree, &forms.free}) {
        AppliedForce push;
        push.at = {4, Vec3(0.3, -0.1, 0.2)};
        push.force = {make_constant(2), make_constant(-1), make_constant(3)};
        system->forces.push_back({"push", push});
        if (has_coordinates(kind)) system->forces.push_back({"spring", SpringTorsional{{1, 0}, 3, 0.5, 0.1}});
      }
      Equations tree(forms.tree), free(forms.free);
      tree.evaluate(forms.tree_state);
      free.evaluate(forms.free_state);
      EXPECT_EQ(free.constraints().rank(), free.n_rows()) << name_of(kind);
      double largest = 1;
      for (int b = 1; b <= 4; ++b) largest = std::max(largest, tree.dynamics().A_WB[b].norm());
      for (int b = 1; b <= 4; ++b) {
        EXPECT_LT((tree.dynamics().A_WB[b] - free.dynamics().A_WB[b]).norm(), 1e-9 * largest) << name_of(kind);
        // What the joint transmits: the constraint's force and, at the sprung joint, the spring's.
        Vec6 F = free.calc_constraint_force(b - 1);
        if (b == 2 && has_coordinates(kind)) {
          const CoordinateRef ref{1, 0};
          const State& s = forms.free_state;
          const CoordinateValue x = calc_coordinate(forms.free, free.kinematics(), s.q, s.v, s.z, ref);
          ForceSum sum(forms.free);
          add_coordinate_force(forms.free, free.kinematics(), ref, -3 * (x.position - 0.1) - 0.5 * x.velocity, sum.F,
                               sum.tau);
          F += sum.F[2];
        }
        EXPECT_LT((tree.calc_joint_force(b) - F).norm(), 1e-8 * (1 + largest * 10)) << name_of(kind);
      }
    }
}

/// A planar world: body 1 and body 2 at random planar poses, joined by `kind` at `at` (world) about `axis`.
int count_planar_rows(const JointKind& kind, const Vec3& axis, bool first_moves, double* misfit = nullptr) {
  const Transform X_W1{make_rotation_z(0.4), Vec3(0.1, 0.2, 0)}, X_W2{make_rotation_z(-1.2), Vec3(1.1, -0.3, 0)};
  const Transform X_WF{make_frame_with_z(axis, Vec3::UnitZ()), Vec3(0.5, 0.1, 0)};
  NamedJoint joint;
  joint.kind = kind;
  joint.parent = 1, joint.child = 2;
  joint.X_PF = X_W1.inverse() * X_WF;
  joint.X_MB = X_WF.inverse() * X_W2;
  Constraint constraint = make_joint_constraint(joint);
  const double out = drop_planar_rows(constraint, {X_W1, first_moves}, {X_W2, true});
  if (misfit != nullptr) *misfit = out;
  return static_cast<int>(constraint.rows.size());
}

TEST(PlanarRows, KeepWhatActsInThePlane) {
  const Vec3 z = Vec3::UnitZ(), in_plane = Vec3(3, 4, 0) / 5;
  for (const bool first_moves : {false, true}) {
    double misfit = 1;
    EXPECT_EQ(count_planar_rows(JointRevolute{}, z, first_moves, &misfit), 2);
    EXPECT_LT(misfit, 1e-15);
    EXPECT_EQ(count_planar_rows(JointPrismatic{}, in_plane, first_moves, &misfit), 2);
    EXPECT_LT(misfit, 1e-15);
    EXPECT_EQ(count_planar_rows(JointWeld{}, z, first_moves), 3);
    EXPECT_EQ(count_planar_rows(JointWeld{}, in_plane, first_moves), 3);
    EXPECT_EQ(count_planar_rows(JointSpherical{}, z, first_moves), 2);
    EXPECT_EQ(count_planar_rows(JointPlanar{}, z, first_moves), 0);
    // A pin that slides in a slot: across the slot only.
    EXPECT_EQ(count_planar_rows(JointFree{}, z, first_moves), 0);
    EXPECT_EQ(count_planar_rows(JointCylindrical{}, z, first_moves), 2);
    EXPECT_EQ(count_planar_rows(JointCylindrical{}, in_plane, first_moves), 2);
  }
}

TEST(PlanarRows, TellAMisfitOutOfThePlane) {
  Constraint constraint;
  constraint.frames = {1, 2, {Mat3::Identity(), Vec3(0, 0, 0.25)}, {}};
  constraint.rows = {RowPoint{0}, RowPoint{1}, RowPoint{2}, RowDistance{1}};
  EXPECT_DOUBLE_EQ(drop_planar_rows(constraint, {{}, true}, {{}, true}), 0.25);
  EXPECT_EQ(constraint.rows.size(), 3u);
}

}  // namespace
}  // namespace stiction
