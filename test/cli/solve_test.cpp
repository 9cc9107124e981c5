#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "stiction/problems/fclib.h"

#include "test/cli/program.h"
#include "test/support/xml_check.h"

namespace stiction_test {
namespace {

using nlohmann::json;
using stiction::ConeMatrix;
using stiction::ConeProblem;

// Cottle, Pang, Stone 1992: z = (4/3, 7/3), w = 0.
const std::string small_lcp = R"({"M": [[2, 1], [1, 2]], "q": [-5, -6]})";
// w = 0 z - 1 is negative whatever z is.
const std::string impossible_lcp = R"({"M": [[0]], "q": [-1]})";
// x free with x + z = 1, 0 <= z perpendicular to -x + z + 2 >= 0: x = 1, z = 0, w = 1.
const std::string mixed_lcp =
    R"({"M": [[1, 1], [-1, 1]], "q": [-1, 2], "n": 1, "m": 1,
        "blocks": [{"from": 0, "to": 1, "complementarity": false}, {"from": 1, "to": 2, "complementarity": true}]})";

// One contact with W = 1, mu = 0.5, coming down at 1 and sliding at 2 along the first tangent: r = (1, -0.5, 0).
ConeProblem make_sliding_contact() {
  ConeProblem problem;
  problem.W = ConeMatrix(3, 1, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  problem.q = stiction::Vec3(-1, 2, 0);
  problem.mu = stiction::VecX::Constant(1, 0.5);
  return problem;
}

// A lower triangular LCP of n rows without solution whose cones are too many to search: the last row asks -1 >= 0.
std::string make_large_impossible_lcp(int n) {
  json M = json::array(), q = json::array();
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(static_cast<std::size_t>(n), 0.0);
    if (i + 1 < n) row[static_cast<std::size_t>(i)] = 1;
    M.push_back(row);
    q.push_back(-1);
  }
  return json{{"M", M}, {"q", q}}.dump();
}

class Solve : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "small.json", small_lcp);
    write_text(folder_ / "impossible.json", impossible_lcp);
    write_text(folder_ / "mixed.json", mixed_lcp);
    stiction::write_fclib(folder_ / "slide.hdf5", {make_sliding_contact(), {}});
  }
  ProgramResult solve(std::vector<std::string> words) const {
    words.insert(words.begin(), "solve");
    return run_program(words, {.folder = folder_.path()});
  }
  static void expect_solution(const json& answer, const std::vector<double>& expected) {
    EXPECT_EQ(answer["status"], "solved");
    EXPECT_LE(answer["residual"], 1e-8);
    EXPECT_GE(answer["iterations"], 0);
    EXPECT_GE(answer["seconds"], 0);
    const std::vector<double> solution = answer["solution"];
    ASSERT_EQ(solution.size(), expected.size());
    // The residual of 1e-8 is relative to 1 + |q|, at most 9 here; the matrices are well conditioned.
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(solution[i], expected[i], 1e-7) << i;
  }
  void expect_said(const ProgramResult& result, int code, const std::vector<std::string>& parts) const {
    EXPECT_EQ(result.code, code) << result.err;
    for (const std::string& part : parts) {
      EXPECT_NE(result.err.find(part), std::string::npos) << "no \"" << part << "\" in\n" << result.err;
    }
  }
  TemporaryFolder folder_;
};

TEST_F(Solve, EveryKindOfProblemIsKnownByItsContent) {
  expect_solution(json::parse(solve({"small.json", "--json"}).out), {4.0 / 3, 7.0 / 3});
  expect_solution(json::parse(solve({"mixed.json", "--json"}).out), {1, 0});
  expect_solution(json::parse(solve({"slide.hdf5", "--json"}).out), {1, -0.5, 0});
  // Names do not matter where the content speaks.
  std::filesystem::rename(folder_.path() / "slide.hdf5", folder_.path() / "slide.problem");
  std::filesystem::rename(folder_.path() / "small.json", folder_.path() / "small.problem");
  expect_solution(json::parse(solve({"slide.problem", "--json"}).out), {1, -0.5, 0});
  expect_solution(json::parse(solve({"small.problem", "--json"}).out), {4.0 / 3, 7.0 / 3});
}

TEST_F(Solve, GlobalProblemsByEveryMethod) {
  // The sliding contact as a point of mass 1: M = H = 1, f = q.
  const ConeProblem local = make_sliding_contact();
  stiction::GlobalConeProblem global;
  global.M.resize(3, 3);
  global.M.setIdentity();
  global.H = global.M;
  global.f = local.q;
  global.w = stiction::VecX::Zero(3);
  global.mu = local.mu;
  stiction::write_fclib(folder_ / "global.hdf5", {global, {}});
  for (const std::string method : {"automatic", "gauss_seidel", "newton", "proximal", "matrix_free"}) {
    expect_solution(json::parse(solve({"global.hdf5", "--json", "--method", method}).out), {1, -0.5, 0});
  }
}

