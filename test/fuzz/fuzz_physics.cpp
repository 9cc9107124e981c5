#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "stiction/base/fault.h"
#include "stiction/scene/read/read_scene.h"

#include "test/fuzz/physics/judge_scene.h"

// Random scenes under every formulation with contact: is the motion physical, and if not, does the verdict say so?
//
//     fuzz_physics [--count N] [--first SEED] [--method NAME] [--kind NAME] [--keep FOLDER] [--clock] [--show]
//
// Fails where a scene is wrong and its verdict says "trustworthy". --keep writes the scenes that are wrong. --clock
// counts scenes that take more than 100 times the simulated time (a measure of the machine, too: never in tests).
// --show prints the scenes instead of trying them.

namespace stiction::fuzz {
namespace {

struct Options {
  int count = 75;  ///< seeds; each is tried with every method
  std::uint64_t first = 1;
  std::string method, kind;  ///< "": all
  std::filesystem::path keep;
  bool clock = false, show = false;
};

struct Tally {
  int scenes = 0, wrong = 0, wrong_at_small_steps = 0, silent = 0, told = 0, slow = 0;
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size();
}

bool read_options(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--clock" || name == "--show") {
      (name == "--clock" ? options.clock : options.show) = true;
      continue;
    }
    if (i + 1 == count) return false;
    const std::string_view value = arguments[++i];
    if (name == "--count" && read_number(value, options.count)) continue;
    if (name == "--first" && read_number(value, options.first)) continue;
    if (name == "--method") {
      options.method = value;
    } else if (name == "--kind") {
      options.kind = value;
    } else if (name == "--keep") {
      options.keep = value;
    } else {
      return false;
    }
  }
  return true;
}

void keep_scene(const Options& options, const SceneKind& kind, const RandomScene& scene, std::uint64_t seed) {
  if (options.keep.empty()) return;
  std::filesystem::create_directories(options.keep);
  std::ofstream(options.keep / fmt::format("{}_{}_{}.toml", kind.name, scene.method, seed)) << scene.text;
}

void try_scene(const Options& options, const SceneKind& kind, std::uint64_t seed, const std::string& method,
               Tally& tally) {
  const RandomScene scene = kind.make(seed, method);
  if (options.show) return fmt::print("{}", scene.text);
  const auto start = std::chrono::steady_clock::now();
  SceneFaults result;
  double simulated = 0;
  try {
    const RunResult run = simulate(read_scene({{{"scene.toml", scene.text}}, {}}));
    simulated = run.summary.time;
    result = judge_scene(scene, run);
  } catch (const InputError& error) {
    result.faults.push_back(std::string("refused: ") + error.what());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++tally.scenes;
  if (result.is_told) ++tally.told;
  const bool is_slow = options.clock && seconds > 100 * simulated;
  if (is_slow) ++tally.slow;
  if (is_slow) fmt::print("{} {} {}: slow, {:.2g} s for {:.2g} s\n", kind.name, method, seed, seconds, simulated);
  if (result.faults.empty()) return;
  ++tally.wrong;
  if (scene.step <= 5e-3) ++tally.wrong_at_small_steps;
  if (!result.is_told) ++tally.silent;
  keep_scene(options, kind, scene, seed);
  fmt::print("{} {} {} (h = {:g} s): {}; {}\n", kind.name, method, seed, scene.step, fmt::join(result.faults, "; "),
             result.is_told ? "told: " + result.verdict : "SILENT");
}

int run(const Options& options) {
  int silent = 0;
  std::map<std::string, Tally> tallies;
  for (const SceneKind& kind : scene_kinds()) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    for (const std::string& method : fuzzed_methods()) {
      if (!options.method.empty() && options.method != method) continue;
      if (kind.is_rigid && method == "compliant") continue;
      Tally& tally = tallies[fmt::format("{} {}", kind.name, method)];
      for (int i = 0; i < options.count; ++i)
        try_scene(options, kind, options.first + static_cast<std::uint64_t>(i), method, tally);
      silent += tally.silent;
    }
  }
  if (options.show) return 0;
  fmt::print("\n{:<30}{:>8}{:>8}{:>8}{:>18}{:>8}\n", "kind, method", "scenes", "told", "wrong", "wrong, h <= 5 ms",
             "silent");
  for (const auto& [name, t] : tallies)
    fmt::print("{:<30}{:>8}{:>8}{:>8}{:>18}{:>8}{}\n", name, t.scenes, t.told, t.wrong, t.wrong_at_small_steps,
               t.silent, options.clock ? fmt::format("   {} slow", t.slow) : "");
  return silent == 0 ? 0 : 1;
}

}  // namespace
}  // namespace stiction::fuzz

int main(int count, char** arguments) {
  stiction::fuzz::Options options;
  if (stiction::fuzz::read_options(count, arguments, options)) return stiction::fuzz::run(options);
  fmt::print(stderr,
             "usage: fuzz_physics [--count N] [--first SEED] [--method NAME] [--kind NAME] [--keep FOLDER] [--clock] "
             "[--show]\n");
  return 2;
}
