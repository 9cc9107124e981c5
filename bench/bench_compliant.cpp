// Compliant contact: one right-hand side, the contact core alone, whole runs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/contact/contact_core.h"
#include "stiction/multibody/equations.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
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

/// Patches with volume: a ball on a plane and on the face of a table, a box and a standing cylinder on a plane.
void measure_volume(benchmark::State& bench, const std::string& ground, const std::string& body) {
  SceneText text;
  text.files.push_back({"bench.toml",
                        "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 10\nstep = 1e-4\n[method]\ntype = "
                        "\"compliant\"\n[body.ground]\nfixed = true\nshape = " +
                            ground + "\n[body.thing]\nmass = 2\n" + body +
                            "\n[contact.default]\nnormal = { law = \"volume\", stiffness = 1e7, restitution = 0.5 }\n" +
                            bristle});
  measure_right_hand_side(bench, read_scene(text));
}
void BM_VolumeBallOnPlane(benchmark::State& bench) {
  measure_volume(bench, plane,
                 "position = [0, 0, 0.098]\nvelocity = [0.1, 0.2, 0]\nshape = { type = \"sphere\", radius = 0.1 }");
}
BENCHMARK(BM_VolumeBallOnPlane);
void BM_VolumeBallOnTable(benchmark::State& bench) {
  measure_volume(bench, "{ type = \"box\", size = [1, 1, 0.4] }",
                 "position = [0, 0, 0.298]\nvelocity = [0.1, 0.2, 0]\nshape = { type = \"sphere\", radius = 0.1 }");
}
BENCHMARK(BM_VolumeBallOnTable);
void BM_VolumeBoxOnPlane(benchmark::State& bench) {
  measure_volume(
      bench, plane,
      "position = [0, 0, 0.0499]\nvelocity = [0.1, 0.2, 0]\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }");
}
BENCHMARK(BM_VolumeBoxOnPlane);
void BM_VolumeCylinderOnPlane(benchmark::State& bench) {
  measure_volume(bench, plane,
                 "position = [0, 0, 0.0499]\nvelocity = [0.1, 0.2, 0]\nshape = { type = \"cylinder\", radius = 0.05, "
                 "length = 0.1 }");
}
BENCHMARK(BM_VolumeCylinderOnPlane);

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
    ball.v += h * Vec3(0, 0, -9.81) + (h / m) * out.wrenches.F_B.tail<3>();
    ball.w += (h / I) * out.wrenches.F_B.head<3>();
    ball.X_WS.p += h * ball.v;
    advance_contact_state(out.rate, h, state);
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

/// Where bench::ThrownBall comes to: free fall, then its two equations of motion by RK4 with steps of 0.1 us,
///     x'' = g - k/m x^1.5 (1 + a x'),   u' = -mu k/m x^1.5 (1 + a x')
/// x the depth, u the horizontal speed; it slides all the while, so that friction is mu f_n on both sides.
Vec3 find_landing() {
  const bench::ThrownBall ball;
  using Values = Eigen::Vector4d;  // depth, its rate, way, speed
  const double g = 9.81, fall = std::sqrt(2 * (ball.height - ball.radius) / g);
  const auto rate = [&](const Values& y) {
    const double x = std::max(y[0], 0.0), f = ball.stiffness * x * std::sqrt(x) * (1 + ball.damping() * y[1]);
    return Values(y[1], g - f / ball.mass, y[3], -ball.friction * f / ball.mass);
  };
  Values y(0, g * fall, ball.speed * fall, ball.speed);
  const int n = 2'800'000;
  const double h = (ball.duration - fall) / n;
  for (int i = 0; i < n; ++i) {
    const Values r1 = rate(y), r2 = rate(y + h / 2 * r1), r3 = rate(y + h / 2 * r2), r4 = rate(y + h * r3);
    y += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
  }
  return Vec3(y[2], 0, ball.radius - y[0]);
}