TEST_F(Solve, SaysInWordsWhatItFound) {
  const ProgramResult result = solve({"small.json"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string part : {"lcp, 2 rows", "status      solved", "residual", "iterations", "time"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  }
}

TEST_F(Solve, StatusesAreToldApart) {
  const ProgramResult none = solve({"impossible.json", "--json"});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(json::parse(none.out)["status"], "no_solution");
  EXPECT_GE(json::parse(none.out)["residual"], 0.1);
  write_text(folder_ / "large.json", make_large_impossible_lcp(30));
  const ProgramResult ray = solve({"large.json", "--json"});
  EXPECT_EQ(ray.code, 3);
  EXPECT_EQ(json::parse(ray.out)["status"], "ray");
  // 2^30 cones are more than it searches.
  const ProgramResult limit = solve({"large.json", "--json", "--method", "enumeration"});
  EXPECT_EQ(limit.code, 3);
  EXPECT_EQ(json::parse(limit.out)["status"], "iteration_limit");
}

TEST_F(Solve, ManyFilesGiveATableOrAnArray) {
  const ProgramResult table = solve({"small.json", "mixed.json", "slide.hdf5"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("3 of 3 solved"), std::string::npos) << table.out;
  const ProgramResult array = solve({"small.json", "impossible.json", "slide.hdf5", "--json"});
  EXPECT_EQ(array.code, 3);
  const json list = json::parse(array.out);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0]["file"], "small.json");
  expect_solution(list[0], {4.0 / 3, 7.0 / 3});
  EXPECT_EQ(list[1]["status"], "no_solution");
  expect_solution(list[2], {1, -0.5, 0});
}

TEST_F(Solve, ABadFileDoesNotKeepTheOthersFromBeingSolved) {
  write_text(folder_ / "bad.json", R"({"M": [[1]], "q": [1, 2]})");
  const ProgramResult result = solve({"bad.json", "small.json", "impossible.json", "--json"});
  expect_said(result, 2, {"bad.json", "q: has 2 entries, but M has 1 rows"});
  const json list = json::parse(result.out);
  EXPECT_EQ(list[0]["status"], "refused");
  EXPECT_EQ(list[1]["status"], "solved");
  EXPECT_EQ(solve({"bad.json", "nowhere.json", "small.json"}).code, 5);
}

TEST_F(Solve, AnUnknownMethodListsTheOnesOfTheProblem) {
  expect_said(solve({"small.json", "--method", "lemky"}), 2,
              {"no method \"lemky\"", "kind lcp", "automatic, lemke, principal_pivoting", "did you mean lemke?"});
  expect_said(solve({"mixed.json", "--method", "lemke"}), 2, {"kind mlcp", "automatic, elimination, splitting"});
  expect_said(solve({"slide.hdf5", "--method", "lemke"}), 2, {"automatic, gauss_seidel, newton and proximal"});
  expect_said(solve({"small.json", "--method", "lemke", "--method", "enumeration"}), 2, {"more than once"});
}

TEST_F(Solve, ProfileIsATableAndAPicture) {
  const ProgramResult result = solve({"small.json", "impossible.json", "slide.hdf5", "--profile", "-o", "p.svg"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string part : {"lcp, 2 problems", "cone, 1 problem:", "principal_pivoting", "gauss_seidel"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  }
  const std::string picture = read_text(folder_.path() / "p.svg");
  EXPECT_EQ(find_xml_fault(picture), "");
  for (const std::string part : {"Performance profile: lcp", "Performance profile: cone", "lemke", "newton"}) {
    EXPECT_NE(picture.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(solve({"small.json", "--profile", "-o", "no/such/folder/p.svg"}).code, 5);
}

TEST_F(Solve, ProfileOfWhatNobodySolvesIsFlatAndSaysSo) {
  const ProgramResult result = solve({"impossible.json", "--profile", "-o", "p.svg"});
  EXPECT_EQ(result.code, 3) << result.err;
  // The axis is that of parts: 0 to 1, nothing below.
  const std::string picture = read_text(folder_.path() / "p.svg");
  EXPECT_NE(picture.find(">1<"), std::string::npos) << picture;
  EXPECT_EQ(picture.find("\xE2\x88\x92"), std::string::npos) << picture;
}

TEST_F(Solve, ProfileGoesOnPastBadFiles) {
  write_text(folder_ / "bad.json", "{");
  const ProgramResult result = solve({"bad.json", "small.json", "--profile"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("bad.json:1"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("lcp, 1 problem:"), std::string::npos) << result.out;
  EXPECT_EQ(solve({"bad.json", "nowhere.json", "small.json", "--profile"}).code, 5);
}

TEST_F(Solve, ProfilePicturesAreSvg) {
  expect_said(solve({"small.json", "--profile", "-o", "p.png"}), 2, {"must be named .svg, got p.png"});
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "p.png"));
}

TEST_F(Solve, ProfileAsJsonHoldsTheTimes) {
  const ProgramResult result =
      solve({"small.json", "impossible.json", "--profile", "--json", "--method", "lemke", "--method", "automatic"});
  ASSERT_EQ(result.code, 0) << result.err;
  const json profile = json::parse(result.out).at(0);
  EXPECT_EQ(profile["kind"], "lcp");
  ASSERT_EQ(profile["methods"].size(), 2u);
  double fastest = 0;
  for (const json& method : profile["methods"]) {
    // One of two problems has a solution: no curve rises above a half, and one method is the fastest on it.
    EXPECT_EQ(method["solved"], 1);
    EXPECT_EQ(method["profile"].back(), 0.5);
    EXPECT_TRUE(method["seconds"][1].is_null());
    fastest += method["profile"].front().get<double>();
  }
  EXPECT_GE(fastest, 0.5);
}

struct Hostile {
  std::string name, text, message;
  int code = 2;
};

void PrintTo(const Hostile& hostile, std::ostream* out) {
  *out << hostile.name;
}

class SolveHostile : public testing::TestWithParam<Hostile> {};

TEST_P(SolveHostile, IsRefusedWithThePlace) {
  const TemporaryFolder folder;
  write_text(folder.path() / "x.json", GetParam().text);
  const ProgramResult result = run_program({"solve", "x.json"}, {.folder = folder.path()});
  EXPECT_EQ(result.code, GetParam().code);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(GetParam().message), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("x.json"), std::string::npos) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    json, SolveHostile,
    testing::Values(Hostile{"nan", R"({"M": [[NaN]], "q": [1]})", "x.json:1:9"},
                    Hostile{"null", R"({"M": [[null]], "q": [1]})", "M[0][0]: must be a finite number"},
                    Hostile{"overflow", R"({"M": [[1e999]], "q": [1]})", "1e999"},
                    Hostile{"twice", R"({"M": [[1]], "q": [1], "q": [2]})", "\"q\": is given twice"},
                    Hostile{"not_square", R"({"M": [[1, 2]], "q": [1]})", "must be square"},
                    Hostile{"ragged", R"({"M": [[1, 2], [3]], "q": [1, 2]})", "M[1]: has 1 entries"},
                    Hostile{"block",
                            R"({"M": [[1]], "q": [1], "blocks": [{"from": 0, "to": 9, "complementarity": true}]})",
                            "blocks[0].to"},
                    Hostile{"empty", "", "x.json:1:1"}, Hostile{"cut", R"({"M": [[1, 2], [3)", "x.json:1:"},
                    Hostile{"other", "[body.a]\nmass = 1\n", "x.json:1:2"},
                    Hostile{"no_hdf5", "\x89HDF\r\n\x1a\n and nothing more", "HDF5"}),
    [](const auto& hostile) { return hostile.param.name; });

TEST_F(Solve, HostileFclibFilesAreRefusedWithTheEntry) {
  ConeProblem problem = make_sliding_contact();
  problem.mu[0] = -1;
  stiction::write_fclib(folder_ / "mu.hdf5", {problem, {}});
  expect_said(solve({"mu.hdf5"}), 2, {"mu.hdf5", "mu[0]", "must be >= 0, got -1"});
  problem = make_sliding_contact();
  problem.q[1] = std::nan("");
  stiction::write_fclib(folder_ / "q.hdf5", {problem, {}});
  expect_said(solve({"q.hdf5"}), 2, {"q[1]", "must be finite"});
  std::filesystem::resize_file(folder_.path() / "slide.hdf5", 700);
  expect_said(solve({"slide.hdf5"}), 2, {"slide.hdf5", "HDF5"});
}

TEST_F(Solve, FilesThatCannotBeReadAreIoErrors) {
  EXPECT_EQ(solve({"nowhere.json"}).code, 5);
  EXPECT_EQ(solve({"nowhere.hdf5"}).code, 5);
  EXPECT_EQ(solve({"."}).code, 5);
  EXPECT_EQ(solve({"nowhere.json", "--profile"}).code, 5);
  // A regular file by its looks, that cannot be read from its beginning.
  if (std::filesystem::exists("/proc/self/mem")) expect_said(solve({"/proc/self/mem"}), 5, {"cannot read"});
}

TEST_F(Solve, BadOptionsAreRefused) {
  for (const std::string tolerance : {"0", "-1e-8", "tight", "nan", "inf"}) {
    expect_said(solve({"small.json", "--tolerance", tolerance}), 2, {"--tolerance"});
  }
  expect_said(solve({"small.json", "--threads", "0"}), 2, {"--threads"});
  expect_said(solve({"small.json", "-o", "x.svg"}), 2, {"--profile"});
  expect_said(solve({}), 2, {"FILE"});
}

}  // namespace
}  // namespace stiction_test
