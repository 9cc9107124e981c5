// Contact problems of chosen steps as files, and a step written down, against hand calculations.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#ifdef STICTION_WITH_FCLIB
extern "C" {
#include <fclib.h>
}
#endif

#include "test/cli/program.h"

namespace stiction_test {
namespace {

// A particle of 2 kg that slides on a floor, mu = 0.5, at 3 m/s: in a step of 1 ms r_n = m g h = 0.01962 N s and
// r_t = mu r_n against the motion.
const std::string slider_scene = R"([world]
gravity = [0, 0, -9.81]
[time]
duration = 0.1
step = 1e-3
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.puck]
particle = true
mass = 2
position = [0, 0, 0.1]
velocity = [3, 0, 0]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
friction = 0.5
restitution = 0
)";

class problem_dump : public testing::Test {
 protected:
  problem_dump() { write_text(folder_.path() / "slider.toml", slider_scene); }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, {.folder = folder_.path()}); }
  std::vector<std::string> list(const std::string& run_name) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / run_name / "problems"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(problem_dump, steps_at_given_times_are_written_and_solved_anew) {
  const ProgramResult result = run({"run", "slider.toml", "--dump-problems", "t=0.02,0.0505", "--out", "a"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "problems: 2 written to a/problems")) << result.err;
  ASSERT_EQ(list("a"), (std::vector<std::string>{"step_0000020_1.hdf5", "step_0000050_1.hdf5"}));
  const auto answer = nlohmann::json::parse(run({"solve", "a/problems/step_0000020_1.hdf5", "--json"}).out);
  const auto& r = answer.is_array() ? answer[0]["solution"] : answer["solution"];
  ASSERT_EQ(r.size(), 3u);
  EXPECT_NEAR(r[0].get<double>(), 2 * 9.81e-3, 1e-9);
  EXPECT_NEAR(std::hypot(r[1].get<double>(), r[2].get<double>()), 0.5 * 2 * 9.81e-3, 1e-9);
}

TEST_F(problem_dump, methods_without_problems_refuse_to_write_them) {
  const ProgramResult result =
      run({"run", "slider.toml", "--set", "method.type=smooth", "--dump-problems", "all", "--out", "a"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "method \"smooth\" has no contact problems to write")) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "a"));
}

// FCLIB's own library, which Siconos' tools read problems with, reads the file, and its merit function (the natural map
// of the cone problem) finds our impulses to solve it.
TEST_F(problem_dump, the_fclib_library_reads_them_and_finds_them_solved) {
#ifdef STICTION_WITH_FCLIB
  const std::string house = std::string(STICTION_EXAMPLES) + "/card_house.toml";
  for (const auto& [scene, contacts] : {std::pair<std::string, int>("slider.toml", 1), {house, 0}}) {
    const std::string out = contacts == 1 ? "slider" : "house";
    ASSERT_EQ(
        run({"run", scene, "--set", "time.duration=0.05", "--dump-problems", "t=0.02", "--out", out, "--quiet"}).code,
        0);
    const std::string name = out + "/problems/" + list(out).front(), path = (folder_.path() / name).string();
    const auto answer = nlohmann::json::parse(run({"solve", name, "--json", "--tolerance", "1e-12"}).out);
    auto r = (answer.is_array() ? answer[0]["solution"] : answer["solution"]).get<std::vector<double>>();
    fclib_local* problem = fclib_read_local(path.c_str());
    ASSERT_NE(problem, nullptr) << scene;
    ASSERT_EQ(problem->spacedim, 3);
    ASSERT_EQ(problem->W->m, static_cast<int>(r.size()));
    if (contacts == 1) {
      // mu = 1/2; q = (-g h, slip before the step); W = 1/m on the diagonal.
      EXPECT_EQ(problem->W->m, 3);
      EXPECT_DOUBLE_EQ(problem->mu[0], 0.5);
      EXPECT_NEAR(problem->q[0], -9.81e-3, 1e-12);
      EXPECT_NEAR(std::hypot(problem->q[1], problem->q[2]), 3 - 0.5 * 9.81 * 0.02, 1e-9);
    }
    std::vector<double> u(r.size(), 0.0), none(r.size(), 0.0);
    const fclib_matrix& W = *problem->W;
    for (int k = 0; k < W.m; ++k) u[static_cast<std::size_t>(k)] = problem->q[k];
    const auto add = [&](int i, int j, double w) {
      u[static_cast<std::size_t>(i)] += w * r[static_cast<std::size_t>(j)];
    };
    if (W.nz >= 0) {
      for (int k = 0; k < W.nz; ++k) add(W.p[k], W.i[k], W.x[k]);
    } else {
      for (int k = 0; k < (W.nz == -1 ? W.n : W.m); ++k)
        for (int l = W.p[k]; l < W.p[k + 1]; ++l) W.nz == -1 ? add(W.i[l], k, W.x[l]) : add(k, W.i[l], W.x[l]);
    }
    fclib_solution solution{none.data(), u.data(), r.data(), none.data()};
    EXPECT_LT(fclib_merit_local(problem, MERIT_1, &solution), 1e-8) << scene;
    r[0] *= 1.01;
    EXPECT_GT(fclib_merit_local(problem, MERIT_1, &solution), 1e-7) << scene;
    fclib_delete_local(problem);
  }
#else
  GTEST_SKIP() << "libfclib-dev is not installed";
#endif
}

