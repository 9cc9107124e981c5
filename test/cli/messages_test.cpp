#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <set>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

std::string example_file(const std::string& name) {
  return std::string(STICTION_EXAMPLES) + "/" + name + ".toml";
}

// What one cause makes wrong is one error, however many bodies and pairs it concerns.
TEST(messages, one_cause_is_one_error) {
  for (const std::string name : {"contact_pairs_without_tables", "contact_pair_in_both_orders", "contact_with_itself",
                                 "contact_with_copied_body", "body_faster_than_light", "body_mass_overflows",
                                 "body_size_overflows", "body_mass_by_density_overflows"}) {
    const std::filesystem::path file = std::filesystem::path(STICTION_BROKEN_SCENES) / (name + ".toml");
    const ProgramResult result = run_program({"check", file.string()});
    EXPECT_EQ(result.code, 2) << name;
    EXPECT_NE(result.err.find(": error: "), std::string::npos) << name;
    EXPECT_EQ(result.err.find(": error: "), result.err.rfind(": error: ")) << result.err;
  }
}

// Two balls of radius 0.5 whose centres are 0.8 m apart overlap by 0.2 m, in a scene with contact, which would not run.
TEST(geometry, measures_bodies_that_overlap) {
  const TemporaryFolder folder;
  const std::string file = folder / "overlap.toml";
  write_text(file, R"([body.a]
mass = 1
position = [0, 0, 1]
velocity = [1, 0, 0]
shape = { type = "sphere", radius = 0.5 }
[body.b]
mass = 1
position = [0.8, 0, 1]
shape = { type = "sphere", radius = 0.5 }
[contact.default]
friction = 0.5
)");
  EXPECT_TRUE(contains(run_program({"check", file}).err, "overlap by 0.2 m in the initial position"));
  const ProgramResult gap = run_program({"geometry", "gap", file, "a", "b"});
  EXPECT_EQ(gap.code, 0) << gap.err;
  EXPECT_TRUE(contains(gap.out, "gap               -0.2 m (overlapping)")) << gap.out;
  // a's deepest point is at 0.5, b's at 0.3; no rounding is shown beside them.
  const ProgramResult rates = run_program({"geometry", "kinematics", file, "a", "b"});
  EXPECT_EQ(rates.code, 0) << rates.err;
  EXPECT_TRUE(contains(rates.out, "point on a        [0.5, 0, 1] m\n")) << rates.out;
  EXPECT_TRUE(contains(rates.out, "point on b        [0.3, 0, 1] m\n")) << rates.out;
  EXPECT_TRUE(contains(rates.out, "gap rate          -1 m/s\n")) << rates.out;
  const auto report = nlohmann::json::parse(run_program({"geometry", "kinematics", file, "a", "b", "--json"}).out);
  EXPECT_NEAR(report["point_a"][0], 0.5, 1e-12);
  EXPECT_NEAR(report["normal"][0], 1, 1e-12);
}

TEST(material, names_the_option_and_the_cause) {
  for (const std::string option : {"--friction", "--kinetic", "--restitution", "--poisson"}) {
    std::vector<std::string> words = {"material", option, "abc"};
    if (option != "--friction") words.insert(words.end(), {"--friction", "0.5"});
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, "expected a pure number, got \"abc\": it does not start with a number"))
        << result.err;
    EXPECT_TRUE(contains(result.err, option)) << result.err;
  }
}

