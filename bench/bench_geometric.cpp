// One step of geometric_implicit: the examples of compliant-implicit-2007, and 1 to 100 contacts.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

constexpr const char* floor_y = "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 1, 0] }\n";
constexpr const char* floor_z = "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n";

Scene make_geometric_scene(const std::string& gravity, double step, const std::string& rest) {
  SceneText text;
  text.files.push_back({"bench.toml", fmt::format("world.gravity = {}\ntime = {{ duration = 10, step = {} }}\n"
                                                  "method.type = \"geometric_implicit\"\n{}",
                                                  gravity, step, rest)});
  return read_scene(text);
}

/// Time of a step, from the start for `duration` seconds over and over: flight, landing and what follows.
void measure_geometric(benchmark::State& bench, const Scene& scene, double duration) {
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = scene.time.step;
  const auto stepper = make_stepper(system, settings);
  State state = system.initial;
  double contacts = 0, iterations = 0;
  for (auto _ : bench) {
    if (state.t >= duration) state = system.initial;
    const StepReport report = stepper->step(state, 1e9);
    contacts += report.contact.contacts;
    iterations += report.contact.nonlinear_iterations;
  }
  bench.counters["contacts"] = benchmark::Counter(contacts, benchmark::Counter::kAvgIterations);
  bench.counters["iterations"] = benchmark::Counter(iterations, benchmark::Counter::kAvgIterations);
}

/// The disc of example 1, with its core (Fig. 3) and without (Fig. 5); it touches for a third of the time and more.
void step_geometric_disc(benchmark::State& bench, double thickness) {
  measure_geometric(bench,
                    make_geometric_scene("[0, -9.81, 0]", 1e-4,
                                         fmt::format("{}[body.disc]\nplanar = true\nmass = 1\ninertia = 0.5\n"
                                                     "position = [0, 1.5, 0]\nshape = {{ type = \"cylinder\", "
                                                     "radius = 1, length = 0.2, axis = [0, 0, 1] }}\n"
                                                     "[contact.\"disc/floor\"]\nlayer = {{ stiffness = 1000, "
                                                     "thickness = {} }}\n",
                                                     floor_y, thickness)),
                    2);
}
BENCHMARK_CAPTURE(step_geometric_disc, core, 0.05);
BENCHMARK_CAPTURE(step_geometric_disc, soft, 1);

/// The ellipsoid of example 2, lying (Fig. 6) and, with an angular velocity, tilted (Fig. 7).
void step_geometric_ellipsoid(benchmark::State& bench, const std::string& motion) {
  measure_geometric(
      bench,
      make_geometric_scene("[0, 0, -9.81]", 1e-4,
                           fmt::format("{}[body.ellipsoid]\nmass = 1\nposition = [0, 0, 0.15]\n{}\nshape = {{ type = "
                                       "\"ellipsoid\", semi_axes = [0.25, 0.005, 0.005] }}\n"
                                       "[contact.\"ellipsoid/floor\"]\nfriction = 0.4\nellipse = [1, 1, 0.04]\n"
                                       "layer = {{ stiffness = [36000, 8000, 8000], "
                                       "damping = [379.47, 178.89, 178.89], thickness = 0.005 }}\n",
                                       floor_z, motion)),
      1);
}
BENCHMARK_CAPTURE(step_geometric_ellipsoid, flat, "angular_velocity = [0, 0, 5]");
BENCHMARK_CAPTURE(step_geometric_ellipsoid, tilted,
                  "angular_velocity = [0, 0, 5]\norientation = { quaternion = [0.9962, 0, 0.0872, 0] }");

/// Eggs on a floor in a row, each leaning on the next: n contacts with the floor and n - 1 between them, in one island.
void step_geometric_row(benchmark::State& bench) {
  const int n = static_cast<int>(bench.range(0));
  std::string bodies = floor_z;
  for (int i = 0; i < n; ++i)
    bodies += fmt::format(
        "[body.egg{0}]\nmass = 1\nposition = [{1}, 0, 0.079]\nvelocity = [{2}, 0.1, 0]\n"
        "shape = {{ type = \"ellipsoid\", semi_axes = [0.1, 0.1, 0.08] }}\n",
        i, 0.1999 * i, i % 2 == 0 ? 0.02 : -0.02);
  measure_geometric(bench,
                    make_geometric_scene("[0, 0, -9.81]", 1e-3,
                                         bodies + "[contact.default]\nfriction = 0.3\nlayer = { stiffness = 1e4, "
                                                  "damping = 20 }\n"),
                    0.1);
}
BENCHMARK(step_geometric_row)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Arg(25)->Arg(50);

}  // namespace
}  // namespace stiction
