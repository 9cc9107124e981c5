#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "test/unit/multibody/allocation_counter.h"
#include "test/unit/multibody/planar_linkages.h"

namespace stiction {
namespace {

double calc_energy(Equations& equations, const State& state) {
  equations.evaluate(state);
  return equations.kinetic_energy() + equations.potential_energy() + equations.stored_energy();
}

/// Classical Runge-Kutta step on (q, v, z), then the projection: written here so that it shares nothing with stepping/.
Equations::Projection step_rk4(Equations& equations, State& state, double h) {
  const State start = state;
  VecX q = VecX::Zero(state.q.size()), v = VecX::Zero(state.v.size()), z = VecX::Zero(state.z.size());
  const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
  State stage = start;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      stage.t = start.t + nodes[i] * h;
      stage.q = start.q + nodes[i] * h * equations.dq();
      stage.v = start.v + nodes[i] * h * equations.dv();
      stage.z = start.z + nodes[i] * h * equations.dz();
    }
    equations.evaluate(stage);
    q += weights[i] / 6 * equations.dq(), v += weights[i] / 6 * equations.dv(), z += weights[i] / 6 * equations.dz();
  }
  state.t += h, state.q += h * q, state.v += h * v, state.z += h * z;
  return equations.project(state);
}

TEST(Projection, BringsAPerturbedStateBackAndBooksItsEnergy) {
  Random random(1);
  for (const JointKind& kind : make_all_joint_kinds()) {
    TwoForms forms(random, kind, 3);
    Equations equations(forms.free);
    // A stiff spring makes the energy depend on positions too.
    forms.free.forces = {{"spring", SpringLinear{{0, Vec3::Zero()}, {3, Vec3(0.1, 0, 0)}, 300, 2, 0.5}}};
    Equations with_spring(forms.free);
    for (const double size : {1e-9, 1e-5, 1e-2}) {
      State state = forms.free_state;
      add_displacement(TreePlan(forms.free), size * make_random_values(random, forms.free.nv), state.q);
      state.v += size * make_random_values(random, forms.free.nv);
      state.z[ledger_projection] = 0.25;
      const double before = calc_energy(with_spring, state);
      const Equations::Projection result = with_spring.project(state);
      EXPECT_TRUE(result.converged) << name_of(kind);
      EXPECT_LE(result.drift.position, 1e-12) << name_of(kind);
      EXPECT_LE(result.drift.velocity, 1e-12) << name_of(kind);
      // Measured again, by another workspace.
      const auto drift = equations.calc_drift(state.t, state.q, state.v, state.z);
      EXPECT_LE(drift.position, 1.1e-12) << name_of(kind);
      EXPECT_LE(drift.velocity, 1.1e-12) << name_of(kind);
      const double after = calc_energy(with_spring, state);
      EXPECT_NEAR(after - before, state.z[ledger_projection] - 0.25, 1e-12 * (1 + std::abs(before))) << name_of(kind);
    }
  }
}

TEST(Projection, ChangesVelocitiesByTheLeastKineticEnergy) {
  // v - v_before must be normal, in the kinetic metric, to every motion the constraints allow: n' M dv = 0 for g n = 0.
  Random random(2);
  TwoForms forms(random, JointRevolute{}, 3);
  Equations equations(forms.free);
  State state = forms.free_state;
  state.v += make_random_values(random, forms.free.nv);
  const VecX before = state.v;
  ASSERT_TRUE(equations.project(state).converged);
  equations.evaluate(state);
  const MatX g = equations.constraints().jacobian_transposed().transpose();
  MatX M;
  TreeDynamics scratch(forms.free);
  calc_mass_matrix(forms.free, equations.kinematics(), scratch, M);
  const MatX allowed = g.fullPivLu().kernel();
  ASSERT_EQ(allowed.cols(), 3);
  EXPECT_LT((allowed.transpose() * M * (state.v - before)).norm(), 1e-11);
  EXPECT_GT((state.v - before).norm(), 0.1);
}

TEST(Projection, LeavesAConsistentStateAloneBitForBit) {
  Random random(3);
  TwoForms forms(random, JointRevolute{}, 3);
  Equations equations(forms.free);
  State state = forms.free_state;
  ASSERT_TRUE(equations.project(state).converged);
  State again = state;
  const Equations::Projection result = equations.project(again);
  EXPECT_EQ(result.iterations, 0);
  // The angles in z may settle to the last bit; q and v may not move at all beyond the normalisation.
  State normalized = state;
  normalize_quaternions(TreePlan(forms.free), normalized.q);
  EXPECT_EQ(again.q, normalized.q);
  EXPECT_EQ(again.v, normalized.v);
  EXPECT_EQ(again.z[ledger_projection], state.z[ledger_projection]);
}

