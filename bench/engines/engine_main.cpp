/// One engine on one scene: bench_engine_NAME VARIANT SCENE [patient]. Prints one line, RESULT and a JSON object;
/// bench_engines starts these programs and reads it. Times are processor time of this process.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bench/engines/engine.h"
#include "bench/engines/measure.h"

namespace {

using namespace stiction::engines;
using Json = nlohmann::json;

double read_clock() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

// What slow engines get, processor time [s]: for observing a short scene, for a scene in motion, for settling a pile,
// for timing its steps.
constexpr double observe_limit = 15, motion_limit = 120, timing_limit = 10;
double calc_settle_limit(const Scene& scene, bool patient) {
  return patient ? 1e9 : 60 + 0.02 * scene.bodies.size();
}

struct Timing {
  double seconds = 0;  ///< a step
  double worst = 0;    ///< the longest step, where each is timed
  int steps = 0, repeats = 1;
};

// Of `count` steps, in this process or the engine's own.
double time_steps(Engine& engine, int count) {
  double own = 0;
  const double before = read_clock();
  for (int i = 0; i < count; ++i) {
    engine.step();
    own += engine.own_seconds();
  }
  return std::isnan(own) ? read_clock() - before : own;
}

// A short scene: once observed, then run from its start again and again without looking; the fastest counts.
Timing time_short(const Scene& scene, const std::string& variant, int steps) {
  Timing timing{1e300, 0, steps, 0};
  double total = 0;
  const auto begun = std::chrono::steady_clock::now();
  const auto is_late = [&] { return std::chrono::steady_clock::now() - begun > std::chrono::seconds(20); };
  while (timing.repeats < 3 || (total < 0.5 && timing.repeats < 100 && !is_late())) {
    const auto engine = make_engine(scene, variant);
    const double seconds = time_steps(*engine, steps);
    timing.seconds = std::min(timing.seconds, seconds / steps);
    ++timing.repeats;
    total += seconds;
    if (total > observe_limit) break;
  }
  return timing;
}

Timing run_short(const Scene& scene, const std::string& variant, Engine& engine, Observer& observer) {
  std::vector<Pose> poses;
  engine.read(poses);
  observer.start(poses);
  double spent = 0;
  int steps = 0;
  while (steps < scene.steps && spent < observe_limit) {
    spent += time_steps(engine, 1);
    engine.read(poses);
    ++steps;
    observer.observe(steps * scene.h, poses, true);
  }
  return time_short(scene, variant, steps);
}

// Steps timed one by one until `limit`; of those after the second every tenth is measured in between.
Timing time_each(const Scene& scene, Engine& engine, Observer& observer, double limit) {
  engine.take_residual();
  engine.take_unsolved();
  std::vector<Pose> poses;
  engine.read(poses);
  observer.start(poses);
  Timing timing;
  double total = 0;
  while (timing.steps < scene.steps && (total < limit || timing.steps < 2)) {
    const double seconds = time_steps(engine, 1);
    total += seconds;
    timing.worst = std::max(timing.worst, seconds);
    ++timing.steps;
    engine.read(poses);
    observer.observe(timing.steps * scene.h, poses, timing.steps % 10 == 0 || timing.steps < 3);
  }
  timing.seconds = total / timing.steps;
  return timing;
}

// A pile: settled, then timed.
Timing run_pile(const Scene& scene, Engine& engine, Observer& observer, double settle_limit, Json& result) {
  double spent = 0;
  int settled = 0;
  while (settled < scene.settle && spent < settle_limit) spent += time_steps(engine, 1), ++settled;
  result["settle_seconds"] = spent;
  result["settled_until"] = settled * scene.h;
  return time_each(scene, engine, observer, timing_limit);
}

Json run(const Scene& scene, const std::string& variant, bool patient) {
  Json result;
  const auto engine = make_engine(scene, variant);
  Observer observer(scene);
  Timing timing;
  if (scene.kind == Kind::pile)
    timing = run_pile(scene, *engine, observer, calc_settle_limit(scene, patient), result);
  else if (scene.kind == Kind::motion)
    timing = time_each(scene, *engine, observer, patient ? 1e9 : motion_limit);
  else
    timing = run_short(scene, variant, *engine, observer);
  result["us_per_step"] = 1e6 * timing.seconds;
  if (timing.worst > 0) result["worst_us"] = 1e6 * timing.worst;
  result["steps"] = timing.steps;
  result["repeats"] = timing.repeats;
  result["penetration"] = observer.penetration();
  result["values"] = observer.calc_values();
  if (const double residual = engine->take_residual(); std::isfinite(residual)) result["residual"] = residual;
  if (const int unsolved = engine->take_unsolved(); unsolved >= 0) result["unsolved"] = unsolved;
  std::string remark = engine->remark();
  const auto add = [&](const std::string& text) { remark += (remark.empty() ? "" : "; ") + text; };
  if (scene.kind == Kind::pile && result["settled_until"] < (scene.settle - 0.5) * scene.h)
    add(fmt::format("NOT SETTLED, timed from {:.2g} s on", result["settled_until"].get<double>()));
  if (timing.steps < scene.steps) add(fmt::format("{} steps only", timing.steps));
  result["remark"] = remark;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const bool patient = argc == 4 && std::string(argv[3]) == "patient";
  if (argc != 3 && !patient) {
    fmt::print(stderr, "usage: {} VARIANT SCENE [patient]\n", argv[0]);
    return 2;
  }
  Json result;
  try {
    result = run(make_scene(argv[2]), argv[1], patient);
  } catch (const Unsupported& reason) {
    result["left_out"] = reason.what();
  } catch (const std::exception& error) {
    result["failed"] = error.what();
  }
  fmt::print("\nRESULT {}\n", result.dump());
}
