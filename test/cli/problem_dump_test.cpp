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
  EXPECT_TRUE(contains(result.out, "Step from t = 0.05 s, method berard: 1 problem")) << result.out;
  EXPECT_TRUE(contains(result.out, "  1: step of h = 0.001 s, s at t = 0.05 s: 10 unknowns, residual ")) << result.out;
  EXPECT_TRUE(contains(result.out, "  puck.x           2           0           0\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "  floor/puck n         0.5     0.01962")) << result.out;
  EXPECT_TRUE(contains(result.out, "  floor/puck c_n")) << result.out;
  const std::size_t at = result.out.find("Left of the equation: ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(std::stod(result.out.substr(at + 22)), 1e-14);
  EXPECT_EQ(run({"explain-step", "slider.toml", "--at", "1"}).code, 2);
  const ProgramResult none = run({"explain-step", "slider.toml", "--at", "0.05", "--problem", "7"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "--problem: the step has 1 problem, got 7")) << none.err;
}

// A rod that slides on one end, by hand: with r from its centre to the lowest point of the end at s,
//     J_n = (0, 1, r_x),  J_t = (-1, 0, r_y),  W_nn = 1/m + r_x^2/I,  W_nt = r_x r_y/I,  W_tt = 1/m + r_y^2/I,
// r_x = -l cos(angle), r_y = -l sin(angle) - radius. The angle at s is the formulation's: that of the start, h w or
// h w / 2 on, or that of the end. Its own h w is 0.04 rad, which changes W_nn by 3 %.
const std::string rod_scene = R"([world]
gravity = [0, -9.81, 0]
[time]
duration = 0.1
step = 1e-2
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 1, 0] }
[body.rod]
planar = true
mass = 2
inertia = 0.05
position = [0, 0.2, 0]
orientation = { axis = [0, 0, 1], angle = "36.86989764584402 deg" }
velocity = [0.5, -0.8, 0]
angular_velocity = [0, 0, -4]
shape = { type = "capsule", axis = [1, 0, 0], length = 0.5, radius = 0.05 }
[contact.default]
friction = 0.3
restitution = 0
)";

class explained_rod : public problem_dump, public testing::WithParamInterface<std::string> {
 protected:
  explained_rod() { write_text(folder_.path() / "rod.toml", rod_scene); }
};
INSTANTIATE_TEST_SUITE_P(methods, explained_rod,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"),
                         [](const auto& method) { return method.param; });