// c_n, 8 directions, sigma: sigma is the slip, 3 m/s less mu g t.
TEST_F(problem_dump, pyramids_are_written_as_json_in_si_units) {
  const ProgramResult result = run(
      {"run", "slider.toml", "--set", "method.type=berard", "--dump-problems", "every=50", "--out", "b", "--quiet"});
  ASSERT_EQ(result.code, 0) << result.err;
  ASSERT_EQ(list("b"), (std::vector<std::string>{"step_0000000_1.json", "step_0000050_1.json"}));
  const auto answer = nlohmann::json::parse(run({"solve", "b/problems/step_0000050_1.json", "--json"}).out);
  const auto& z = answer.is_array() ? answer[0]["solution"] : answer["solution"];
  ASSERT_EQ(z.size(), 10u);
  EXPECT_NEAR(z[0].get<double>(), 2 * 9.81e-3, 1e-9);
  EXPECT_NEAR(z[9].get<double>(), 3 - 0.5 * 9.81 * 0.051, 1e-8);
}

TEST_F(problem_dump, worst_and_unconverged_ones) {
  ASSERT_EQ(run({"run", "slider.toml", "--dump-problems", "worst=3", "--out", "c", "--quiet"}).code, 0);
  EXPECT_EQ(list("c").size(), 3u);
  ASSERT_EQ(run({"run", "slider.toml", "--dump-problems", "unconverged", "--out", "d", "--quiet"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "d" / "problems"));
  const ProgramResult refused = run({"run", "slider.toml", "--dump-problems", "sometimes"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "expected all, every=N, unconverged, worst=N or t=T1,T2,...")) << refused.err;
}

// M = 2 on the diagonal, W = 1/2, r = (0.01962, 0.00981), and nothing is left of the equation but rounding.
TEST_F(problem_dump, a_step_is_written_down) {
  const ProgramResult result = run({"explain-step", "slider.toml", "--set", "method.type=berard", "--at", "0.05"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Step from t = 0.05 s, h = 0.001 s, method berard")) << result.out;
  EXPECT_TRUE(contains(result.out, "  puck.x           2           0           0\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "     0.01962           0\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "     0.00981")) << result.out;
  const std::size_t at = result.out.find("Left of the equation: ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(std::stod(result.out.substr(at + 22)), 1e-14);
  EXPECT_EQ(run({"explain-step", "slider.toml", "--at", "1"}).code, 2);
}

}  // namespace
}  // namespace stiction_test