/// Thrown on a plane, one impact with damping and friction, at the accuracy given (10^-x); `error`: of its place in the
/// end, against find_landing [m].
void BM_ThrownBall(benchmark::State& bench) {
  const bench::ThrownBall ball;
  Scene scene = make_scene(plane, "position = [0, 0, " + std::to_string(ball.height) + "]\nvelocity = [" +
                                      std::to_string(ball.speed) + ", 0, 0]");
  scene.method.integrator = "dormand_prince";
  scene.method.relative_tolerance = std::pow(10.0, -static_cast<double>(bench.range(0)));
  scene.method.absolute_tolerance = 1e-2 * scene.method.relative_tolerance;
  scene.contacts[0].value.normal->restitution = ball.restitution;
  FrictionSpec coulomb;
  coulomb.law = "coulomb";
  coulomb.kinetic = ball.friction;
  coulomb.tolerance_velocity = ball.transition_velocity;
  scene.contacts[0].value.friction = coulomb;
  const System system = compile(scene);
  Vec3 place = Vec3::Zero();
  for (auto _ : bench) {
    const auto stepper = make_stepper(system, scene.method);
    State state = system.initial;
    while (state.t < ball.duration) benchmark::DoNotOptimize(stepper->step(state, ball.duration));
    place = state.q.tail<3>();
  }
  bench.counters["error"] = (place - find_landing()).norm();
}
BENCHMARK(BM_ThrownBall)->DenseRange(4, 10, 2)->Unit(benchmark::kMicrosecond);

/// Force of a ball pressed into a plane while it turns: `error` of the mean beside `exact`, `ripple` = (largest -
/// smallest) / mean over half a turn. Depth 10 mm / argument 0, 1 mm / 1.
template <class Force>
void measure_foundation(benchmark::State& bench, double exact, const Force& force) {
  constexpr int poses = 180;
  constexpr double pi = 3.14159265358979324;
  double low = HUGE_VAL, high = 0, mean = 0;
  for (int k = 0; k < poses; ++k) {
    const double f = force(pi * k / poses);
    low = std::min(low, f), high = std::max(high, f), mean += f / poses;
  }
  int k = 0;
  for (auto _ : bench) benchmark::DoNotOptimize(force(pi * (k++ % poses) / poses));
  bench.counters["error"] = mean / exact - 1;
  bench.counters["ripple"] = (high - low) / std::max(mean, 1e-300);
}
double get_depth(const benchmark::State& bench) {
  return bench.range(0) == 0 ? 1e-2 : 1e-3;
}
/// k_v V with V = pi d^2 (3 R - d) / 3.
void BM_FoundationBall(benchmark::State& bench) {
  const bench::FoundationBall data;
  const double depth = get_depth(bench), V = 3.14159265358979324 * depth * depth * (3 * data.radius - depth) / 3;
  CompliantLaw law{NormalPower{.exponent = 1, .stiffness = data.stiffness}, FrictionNone{}};
  law.volume = VolumeSettings{};
  const ContactPair pair{HalfSpace{}, Sphere{data.radius}, law};
  ContactBody ground, ball;
  ball.X_WS.p.z() = data.radius - depth;
  ContactState state;
  update_contact(pair, ground, ball, state);
  measure_foundation(bench, data.stiffness * V, [&](double angle) {
    ball.X_WS.R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    return evaluate_contact(pair, ground, ball, state).response.normal_force;
  });
}
BENCHMARK(BM_FoundationBall)->DenseRange(0, 1);

#ifdef STICTION_WITH_SIMBODY
void BM_FoundationBallSimbody(benchmark::State& bench) {
  const bench::FoundationBall data;
  bench::SimbodyFoundation ball(static_cast<int>(bench.range(1)));
  const double depth = get_depth(bench);
  measure_foundation(bench, 3.14159265358979324 * data.stiffness * data.radius * depth * depth,
                     [&](double angle) { return ball.calc_force(depth, angle); });
}
BENCHMARK(BM_FoundationBallSimbody)->ArgsProduct({{0, 1}, {3, 4, 5, 6}})->Unit(benchmark::kMicrosecond);

void BM_ThrownBallSimbody(benchmark::State& bench) {
  bench::SimbodyBall ball;
  std::array<double, 3> place{};
  for (auto _ : bench) place = ball.simulate(std::pow(10.0, -static_cast<double>(bench.range(0))));
  bench.counters["error"] = (Vec3(place[0], place[1], place[2]) - find_landing()).norm();
}
BENCHMARK(BM_ThrownBallSimbody)->DenseRange(4, 10, 2)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace stiction
