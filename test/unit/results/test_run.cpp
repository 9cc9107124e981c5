#include "test_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "stiction/base/fault.h"
#include "stiction/results/sqlite.h"

namespace stiction {

TestFolder::TestFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "stiction-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw IoError("no temporary folder");
  path_ = pattern;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<SignalInfo> TestRun::infos() const {
  std::vector<SignalInfo> infos;
  for (int i = 0; i < signals; ++i) infos.push_back({fmt::format("body{}.position.x", i), "m", "output"});
  return infos;
}

double TestRun::sample(int index, int signal) const {
  // A few numbers that text and databases like to change on the way.
  const double awkward[] = {-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(), 0.1,
                            -std::numeric_limits<double>::infinity()};
  if (index < 5 && signal == 0) return awkward[index];
  return std::sqrt(2.0 + index) * std::numbers::pi / (1.0 + signal);
}

double TestRun::time(int index) const {
  return index * 0.1;
}

std::vector<double> TestRun::times(int part) const {
  std::vector<double> times;
  for (int i = 0; i < rows; ++i) times.push_back(time(part * rows + i));
  return times;
}

MatX TestRun::samples(int part) const {
  MatX samples(rows, signals);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < signals; ++j) samples(i, j) = sample(part * rows + i, j);
  }
  return samples;
}

std::vector<StepEvent> TestRun::events(int part) const {
  return {{time(part * rows) + 1e-3, "taut", "rope"}};
}

Checkpoint TestRun::checkpoint(int part) const {
  Checkpoint checkpoint;
  const int end = (part + 1) * rows;
  checkpoint.state.t = time(end - 1);
  checkpoint.state.step = end;
  checkpoint.state.q = VecX::LinSpaced(7, 1.0 / 3.0, std::sqrt(end));
  checkpoint.state.v = VecX::Constant(6, -0.0);
  checkpoint.state.z = VecX::Constant(3, std::exp(-end));
  checkpoint.state.modes = {1, 0, -1};
  checkpoint.stepper_memory = {1e-300, static_cast<double>(end)};
  checkpoint.recorder_memory = {0.1, 0.2, 0.3};
  return checkpoint;
}

void TestRun::write_part(RunWriter& writer, int part) const {
  const Checkpoint at_end = checkpoint(part);
  writer.write_part({times(part), samples(part), {}, events(part)}, &at_end);
  writer.close_part();
}

SceneText make_test_scene() {
  return {{{"main.toml", "title = \"Gänge\"\n"}, {"parts/arm.toml", ""}}, {"time.step=1e-3", "body.a.mass=2"}};
}

RunSummary make_test_summary(RunStatus status) {
  RunSummary summary;
  summary.status = status;
  summary.message = "as wanted";
  summary.time = 0.3;
  summary.steps = 12345678901;
  summary.evaluations = 49382715604;
  summary.hash = "0123456789abcdef";
  summary.wall_seconds = 1.5;
  summary.audit = {{"drift", 1e-13}, {"step", 0.1}};
  summary.energy_first = -1.1;
  summary.energy_last = -1.2;
  summary.energy_worst_residual = 1e-17;
  summary.measures.worst = {{"penetration", {1e-6, 0.2, "ball/floor", 0, ""}},
                            {"joint_limit", {0.1, 0.1, "hinge", 1, "rad"}}};
  summary.measures.exchanged = {.energy = 1.0 / 3, .total = 2, .impulse = 3, .steps = 4};
  return summary;
}

std::string dump_run(const std::filesystem::path& folder) {
  Database database(folder / "run.sqlite", DatabaseAccess::read_only);
  std::string text;
  for (const char* sql : {"SELECT quote(key) || quote(value) FROM meta ORDER BY key",
                          "SELECT quote(key) || quote(value) FROM setting ORDER BY key",
                          "SELECT quote(key) || quote(value) FROM parameter ORDER BY key",
                          "SELECT position || quote(name) || quote(text) FROM scene_file ORDER BY position",
                          "SELECT position || quote(text) FROM scene_override ORDER BY position",
                          "SELECT id || quote(name) || quote(unit) || time_base FROM signal ORDER BY id",
                          "SELECT id || ',' || samples FROM part ORDER BY id",
                          "SELECT part || ',' || signal || quote(data) FROM chunk ORDER BY part, signal",
                          "SELECT id || ',' || part || quote(t) || quote(kind) || quote(name) FROM event ORDER BY id",
                          "SELECT part || quote(data) || quote(checksum) FROM checkpoint ORDER BY part",
                          "SELECT position || quote(text) FROM warning ORDER BY position",
                          "SELECT quote(name) || quote(value) || quote(time) || quote(place) || quote(scale) || "
                          "quote(unit) FROM measure ORDER BY name",
                          "SELECT quote(key) || quote(value) FROM summary WHERE key <> 'wall_seconds' ORDER BY key"}) {
    Statement rows(database, sql);
    while (rows.step()) text += rows.text(0) + "\n";
  }
  return text;
}

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_bits(x, y); });
}

}  // namespace stiction
