// Dynamics of trees: what one evaluation of the equations of motion costs.
#include <benchmark/benchmark.h>

#include "stiction/base/random.h"
#include "stiction/multibody/dynamics.h"

namespace stiction {
namespace {

Vec3 make_random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

Transform make_random_transform(Random& random) {
  return {calc_matrix(calc_exponential(make_random_vector(random))), make_random_vector(random)};
}

void add_body(System& system, const JointKind& kind, int parent, Random& random) {
  Body body;
  body.mass = {random.uniform(1, 2), 0.3 * make_random_vector(random), Vec3(0.3, 0.4, 0.5).asDiagonal()};
  Joint joint;
  joint.kind = kind;
  joint.parent = parent;
  if (type_of(kind) != JointType::free) {
    joint.X_PF = make_random_transform(random);
    joint.X_MB = make_random_transform(random);
  }
  joint.nq = calc_nq(kind);
  joint.nv = calc_nv(kind);
  joint.q_start = system.nq;
  joint.v_start = system.nv;
  system.nq += joint.nq;
  system.nv += joint.nv;
  system.bodies.push_back(body);
  system.joints.push_back(joint);
}

System make_chain(int n, const JointKind& kind) {
  Random random(7);
  System system;
  system.gravity = Vec3(0, 0, -9.81);
  system.bodies.resize(1);
  system.joints.resize(1);
  for (int b = 1; b <= n; ++b) add_body(system, kind, b - 1, random);
  return system;
}

/// A system at one state, with its workspace.
struct Setup {
  explicit Setup(System s) : system(std::move(s)), kinematics(system), dynamics(system), F(system.bodies.size()) {
    Random random(3);
    q.resize(system.nq), v.resize(system.nv), tau.resize(system.nv), dq.resize(system.nq), vdot.resize(system.nv);
    for (double& x : q) x = random.uniform(-1, 1);
    for (double& x : v) x = random.uniform(-1, 1);
    for (double& x : tau) x = random.uniform(-1, 1);
    for (Vec6& f : F) f.setOnes();
    normalize_quaternions(TreePlan(system), q);
  }
  void evaluate() {
    update_positions(system, q, kinematics);
    update_velocities(system, v, kinematics);
    update_articulated_inertia(system, kinematics, dynamics);
    calc_forward_dynamics(system, kinematics, dynamics, F, tau, vdot);
    benchmark::DoNotOptimize(vdot.data());
    benchmark::ClobberMemory();
  }
  System system;
  Kinematics kinematics;
  TreeDynamics dynamics;
  std::vector<Vec6> F;
  VecX q, v, tau, dq, vdot;
};

void forward_dynamics(benchmark::State& state, const System& system) {
  Setup setup(system);
  for (auto _ : state) setup.evaluate();
}
BENCHMARK_CAPTURE(forward_dynamics, arm_of_6, make_chain(6, JointRevolute{}));
BENCHMARK_CAPTURE(forward_dynamics, chain_of_30, make_chain(30, JointRevolute{}));
BENCHMARK_CAPTURE(forward_dynamics, spherical_chain_of_10, make_chain(10, JointSpherical{}));

void free_body_derivative(benchmark::State& state) {
  Setup setup(make_chain(1, JointFree{}));
  for (auto _ : state) {
    setup.evaluate();
    calc_rates(setup.kinematics.plan, setup.q, setup.v, setup.dq);
    benchmark::DoNotOptimize(setup.dq.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(free_body_derivative);

void positions_and_velocities(benchmark::State& state, const System& system) {
  Setup setup(system);
  for (auto _ : state) {
    update_positions(setup.system, setup.q, setup.kinematics);
    update_velocities(setup.system, setup.v, setup.kinematics);
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(positions_and_velocities, chain_of_30, make_chain(30, JointRevolute{}));

void inverse_dynamics(benchmark::State& state, const System& system) {
  Setup setup(system);
  setup.evaluate();
  for (auto _ : state) {
    calc_inverse_dynamics(setup.system, setup.kinematics, setup.vdot, setup.F, setup.dynamics, setup.tau);
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(inverse_dynamics, chain_of_30, make_chain(30, JointRevolute{}));

void mass_matrix(benchmark::State& state, const System& system) {
  Setup setup(system);
  setup.evaluate();
  MatX M(system.nv, system.nv);
  for (auto _ : state) {
    calc_mass_matrix(setup.system, setup.kinematics, setup.dynamics, M);
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(mass_matrix, chain_of_30, make_chain(30, JointRevolute{}));

void inverse_mass_product(benchmark::State& state, const System& system) {
  Setup setup(system);
  setup.evaluate();
  for (auto _ : state) {
    calc_inverse_mass_product(setup.system, setup.kinematics, setup.dynamics, setup.tau, setup.vdot);
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(inverse_mass_product, chain_of_30, make_chain(30, JointRevolute{}));

}  // namespace
}  // namespace stiction
