#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

/// A mass without gravity under a force that is held at 0 N up to 0.5 s and at 2 N from then on; a pusher beside it.
constexpr const char* held_force = R"([time]
duration = 1
step = "10 ms"
output = "10 ms"
[body.mass]
mass = 1
inertia = 0.1
[force.push]
body = "mass"
force = [{ table = [[0, 0], [0.5, 2]], interpolation = "hold" }, 0, 0]
)";

/// The columns of an exported run: time first.
std::vector<std::vector<double>> read_columns(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

// v = 2 N (t - 0.5 s) / 1 kg, x = 1/2 2 (t - 0.5 s)^2 after the jump, 0 before: at the end 1 m/s and 0.25 m. The jump
// falls on the end of a step: nothing of it leaks into the step before. Bounds: rounding, and the tolerance 1e-8 of
// dormand_prince.
TEST(table_of_points, a_held_force_acts_from_its_point_on) {
  for (const std::string integrator : {"rk4", "rk2", "rk5", "dormand_prince"}) {
    const TemporaryFolder folder;
    const ProgramOptions options{.folder = folder.path()};
    write_text(folder.path() / "held.toml", held_force);
    ASSERT_EQ(run_program({"run", "held.toml", "--set", "method.integrator=" + integrator, "--out", "run", "--quiet"},
                          options)
                  .code,
              0);
    const auto rows =
        read_columns(run_program({"export", "run", "--signals", "mass.velocity.x", "mass.position.x"}, options).out);
    ASSERT_EQ(rows.size(), 101u);
    const double bound = integrator == "dormand_prince" ? 1e-8 : 1e-13;
    for (const auto& row : rows) {
      const double t = std::max(row[0] - 0.5, 0.0);
      EXPECT_NEAR(row[2], t * t, bound) << integrator << " " << row[0];
      EXPECT_NEAR(row[1], 2 * t, bound) << integrator << " " << row[0];
    }
  }
}

// A pusher at rest, then at 0.1 m/s, then at rest: it is where the lines are at every step, and pushes a block along.
TEST(table_of_points, a_linear_motion_drives_a_pusher_in_rigid_contact) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  write_text(folder.path() / "push.toml", R"([world]
gravity = [0, 0, -9.81]
[time]
duration = 3
step = "1 ms"
output = "10 ms"
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.pusher]
motion = { position = { table = [[0, [0, 0, 0.05]], [1, [0, 0, 0.05]], [2, [0.1, 0, 0.05]], [3, [0.1, 0, 0.05]]], interpolation = "linear" } }
shape = { type = "box", size = [0.1, 0.1, 0.08] }
[body.block]
mass = 1
position = [0.1, 0, 0.05]
shape = { type = "box", size = [0.1, 0.1, 0.1] }
[contact.default]
friction = 0.5
)");
  const ProgramResult run = run_program({"run", "push.toml", "--out", "run", "--json"}, options);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto rows =
      read_columns(run_program({"export", "run", "--signals", "pusher.position.x", "block.position.x"}, options).out);
  for (const auto& row : rows) {
    const double x = std::clamp(0.1 * (row[0] - 1), 0.0, 0.1);
    EXPECT_NEAR(row[1], x, 1e-12) << row[0];
    // Friction stops the block within v^2 / (2 mu g) = 1 mm after the pusher does.
    EXPECT_GT(row[2], 0.1 + x - 1e-6) << row[0];
    EXPECT_LT(row[2], 0.1 + x + 1.1e-3) << row[0];
  }
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["audit"]["unconverged"], 0);
  EXPECT_LT(report["energy"]["worst_residual"].get<double>(), 1e-12);
}

}  // namespace
}  // namespace stiction_test