TEST(examples, show_prints_the_scene) {
  const ProgramResult result = run_program({"examples", "show", "falling_rod"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, read_text(example_file("falling_rod")));
  EXPECT_TRUE(contains(run_program({"examples", "show", "faling_rod"}).err, "did you mean \"falling_rod\"?"));
}

TEST(explain, tells_meaning_formula_unit_default_and_source) {
  const ProgramResult bristle = run_program({"explain", "bristle"});
  EXPECT_EQ(bristle.code, 0) << bristle.err;
  for (const char* text : {"friction law", "sigma_0", "gonthier-thesis-2007, eqs 3.30-3.42"})
    EXPECT_TRUE(contains(bristle.out, text)) << bristle.out;
  const ProgramResult step = run_program({"explain", "time.step"});
  for (const char* text : {"key of [time]", "time [s]", "default", "> 0"})
    EXPECT_TRUE(contains(step.out, text)) << step.out;
  EXPECT_TRUE(contains(run_program({"explain", "energy.residual"}).out, "total - total(0) - input"));
  EXPECT_TRUE(contains(run_program({"explain", "ball.position.z"}).out, "world axes"));
  EXPECT_TRUE(contains(run_program({"explain", "do", "not", "trust"}).out, "verdict"));
  EXPECT_TRUE(contains(run_program({"explain", "impact"}).out, "event"));
}

TEST(explain, knows_what_the_summary_prints) {
  const std::string depth = run_program({"explain", "penetration"}).out;
  for (const char* part : {"penetration: measure", "limits", "Look closer beyond 0.001", "remedy", "Halve time.step"})
    EXPECT_TRUE(contains(depth, part)) << part << depth;
  EXPECT_TRUE(contains(run_program({"explain", "peak_force"}).out, "contact.A/B.peak_force: signal"));
  EXPECT_FALSE(contains(run_program({"explain", "friction"}).out, "](#"));
  const std::string unused = "the contact tables are not used";
  EXPECT_TRUE(contains(run_program({"explain", unused}).out, unused + ": warning"));
  // Letters of the field, and the words of the verdict.
  EXPECT_TRUE(contains(run_program({"explain", "mu"}).out, "friction: key"));
  EXPECT_TRUE(contains(run_program({"explain", "e"}).out, "restitution: key"));
  EXPECT_TRUE(contains(run_program({"explain", "h"}).out, "step: key of [time]"));
  for (const char* word : {"verdict", "trust"}) {
    const std::string verdict = run_program({"explain", word}).out;
    for (const char* part : {"trustworthy", "look closer", "do not trust", "worst value / scale"})
      EXPECT_TRUE(contains(verdict, part)) << part << verdict;
  }
}

// A signal that is recorded and cannot be explained would be seen here.
TEST(explain, knows_every_signal_of_a_run) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  write_text(folder.path() / "scene.toml", R"([time]
duration = "2 ms"
step = "1 ms"
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, 1]
shape = { type = "sphere", radius = 0.1 }
[body.arm]
mass = 1
inertia = 1
[body.link]
mass = 1
inertia = 1
[joint.hinge]
type = "revolute"
child = "arm"
[joint.tube]
type = "cylindrical"
child = "link"
[contact."ball/floor"]
friction = 0.5
)");
  ASSERT_EQ(run_program({"run", "scene.toml", "--out", "run", "--quiet"}, options).code, 0);
  const auto report = nlohmann::json::parse(run_program({"info", "run", "--json"}, options).out);
  ASSERT_FALSE(report["signals"].empty());
  std::set<std::string> seen;
  for (const auto& signal : report["signals"]) {
    const std::string name = signal["name"];
    // One component of a vector stands for the others.
    const bool component = name.ends_with(".y") || name.ends_with(".z") || name.ends_with(".w");
    if (name == "time" || component || !seen.insert(name).second) continue;
    const ProgramResult result = run_program({"explain", name});
    EXPECT_EQ(result.code, 0) << name;
    EXPECT_TRUE(contains(result.out, ": signal")) << name << "\n" << result.out;
  }
}

TEST(explain, lists_the_topics_and_offers_the_nearest) {
  const ProgramResult list = run_program({"explain"});
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* text : {"method\n", "stewart_trinkle", "audit.penetration", "friction", "release"})
    EXPECT_TRUE(contains(list.out, text)) << list.out;
  const ProgramResult unknown = run_program({"explain", "frictoin"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "there is no topic \"frictoin\"")) << unknown.err;
  EXPECT_TRUE(contains(unknown.err, "did you mean friction")) << unknown.err;
}

TEST(new_scene, runs_at_once_and_agrees_with_its_comments) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  const ProgramResult made = run_program({"new", "first"}, options);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(made.out, "Next: stiction run first.toml")) << made.out;
  const ProgramResult run = run_program({"run", "first.toml", "--out", "first", "--json"}, options);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  // v^2 / (2 mu g) = 0.2549 m; the step is 1 ms, and cone is of second order between impacts.
  const ProgramResult table = run_program({"export", "first", "--signals", "box.position.x"}, options);
  const std::string last = table.out.substr(table.out.rfind('\n', table.out.size() - 2) + 1);
  EXPECT_NEAR(std::stod(last.substr(last.find(',') + 1)), 1 / (2 * 0.2 * 9.81), 1e-5);
}

// Beside the verdict: no penetration beyond rounding of lengths of 1 m, an energy balance that closes to rounding.
TEST(new_scene, is_trustworthy) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"new", "first"}, options).code, 0);
  const auto report =
      nlohmann::json::parse(run_program({"run", "first.toml", "--out", "first", "--json"}, options).out);
  EXPECT_EQ(report["status"], "completed");
  EXPECT_TRUE(report["warnings"].empty());
  EXPECT_EQ(report["verdict"], "trustworthy");
  EXPECT_LT(report["audit"]["penetration"].get<double>(), 1e-12);
  EXPECT_LT(report["energy"]["worst_residual"].get<double>(), 1e-9);
}

