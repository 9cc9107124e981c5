/// All scenes on all engines: bench_engines [--engine NAME]... [--scene NAME]... [--json FILE] [--patient]
/// --patient: piles settle for 5 s simulated, whatever that takes.
/// Each engine and scene is a process of its own, one thread, one at a time, scene by scene, so that what is compared
/// is measured close together. docs/benchmarks.md tells what the columns mean.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "bench/engines/scene.h"

namespace {

using namespace stiction::engines;
using Json = nlohmann::json;

constexpr unsigned process_limit = 600;  ///< [s]

struct EngineName {
  std::string program, variant;
  std::string full() const { return variant.empty() ? program : program + "/" + variant; }
};

// STICTION_ENGINES: "ode:quickstep,bullet:", those found by CMake.
std::vector<EngineName> list_engines() {
  std::vector<EngineName> engines;
  std::istringstream list(STICTION_ENGINES);
  for (std::string item; std::getline(list, item, ',');) {
    const auto colon = item.find(':');
    engines.push_back({item.substr(0, colon), item.substr(colon + 1)});
  }
  return engines;
}

struct Options {
  std::vector<std::string> engines, scenes;  ///< empty: all
  std::string json = "engines.json";
  bool patient = false;
};

bool is_wanted(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key == "--patient") {
      options.patient = true;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (value.empty() || (key != "--engine" && key != "--scene" && key != "--json")) {
      fmt::print(stderr, "usage: {} [--engine NAME]... [--scene NAME]... [--json FILE] [--patient]\nengines:", argv[0]);
      for (const EngineName& engine : list_engines()) fmt::print(stderr, " {}", engine.program);
      fmt::print(stderr, "\nscenes: {}\n", fmt::join(scene_names(), " "));
      return std::nullopt;
    }
    if (key == "--engine") options.engines.push_back(value);
    if (key == "--scene") options.scenes.push_back(value);
    if (key == "--json") options.json = value;
    ++i;
  }
  if (options.scenes.empty()) {
    options.scenes = scene_names();
    options.scenes.pop_back();  // the largest pile only when asked for
  }
  return options;
}

// What the program printed after RESULT; what else engines print is dropped.
Json run_apart(const std::filesystem::path& program, const std::string& variant, const std::string& scene,
               bool patient) {
  int ends[2];
  if (pipe(ends) != 0) return {{"failed", "no pipe"}};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    if (!std::freopen("/dev/null", "w", stderr)) _exit(1);
    if (!patient) alarm(process_limit);
    execl(program.c_str(), program.c_str(), variant.c_str(), scene.c_str(), patient ? "patient" : nullptr, nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  std::array<char, 4096> buffer;
  for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) output.append(buffer.data(), n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const auto found = output.rfind("\nRESULT ");
  if (found != std::string::npos) return Json::parse(output.substr(found + 8), nullptr, false);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return {{"failed", fmt::format("no result within {} s", process_limit)}};
  return {{"failed", WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status)) : "no result"}};
}

std::string format_number(const Json& result, const char* key) {
  return result.contains(key) ? fmt::format("{:.1e}", result[key].get<double>()) : "-";
}

void print_row(const std::string& engine, const Json& result, double ours) {
  if (!result.contains("us_per_step")) {
    const bool left_out = result.contains("left_out");
    fmt::print("  {:<16} {}: {}\n", engine, left_out ? "left out" : "FAILED",
               result.value(left_out ? "left_out" : "failed", "its result could not be read"));
    return;
  }
  const double us = result["us_per_step"];
  std::string values;
  for (const auto& [key, value] : result["values"].items())
    values += fmt::format("{}{} {:.6g}", values.empty() ? "" : ", ", key, value.get<double>());
  const std::string worst = result.contains("worst_us") ? fmt::format("{:.0f}", result["worst_us"].get<double>()) : "-";
  const std::string unsolved = result.contains("unsolved") ? fmt::format("{}", result["unsolved"].get<int>()) : "-";
  fmt::print("  {:<16} {:>11.2f} {:>10} {:>8} {:>9} {:>9} {:>8}  {}", engine, us, worst,
             ours > 0 ? fmt::format("{:.2f}", us / ours) : "-", format_number(result, "penetration"),
             format_number(result, "residual"), unsolved, values);
  const std::string remark = result.value("remark", "");
  fmt::print("{}\n", remark.empty() ? "" : "  (" + remark + ")");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 2;
  bool known = true;
  for (const std::string& scene : options->scenes)
    if (std::find(scene_names().begin(), scene_names().end(), scene) == scene_names().end()) {
      fmt::print(stderr, "there is no scene \"{}\"; there are {}\n", scene, fmt::join(scene_names(), " "));
      known = false;
    }
  std::vector<std::string> programs;
  for (const EngineName& engine : list_engines()) programs.push_back(engine.program);
  for (const std::string& engine : options->engines)
    if (!is_wanted(programs, engine)) {
      fmt::print(stderr, "engine \"{}\" was not built; there are {}\n", engine, fmt::join(programs, " "));
      known = false;
    }
  if (!known) return 2;
  // One thread in whatever linear algebra an engine brings.
  for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}) setenv(name, "1", 1);
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto start = std::chrono::steady_clock::now();
  Json all = Json::array();
  fmt::print("  {:<16} {:>11} {:>10} {:>8} {:>9} {:>9} {:>8}  {}\n", "engine", "us/step", "worst us", "x ours",
             "depth m", "residual", "unsolved", "measured");
  for (const std::string& scene : options->scenes) {
    fmt::print("{} (h = {} s)\n", scene, make_scene(scene).h);
    double ours = 0;
    for (const EngineName& engine : list_engines()) {
      if (!is_wanted(options->engines, engine.program)) continue;
      Json result = run_apart(folder / ("bench_engine_" + engine.program), engine.variant, scene, options->patient);
      if (engine.program == "stiction" && result.contains("us_per_step")) ours = result["us_per_step"];
      print_row(engine.full(), result, ours);
      result["engine"] = engine.full();
      result["scene"] = scene;
      all.push_back(std::move(result));
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::ofstream(options->json) << all.dump(1) << "\n";
  fmt::print("{:.0f} s in all; wrote {}\n", seconds, options->json);
}
