// Compliant contact: one right-hand side, the contact core alone, whole runs.
#include <benchmark/benchmark.h>

#include <cmath>

#include "stiction/contact/contact_core.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile.h"
#include "stiction/scene/read_scene.h"
#include "stiction/stepping/stepper.h"

#include "bench/bench_compliant_simbody.h"

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

/// The same loop that docs/compliant.md shows, for the ball in the cylinder at h = 0.1 ms: no engine around it. The
/// bristles are softer than the thesis' (damping 50 s/m), which that step resolves.
void BM_CoreCylinderLoop(benchmark::State& bench) {
  const double m = 2, I = 0.4 * m * 0.01, h = 1e-4;
  const ContactPair pair{
      HollowCylinder{1, Vec3::UnitY()},
      Sphere{0.1},
      {NormalPower{.stiffness = 1e6, .restitution = 0.5}, FrictionBristle{0.45, 0.4, 5e3, 50, 0, 0.1, 0.01, 1e-3}}};
  ContactBody ground, ball;
  ContactState state;
  ball.X_WS.p = Vec3(0.3, 0, -0.7);
  for (auto _ : bench) {
    const ContactOutput out = evaluate_contact(pair, ground, ball, state);
    ball.v += h * (Vec3(0, 0, -9.81) + out.wrenches.F_B.tail<3>() / m);
    ball.w += h * (out.wrenches.F_B.head<3>() / I);
    ball.X_WS.p += h * ball.v;
    advance_contact_state(out.response.rate, h, state);
    update_contact(pair, ground, ball, state);
  }
  bench.counters["real_time_factor"] =
      benchmark::Counter(h * static_cast<double>(bench.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_CoreCylinderLoop);

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

/// A ball dropped on a plane without damping and friction, 0.9 s, at the accuracy given (10^-x); `error`: of its
/// height in the end, against the closed form: free fall, one impact, free flight.
constexpr double drop_duration = 0.9;
double calc_height_at_end() {
  const double g = 9.81, m = 2, k = 1e6, fall = std::sqrt(2 * 0.5 / g), v = g * fall;
  // Half an impact under gravity: dx/dt = sqrt(v^2 + 2 g x - 4/5 k/m x^2.5) to the deepest point, by the substitution
  // x = x_m (1 - s^2) and Simpson's rule.
  double x_m = std::pow(1.25 * m * v * v / k, 0.4);
  for (int i = 0; i < 100; ++i) x_m = std::pow(1.25 * m / k * (v * v + 2 * g * x_m), 0.4);
  const auto integrand = [&](double s) {
    const double x = x_m * (1 - s * s);
    // (u^2)/s^2 without cancellation at s = 0: its slope at x_m
    const double u2 = v * v + 2 * g * x - 0.8 * k / m * x * x * std::sqrt(x);
    const double slope = -2 * g + 2 * k / m * x_m * std::sqrt(x_m);
    return s < 1e-4 ? 2 * x_m / std::sqrt(slope * x_m) : 2 * x_m * s / std::sqrt(u2);
  };
  const int n = 20000;
  double half = 0;
  for (int i = 0; i < n; ++i) {
    const double a = static_cast<double>(i) / n, b = static_cast<double>(i + 1) / n;
    half += (b - a) / 6 * (integrand(a) + 4 * integrand(0.5 * (a + b)) + integrand(b));
  }
  // Up again with v at the end of the impact.
  const double t = drop_duration - fall - 2 * half;
  return 0.1 + v * t - 0.5 * g * t * t;
}

void BM_DroppedBall(benchmark::State& bench) {
  Scene scene = make_scene(plane, "position = [0, 0, 0.6]");
  scene.method.integrator = "dormand_prince";
  scene.method.relative_tolerance = std::pow(10.0, -static_cast<double>(bench.range(0)));
  scene.method.absolute_tolerance = 1e-2 * scene.method.relative_tolerance;
  scene.contacts[0].value.normal->restitution = 1;
  scene.contacts[0].value.friction = 0.0;
  const System system = compile(scene);
  double height = 0;
  for (auto _ : bench) {
    const auto stepper = make_stepper(system, scene.method);
    State state = system.initial;
    while (state.t < drop_duration) benchmark::DoNotOptimize(stepper->step(state, drop_duration));
    height = state.q[6];
  }
  bench.counters["error"] = std::abs(height - calc_height_at_end());
}
BENCHMARK(BM_DroppedBall)->DenseRange(4, 10, 2)->Unit(benchmark::kMicrosecond);

#ifdef STICTION_WITH_SIMBODY
void BM_DroppedBallSimbody(benchmark::State& bench) {
  bench::SimbodyBall ball;
  double height = 0;
  for (auto _ : bench) height = ball.simulate(std::pow(10.0, -static_cast<double>(bench.range(0))));
  bench.counters["error"] = std::abs(height - calc_height_at_end());
}
BENCHMARK(BM_DroppedBallSimbody)->DenseRange(4, 10, 2)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace stiction
