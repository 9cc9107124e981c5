// Compliant contact: one right-hand side, the contact core alone, whole runs.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "stiction/contact/contact_core.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile.h"
#include "stiction/scene/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

constexpr const char* bristle =
    "friction = { law = \"bristle\", static = 0.45, kinetic = 0.4, stiffness = 1e5, damping = 1e4, stribeck_velocity = "
    "0.1, dwell_time = 0.01 }\n";

Scene make_scene(const std::string& shape, const std::string& ball) {
  SceneText text;
  text.files.push_back(
      {"bench.toml",
       "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 10\nstep = 1e-4\n[method]\ntype = \"compliant\"\n"
       "integrator = \"semi_implicit_euler\"\n[body.ground]\nfixed = true\nshape = " +
           shape + "\n[body.ball]\nmass = 2\n" + ball +
           "\nshape = { type = \"sphere\", radius = 0.1 }\n[contact.default]\nnormal = { law = \"hertz\", "
           "stiffness = 1e6, restitution = 0.5 }\n" +
           bristle});
  return read_scene(text);
}

const std::string plane = "{ type = \"halfspace\", normal = [0, 0, 1] }";
const std::string cylinder = "{ type = \"hollow_cylinder\", radius = 1, axis = [0, 1, 0] }";

void measure_right_hand_side(benchmark::State& bench, const Scene& scene) {
  const System system = compile(scene);
  Equations equations(system);
  State state = system.initial;
  for (auto _ : bench) {
    equations.evaluate(state);
    benchmark::DoNotOptimize(equations.dv().data());
  }
}

void BM_BallOnPlane(benchmark::State& bench) {
  measure_right_hand_side(bench, make_scene(plane, "position = [0, 0, 0.0995]\nvelocity = [0.1, 0.2, 0]"));
}
BENCHMARK(BM_BallOnPlane);

void BM_BallInCylinder(benchmark::State& bench) {
  measure_right_hand_side(bench, make_scene(cylinder, "position = [0, 0, -0.9005]\nvelocity = [0.1, 0.2, 0]"));
}
BENCHMARK(BM_BallInCylinder);

/// The contact core alone, as another simulator calls it.
void BM_CoreBallOnPlane(benchmark::State& bench) {
  const ContactPair pair{
      HalfSpace{},
      Sphere{0.1},
      {NormalPower{.stiffness = 1e6, .restitution = 0.5}, FrictionBristle{0.45, 0.4, 1e5, 1e4, 0, 0.1, 0.01, 1e-3}}};
  ContactBody ground, ball;
  ball.X_WS.p.z() = 0.0995;
  ball.v = Vec3(0.1, 0.2, 0);
  ContactState state;
  update_contact(pair, ground, ball, state);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(ball);
    benchmark::DoNotOptimize(evaluate_contact(pair, ground, ball, state));
  }
}
BENCHMARK(BM_CoreBallOnPlane);

/// Steps of 0.1 ms; simulated seconds for each second: 1e-4 divided by the time of a step.
void measure_steps(benchmark::State& bench, const char* integrator) {
  Scene scene = make_scene(cylinder, "position = [0.3, 0, -0.7]");
  scene.method.integrator = integrator;
  scene.method.step = scene.time.step;
  const System system = compile(scene);
  const auto stepper = make_stepper(system, scene.method);
  State state = system.initial;
  for (auto _ : bench) benchmark::DoNotOptimize(stepper->step(state, state.t + 1));
  bench.counters["real_time_factor"] =
      benchmark::Counter(1e-4 * static_cast<double>(bench.iterations()), benchmark::Counter::kIsRate);
}
void BM_CylinderStepSemiImplicit(benchmark::State& bench) {
  measure_steps(bench, "semi_implicit_euler");
}
BENCHMARK(BM_CylinderStepSemiImplicit);
void BM_CylinderStepRk4(benchmark::State& bench) {
  measure_steps(bench, "rk4");
}
BENCHMARK(BM_CylinderStepRk4);

}  // namespace
}  // namespace stiction