TEST(new_scene, overwrites_nothing) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  write_text(folder.path() / "mine.toml", "title = \"mine\"\n");
  for (const char* name : {"mine", "mine.toml"}) {
    const ProgramResult result = run_program({"new", name}, options);
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, "mine.toml exists already")) << result.err;
  }
  EXPECT_EQ(read_text(folder.path() / "mine.toml"), "title = \"mine\"\n");
}

// A rigid scene becomes a compliant one by doing what the hints say, word for word.
TEST(compliant_hint, leads_to_a_scene_that_runs) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"new", "scene"}, options).code, 0);
  std::string text = read_text(folder.path() / "scene.toml");
  text = std::regex_replace(text, std::regex("type = \"cone\""), "type = \"compliant\"");
  write_text(folder.path() / "scene.toml", text);
  const ProgramResult check = run_program({"check", "scene.toml"}, options);
  ASSERT_EQ(check.code, 2);
  const std::regex fault(
      "contact\\.(\\S+): method \"compliant\" needs a normal law\n[^\n]*\n[^\n]*\n  hint: "
      "(?:bodies can lie flat on each other here: )?replace restitution by (normal = \\{[^}]*\\}) and set "
      "method\\.integrator = (\"\\w+\");");
  int hints = 0;
  for (std::sregex_iterator it(check.err.begin(), check.err.end(), fault), end; it != end; ++it, ++hints) {
    const std::string table = "[contact." + (*it)[1].str() + "]";
    const std::size_t at = text.find(table);
    ASSERT_NE(at, std::string::npos) << table;
    const std::size_t line = text.find("restitution = ", at);
    text.replace(line, text.find('\n', line) - line, (*it)[2].str());
    if (hints == 0) text.insert(text.find("type = \"compliant\""), "integrator = " + (*it)[3].str() + "\n");
  }
  EXPECT_EQ(hints, 2) << check.err;
  write_text(folder.path() / "scene.toml", text);
  const ProgramResult run = run_program({"run", "scene.toml", "--out", "scene", "--quiet"}, options);
  EXPECT_EQ(run.code, 0) << run.err << text;
}

// Three steps, at 0.000925700598038268 s.
TEST(messages, times_have_nine_digits) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"new", "scene"}, options).code, 0);
  const ProgramResult result =
      run_program({"run", "scene.toml", "--max-steps", "3", "--set", "time.step=0.000308566866012756"}, options);
  EXPECT_TRUE(contains(result.out, "stopped after 3 steps, at t = 0.000925700598 s\n")) << result.out;
}

TEST(messages, a_hint_does_not_repeat_the_message) {
  const TemporaryFolder folder;
  write_text(folder / "scene.toml", R"([body.ball]
mass = 1
inertia = 1
[force.push]
body = "ball"
force = [{ table = [[0, 0], [1, 5]], interpolation = "spline" }, 0, 0]
)");
  const ProgramResult result = run_program({"check", folder / "scene.toml"});
  EXPECT_TRUE(contains(result.err, "expected \"hold\", \"linear\", \"monotone\" or \"cubic\", got \"spline\""))
      << result.err;
  EXPECT_FALSE(contains(result.err, "hint:")) << result.err;
}

// Runs that are recorded at different intervals, one with an impact of the ball at another height.
TEST(compare, says_what_differs_first_whatever_the_recording_interval) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"new", "scene"}, options).code, 0);
  const auto run = [&](const std::string& out, const std::vector<std::string>& sets) {
    std::vector<std::string> words = {"run", "scene.toml", "--out", out, "--quiet"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    EXPECT_EQ(run_program(words, options).code, 0);
  };
  run("one", {});
  run("coarse", {"time.output=0.05"});
  run("lower", {"time.output=0.02", "body.ball.position=[0, 0.3, 0.5]"});
  const ProgramResult alike = run_program({"compare", "one", "coarse"}, options);
  EXPECT_TRUE(contains(alike.out, "first difference, coarse from one\n  event   none")) << alike.out;
  EXPECT_TRUE(contains(alike.out, "  signal  none")) << alike.out;
  const ProgramResult differs = run_program({"compare", "one", "lower"}, options);
  // Free fall: sqrt(2 * 0.5 / g) = 0.319275 s and sqrt(2 * 0.45 / g) = 0.302891 s.
  EXPECT_TRUE(contains(differs.out, "  event   impact ball/floor: at 0.3192")) << differs.out;
  EXPECT_TRUE(contains(differs.out, "s in one, at 0.3028")) << differs.out;
  EXPECT_TRUE(contains(differs.out, "  signal  ball.position.z at 0 s: 0.55 in one, 0.5 in lower [m]")) << differs.out;
}

}  // namespace
}  // namespace stiction_test
