// Broadphase: updates of many boxes of which all move a little, as in a settling pile.
#include <benchmark/benchmark.h>

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/geometry/broadphase.h"

namespace stiction {
namespace {

/// `count` unit boxes at a density of one neighbour or two each, moving by up to 1 % of their size a step.
void broadphase_update(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const double width = 1.3 * std::cbrt(count);
  Random random(1);
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3 centre(random.uniform(0, width), random.uniform(0, width), random.uniform(0, width));
    boxes.push_back({centre.array() - 0.5, centre.array() + 0.5});
  }
  Broadphase broadphase;
  broadphase.update(boxes);
  std::size_t pairs = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (Bounds& box : boxes) {
      const Vec3 d(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01));
      box.lower += d, box.upper += d;
    }
    state.ResumeTiming();
    pairs = broadphase.update(boxes).size();
  }
  state.counters["pairs"] = static_cast<double>(pairs);
  state.counters["per_box"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(broadphase_update)->Arg(1000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stiction