TEST(Projection, WithoutConstraintsNormalisesAndFollowsPrescribedMotion) {
  System system = make_world();
  add_free_body(system, {1, Vec3::Zero(), Mat3::Identity()});
  Joint joint;
  joint.kind = JointRevolute{};
  joint.motion = CoordinateMotion{{Polynomial{{1, 2}}}};
  add_body(system, joint, {1, Vec3::Zero(), Mat3::Identity()});
  State state = make_state(system, VecX::Constant(8, 2.0), VecX::Zero(7));
  state.t = 3;
  Equations equations(system);
  ASSERT_TRUE(equations.project(state).converged);
  EXPECT_EQ(state.q.head<4>(), Eigen::Vector4d::Constant(0.5));
  EXPECT_EQ(state.q[7], 7);
  EXPECT_EQ(state.v[6], 2);
  EXPECT_EQ(state.z, VecX::Zero(ledger_size));
}

TEST(Projection, NamesTheWorstConstraint) {
  Random random(4);
  TwoForms forms(random, JointSpherical{}, 4);
  Equations equations(forms.free);
  State state = forms.free_state;
  // The last body moves off: only its own joint opens.
  state.q.tail<3>() += Vec3(0.1, 0, 0);
  EXPECT_EQ(equations.calc_drift(0, state.q, state.v, state.z).worst_constraint, 3);
  EXPECT_NEAR(equations.calc_drift(0, state.q, state.v, state.z).position, 0.1, 0.1);
}

TEST(Assembly, ClosesAFourBarFromAFarStart) {
  for (const LinkageForm form : {LinkageForm::tree, LinkageForm::planar_bodies, LinkageForm::free_bodies}) {
    // Built closed, then the crank is turned by half a radian and the bodies are left behind.
    Linkage linkage = make_closed_chain(make_four_bar(1.0, 2.0), form);
    State state = linkage.state;
    if (form == LinkageForm::free_bodies) {
      const Vec6 kick = make_spatial(Vec3(0, 0, 0.5), Vec3(0.1, -0.2, 0));
      VecX displacement = VecX::Zero(linkage.system.nv);
      displacement.head<6>() = kick;
      add_displacement(TreePlan(linkage.system), displacement, state.q);
    } else {
      state.q.head<3>() += Vec3(0.5, -0.2, 0.1);
    }
    Equations equations(linkage.system);
    const Equations::Projection result = equations.assemble(state);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(equations.calc_drift(0, state.q, state.v, state.z).position, 1e-12);
    EXPECT_LE(equations.calc_drift(0, state.q, state.v, state.z).velocity, 1e-12);
    EXPECT_EQ(state.z[ledger_projection], 0);
  }
}

TEST(Assembly, SaysWhenItCannotClose) {
  // A bar of 1 m cannot reach a pin 3 m away.
  std::vector<Link> links = {{1, 1, 0.1, 0.3, 0}};
  Linkage linkage = make_closed_chain(links, LinkageForm::planar_bodies);
  linkage.system.constraints.back().frames.X_aA.p = Vec3(3, 0, 0);
  State state = linkage.state;
  Equations equations(linkage.system);
  const Equations::Projection result = equations.assemble(state);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.drift.position, 0.5);
}

/// Drift and ledger over a long run, for a redundant loop, an open chain of each joint kind, and the four-bar.
void expect_long_run(System& system, State state, double h, int steps, double energy_tolerance) {
  Equations equations(system);
  ASSERT_TRUE(equations.project(state).converged);
  state.z.head<3>().setZero();
  const double start = calc_energy(equations, state);
  double worst = 0, worst_rate = 0, residual = 0;
  for (int i = 0; i < steps; ++i) {
    const Equations::Projection result = step_rk4(equations, state, h);
    ASSERT_TRUE(result.converged) << "step " << i;
    const auto drift = equations.calc_drift(state.t, state.q, state.v, state.z);
    worst = std::max(worst, drift.position), worst_rate = std::max(worst_rate, drift.velocity);
    const double energy = calc_energy(equations, state);
    residual = std::max(residual, std::abs(energy - start - state.z[ledger_input] + state.z[ledger_dissipated] -
                                           state.z[ledger_projection]));
  }
  EXPECT_LT(worst, 1e-10);
  EXPECT_LT(worst_rate, 1e-10);
  EXPECT_LT(residual, energy_tolerance);
}

TEST(LongRun, FourBarKeepsItsLoopClosedAndItsLedger) {
  for (const LinkageForm form : {LinkageForm::tree, LinkageForm::planar_bodies, LinkageForm::free_bodies}) {
    Linkage linkage = make_closed_chain(make_four_bar(0.5, 6), form);
    linkage.system.gravity = Vec3(0, -9.81, 0);
    // 10 s, some 10 turns of the crank. The residual is RK4's error: 2e-5 J at this step, 1e-8 J at a fifth of it.
    expect_long_run(linkage.system, linkage.state, 5e-3, 2000, 1e-4);
  }
}