TEST_P(explained_rod, is_taken_where_its_method_takes_it) {
  const std::string method = GetParam(), set = "method.type=" + method;
  const ProgramResult result = run({"explain-step", "rod.toml", "--set", set, "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto step = nlohmann::json::parse(result.out);
  nlohmann::json problem;
  for (const auto& posed : step["problems"])
    if (posed["kind"] == "step" && !posed["rows"].empty()) problem = posed;
  ASSERT_FALSE(problem.is_null()) << result.out;
  ASSERT_EQ(problem["velocities"], nlohmann::json({"rod.x", "rod.y", "rod.angle"}));
  ASSERT_EQ(problem["rows"], nlohmann::json({"floor/rod 0 n", "floor/rod 0 t"}));
  const double m = 2, I = 0.05, l = 0.25, radius = 0.05, g = 9.81, h = problem["h"];
  const auto number = [&](const char* name, std::size_t i) { return problem[name][i].get<double>(); };
  const double angle = std::atan2(3.0, 4.0);
  const double w = number(method == "geometric_implicit" ? "v_end" : "v", 2);
  const double ahead = method == "berard" || method == "anitescu_potra" ? 0 : method == "cone" ? 0.5 : 1;
  const double at_s = angle + ahead * h * w;
  EXPECT_NEAR(problem["t_s"].get<double>(), ahead * h, 1e-12);
  const double rx = -l * std::cos(at_s), ry = -l * std::sin(at_s) - radius;
  const double J[2][3] = {{0, 1, rx}, {-1, 0, ry}};
  const double W[2][2] = {{1 / m + rx * rx / I, rx * ry / I}, {rx * ry / I, 1 / m + ry * ry / I}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(problem["J"][i][j].get<double>(), J[i][j], 1e-11);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(problem["W"][i][j].get<double>(), W[i][j], 1e-10);
  }
  // v_free = v - h g, and the bound of u_n: -gap/h at s, with what the way to s made of it where s is the end.
  const double v_free[] = {number("v", 0), number("v", 1) - h * g, number("v", 2)};
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(number("v_free", j), v_free[j], 1e-12);
  EXPECT_LT(problem["misfit"].get<double>(), 1e-12);
  if (!problem.contains("lcp")) return;
  // c_n, beta_1, beta_2, sigma; with h w in s the gap there is that of the start less its way, which (15) adds again.
  const auto& lcp = problem["lcp"];
  ASSERT_EQ(problem["unknowns"],
            nlohmann::json({"floor/rod 0 c_n", "floor/rod 0 beta_1", "floor/rod 0 beta_2", "floor/rod 0 sigma"}));
  const double M[4][4] = {{W[0][0], W[0][1], -W[0][1], 0},
                          {W[0][1], W[1][1], -W[1][1], 1},
                          {-W[0][1], -W[1][1], W[1][1], 1},
                          {0.3, -1, -1, 0}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(lcp["M"][i][j].get<double>(), M[i][j], 1e-10);
  const double slip = J[1][0] * v_free[0] + J[1][2] * v_free[2];
  EXPECT_NEAR(lcp["q"][1].get<double>(), slip, 1e-11);
  EXPECT_NEAR(lcp["q"][2].get<double>(), -slip, 1e-11);
  EXPECT_EQ(lcp["q"][3].get<double>(), 0);
  const double gap = 0.2 + ahead * h * number("v", 1) - l * std::sin(at_s) - radius;
  const double u_free = v_free[1] + rx * v_free[2], u_way = ahead * (number("v", 1) + rx * number("v", 2));
  const double bound = method == "anitescu_potra" ? 0 : -gap / h + u_way;
  EXPECT_NEAR(lcp["q"][0].get<double>(), u_free - bound, 1e-9);
  EXPECT_EQ(lcp["basic"][0], "z");

  // The file that a run writes of the same step has the same numbers, to the last bit.
  ASSERT_EQ(run({"run", "rod.toml", "--set", set, "--dump-problems", "t=0", "--out", method, "--quiet"}).code, 0);
  bool same = false;
  for (const std::string& name : list(method)) {
    const auto file = nlohmann::json::parse(read_text(folder_.path() / method / "problems" / name));
    same = same || (file["M"] == lcp["M"] && file["q"] == lcp["q"]);
  }
  EXPECT_TRUE(same);
}

// The same of the cone: the impulses, and the problem's own W and q where FCLIB's library is there to read them.
TEST_F(problem_dump, the_cone_problem_is_the_one_of_the_file) {
  write_text(folder_.path() / "rod.toml", rod_scene);
  const auto step = nlohmann::json::parse(run({"explain-step", "rod.toml", "--at", "0.02", "--json"}).out);
  const auto& problem = step["problems"].back();
  EXPECT_EQ(step["problems"].size(), 1u);
  ASSERT_EQ(run({"run", "rod.toml", "--dump-problems", "t=0.02", "--out", "rod", "--quiet"}).code, 0);
  const std::string name = "rod/problems/" + list("rod").back();
  const auto answer = nlohmann::json::parse(run({"solve", name, "--json", "--tolerance", "1e-12"}).out);
  const auto r = (answer.is_array() ? answer[0]["solution"] : answer["solution"]).get<std::vector<double>>();
  ASSERT_EQ(problem["r"].size(), r.size());
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(problem["r"][i].get<double>(), r[i], 1e-10);
#ifdef STICTION_WITH_FCLIB
  fclib_local* file = fclib_read_local((folder_.path() / name).string().c_str());
  ASSERT_NE(file, nullptr);
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(problem["q"][i].get<double>(), file->q[i]);
  fclib_delete_local(file);
#endif
}

}  // namespace
}  // namespace stiction_test
