// One step of the smooth formulation through the Stepper's interface.
#include <benchmark/benchmark.h>

#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

int add_body(System& system, const MassProperties& mass, Joint joint) {
  joint.q_start = system.nq, joint.v_start = system.nv;
  joint.nq = calc_nq(joint.kind), joint.nv = calc_nv(joint.kind);
  system.nq += joint.nq, system.nv += joint.nv;
  system.joints.push_back(joint);
  system.bodies.emplace_back().mass = mass;
  system.initial.q.conservativeResizeLike(VecX::Zero(system.nq));
  system.initial.v.conservativeResizeLike(VecX::Zero(system.nv));
  return system.n_bodies() - 1;
}

System make_world() {
  System system;
  system.gravity = Vec3(0, 0, -9.81);
  system.bodies.emplace_back();
  system.joints.emplace_back();
  system.initial.z = VecX::Zero(system.nz);
  return system;
}

System make_free_body() {
  System system = make_world();
  Joint joint;
  joint.kind = JointFree{};
  MassProperties mass;
  mass.mass = 2;
  mass.inertia = Vec3(1, 2, 2.5).asDiagonal();
  add_body(system, mass, joint);
  system.initial.q[0] = 1;
  system.initial.v << 0.7, 1.1, -0.9, 0.2, -0.1, 0.3;
  return system;
}

// Six revolute joints, alternately about z and y, links of 0.4 m.
System make_arm() {
  System system = make_world();
  MassProperties link;
  link.mass = 1;
  link.com = Vec3(0.2, 0, 0);
  link.inertia = 0.01 * Mat3::Identity();
  for (int i = 0; i < 6; ++i) {
    Joint joint;
    joint.kind = JointRevolute{};
    joint.parent = i;
    if (i % 2 == 1) joint.X_PF.R = make_frame_with_z(Vec3::UnitY(), Vec3::UnitX());
    if (i % 2 == 1) joint.X_MB.R = joint.X_PF.R.transpose();
    if (i > 0) joint.X_PF.p = Vec3(0.4, 0, 0);
    add_body(system, link, joint);
    system.initial.q[i] = 0.1 * (i + 1);
  }
  return system;
}

// Time of one call of step; the run starts over before it gets far.
void measure(benchmark::State& loop, const System& system, const char* integrator) {
  MethodSettings settings;
  settings.integrator = integrator;
  settings.step = 1e-4;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  double evaluations = 0;
  for (auto _ : loop) {
    const StepReport report = stepper->step(state, 1e9);
    evaluations += report.evaluations;
    if (state.t > 10) state = system.initial;
  }
  loop.counters["evaluations"] = benchmark::Counter(evaluations, benchmark::Counter::kAvgIterations);
}

void step_free_body_rk4(benchmark::State& loop) {
  measure(loop, make_free_body(), "rk4");
}
void step_free_body_semi_implicit_euler(benchmark::State& loop) {
  measure(loop, make_free_body(), "semi_implicit_euler");
}
void step_free_body_dormand_prince(benchmark::State& loop) {
  measure(loop, make_free_body(), "dormand_prince");
}
void step_arm_rk4(benchmark::State& loop) {
  measure(loop, make_arm(), "rk4");
}
void step_arm_dormand_prince(benchmark::State& loop) {
  measure(loop, make_arm(), "dormand_prince");
}
void step_arm_cvode_bdf(benchmark::State& loop) {
  measure(loop, make_arm(), "cvode_bdf");
}

BENCHMARK(step_free_body_rk4);
BENCHMARK(step_free_body_semi_implicit_euler);
BENCHMARK(step_free_body_dormand_prince);
BENCHMARK(step_arm_rk4);
BENCHMARK(step_arm_dormand_prince);
BENCHMARK(step_arm_cvode_bdf);

}  // namespace
}  // namespace stiction