TEST(LongRun, ChainsInConstraintFormKeepTheirJointsAndLedger) {
  Random random(5);
  for (const JointKind& kind : make_all_joint_kinds()) {
    TwoForms forms(random, kind, 2);
    forms.free.forces = {{"spring", SpringLinear{{0, Vec3::Zero()}, {2, Vec3(0.1, 0, 0)}, 30, 2, 0.5}}};
    // RK4's error: at most 8e-6 J (planar) at this step, a sixteenth of that at half the step.
    expect_long_run(forms.free, forms.free_state, 2e-3, 1000, 2e-5);
  }
}

TEST(LongRun, ConstraintFormFollowsTheTreeThroughManyTurns) {
  // A wheel wound up against a torsional spring by a motor, more than two turns.
  Random random(6);
  TwoForms forms(random, JointRevolute{}, 1);
  for (System* system : {&forms.tree, &forms.free}) {
    Motor motor;
    motor.effort = make_constant(60);
    system->forces = {{"spring", SpringTorsional{{0, 0}, 3, 0.2, 0}}, {"motor", motor}};
  }
  Equations tree(forms.tree), free(forms.free);
  double largest = 0;
  for (int i = 0; i < 6000; ++i) {
    ASSERT_TRUE(step_rk4(tree, forms.tree_state, 2.5e-4).converged);
    ASSERT_TRUE(step_rk4(free, forms.free_state, 2.5e-4).converged);
    const double angle = forms.tree_state.q[0];
    largest = std::max(largest, std::abs(angle));
    // Both are RK4 solutions of one problem; their errors are of the order (omega h)^4 = 1e-8 at 40 rad/s.
    ASSERT_NEAR(forms.free_state.z[forms.free.named_joints[0].turns_start], angle, 1e-7) << "step " << i;
  }
  EXPECT_GT(largest, 13);
}

TEST(Allocation, NoneInEvaluateProjectGuardsAndDrift) {
  Random random(7);
  std::vector<System> systems;
  std::vector<State> states;
  for (const LinkageForm form : {LinkageForm::tree, LinkageForm::planar_bodies, LinkageForm::free_bodies}) {
    Linkage linkage = make_closed_chain(make_four_bar(0.5, 6), form);
    systems.push_back(linkage.system), states.push_back(linkage.state);
  }
  for (const JointKind& kind : make_all_joint_kinds()) {
    TwoForms forms(random, kind, 3);
    SpringLinear rope{{0, Vec3::Zero()}, {3, Vec3(0.1, 0, 0)}, 30, 2, 0.5, SpringSide::tension, 0};
    for (System* system : {&forms.tree, &forms.free}) {
      system->n_modes = 1;
      Bushing bushing{0, 2, {}, {}, Mat6::Identity(), Mat6::Identity()};
      AppliedForce push{{1, Vec3::Zero()}, {make_constant(1)}, {Sine{1, 1, 0, 0}}, true};
      system->forces = {{"rope", rope}, {"bushing", bushing}, {"push", push}};
      if (has_coordinates(system->named_joints[0].kind)) {
        system->forces.push_back({"torsional", SpringTorsional{{0, 0}, 1, 1, 0}});
        system->forces.push_back({"motor", Motor{{1, 0}, make_table({0, 1, 2}, {0, 1, 0})}});
        system->constraints.push_back({"gear", {}, {RowCoupler{{{0, 0}, {1, 0}}, {1, -1}, make_constant(0)}}});
      }
    }
    systems.insert(systems.end(), {forms.tree, forms.free});
    for (State state : {forms.tree_state, forms.free_state}) state.modes = {1}, states.push_back(state);
  }
  for (std::size_t i = 0; i < systems.size(); ++i) {
    Equations equations(systems[i]);
    State state = states[i];
    VecX guards(systems[i].n_modes);
    const VecX kick = 1e-6 * make_random_values(random, systems[i].nv);
    const std::int64_t before = count_allocations();
    equations.evaluate(state);
    equations.calc_guards(state.t, state.q, state.v, state.z, guards);
    // Off the constraints, so that the projection has work to do.
    state.v += kick;
    add_displacement(equations.kinematics().plan, kick, state.q);
    (void)equations.project(state);
    (void)equations.calc_drift(state.t, state.q, state.v, state.z);
    (void)equations.assemble(state);
    EXPECT_EQ(count_allocations() - before, 0) << "system " << i;
  }
}

}  // namespace
}  // namespace stiction
