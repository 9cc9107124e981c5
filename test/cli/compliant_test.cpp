#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

std::string example(const std::string& name) {
  return std::string(STICTION_EXAMPLES) + "/" + name + ".toml";
}

/// The numbers of the row of a table that begins with `name` after `heading`.
std::vector<double> read_row(const std::string& text, const std::string& heading, const std::string& name) {
  const std::size_t row = text.find(name, text.find(heading));
  if (row == std::string::npos) return {};
  std::istringstream stream(text.substr(row + name.size(), text.find('\n', row) - row - name.size()));
  std::vector<double> numbers;
  for (double number; stream >> number;) numbers.push_back(number);
  return numbers;
}

// One changed line, three formulations, one table of differences and one picture. In the first of them nothing moves:
// what moves in any is compared.
TEST(compare, shows_events_final_states_and_forces_of_several_formulations) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::string type : {"compliant", "cone", "stewart_trinkle"}) {
    const ProgramResult run = run_program({"run", example("block_on_slope"), "--set", "method.type=" + type, "--set",
                                           "time.duration=2", "--out", type, "--quiet"},
                                          options);
    ASSERT_EQ(run.code, 0) << run.err;
  }
  const ProgramResult result =
      run_program({"compare", "cone", "compliant", "stewart_trinkle", "-o", "all.svg"}, options);
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* text : {"at the end", "block.position.z", "energy.total", "normal forces [N]", "friction forces [N]",
                           "cone       compliant  difference  stewart_trinkle  difference", "compliant, rk4"})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << "\n" << result.out;
  const std::string picture = read_text(folder.path() / "all.svg");
  for (const char* text : {"normal force of all contacts", "friction force of all contacts", "stewart_trinkle"})
    EXPECT_NE(picture.find(text), std::string::npos) << text;
  // At rest the normal force is m g cos 15 = 9.4757 N and friction m g sin 15 = 2.5390 N, in all of them; columns:
  // value, then value and difference for each of the others.
  const auto normal = read_row(result.out, "normal forces", "block/slope, at the end");
  const auto friction = read_row(result.out, "friction forces", "block/slope, at the end");
  ASSERT_EQ(normal.size(), 5u);
  ASSERT_EQ(friction.size(), 5u);
  for (const std::size_t i : {0, 1, 3}) {
    EXPECT_NEAR(normal[i], 9.81 * 0.96592582628906831, 1e-6) << result.out;
    EXPECT_NEAR(friction[i], 9.81 * 0.25881904510252074, 1e-6) << result.out;
  }
  // The compliant block has sunk by m g cos 15 / (4 k) along the normal and has been sheared down the slope; its height
  // is lower by that: cos 15 * 9.4757 / 8e4, and sin 15 * tan 15 / sigma_0 = 1.4e-5 m.
  const auto height = read_row(result.out, "at the end", "block.position.z");
  ASSERT_EQ(height.size(), 5u);
  EXPECT_NEAR(height[2], -0.9659258 * 9.4757 / 8e4 - 1.387e-5, 2e-6);
}

TEST(compare, shows_a_table_where_nothing_moves) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"run", example("block_on_slope"), "--set", "method.type=cone", "--set", "time.duration=0.1",
                         "--out", "still", "--quiet"},
                        options)
                .code,
            0);
  const ProgramResult result = run_program({"compare", "still", "still"}, options);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("energy.total"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("friction forces [N]"), std::string::npos) << result.out;
}

// Events are matched one by one.
TEST(compare, sets_events_side_by_side) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::string type : {"compliant", "cone"}) {
    const ProgramResult run = run_program({"run", example("ball_on_slope"), "--set", "method.type=" + type, "--set",
                                           "time.duration=0.7", "--set", "time.step=1e-4", "--out", type, "--quiet"},
                                          options);
    ASSERT_EQ(run.code, 0) << run.err;
  }
  const ProgramResult result = run_program({"compare", "cone", "compliant"}, options);
  // Free fall to the plane: 0.5114 s in both (BallOnSlope.BouncesThenRolls derives it).
  const auto impact = read_row(result.out, "events [s]", "impact ball/plane 1");
  ASSERT_EQ(impact.size(), 3u) << result.out;
  const double c = 0.93969262078590843, s = 0.34202014332566871, g = 9.81;
  const double t = (-s + std::sqrt(s * s + 2 * g * c * (2 * c - 0.5))) / (g * c);
  EXPECT_NEAR(impact[0], t, 1e-6);
  EXPECT_NEAR(impact[1], t, 1e-6);
}

// What is called the end is that of each run, and it says so where they differ.
TEST(compare, says_when_runs_end) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::string duration : {"0.1", "0.2"}) {
    const ProgramResult run = run_program({"run", example("block_on_slope"), "--set", "method.type=cone", "--set",
                                           "time.duration=" + duration, "--out", duration, "--quiet"},
                                          options);
    ASSERT_EQ(run.code, 0) << run.err;
  }
  const ProgramResult result = run_program({"compare", "0.1", "0.2", "--signals", "energy.*"}, options);
  EXPECT_NE(result.out.find("completed at 0.1 s"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("end at different times"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("energy.total"), result.out.rfind("energy.total")) << result.out;
}

TEST(compare, needs_two_runs) {
  EXPECT_EQ(run_program({"compare", "one"}).code, 2);
}

TEST(material, prints_every_parameter_with_its_formula) {
  const ProgramResult result = run_program(
      {"material", "--mass", "2", "--radius", "0.1", "--friction", "0.45", "--kinetic", "0.4", "--modulus", "2e9"});
  ASSERT_EQ(result.code, 0) << result.err;
  // k = 4/3 E* sqrt(R), E* = E / (2 (1 - 0.09)); sigma_0 = 0.45 / 1e-4; sigma_1 = 2 sqrt(4500 / 9.81)
  for (const char* text : {"4.63337e8", "(2.4)", "4500 1/m", "(3.46)", "42.8353", "(3.51)", "dwell_time", "0.716375"})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << "\n" << result.out;
}

// (3.48)-(3.50): a body that lies on its bristles by its weight, struck so lightly that it sticks, swings with the
// frequency and the damping ratio from which the bristles were found. Damped by zeta = 0.1 its peaks are 1/f apart and
// fall by exp(-2 pi zeta / sqrt(1 - zeta^2)).
TEST(material, bristles_swing_as_they_were_measured) {
  const double f = 5, zeta = 0.1, g = 9.81, pi = std::acos(-1.0);
  const ProgramResult result =
      run_program({"material", "--friction", "0.5", "--frequency", "5", "--damping-ratio", "0.1"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto number = [&](const char* name) { return read_row(result.out, "bristle", name).at(0); };
  const double w = 2 * pi * f / std::sqrt(1 - zeta * zeta), sigma_0 = number("stiffness"), sigma_1 = number("damping");
  EXPECT_NEAR(sigma_0, w * w / g, 1e-5 * sigma_0);
  EXPECT_NEAR(sigma_1, 2 * zeta * w / g, 1e-5 * sigma_1);
  const TemporaryFolder folder;
  write_text(folder.path() / "swing.toml",
             "[world]\ngravity = [0, 0, -9.81]\n"
             "[time]\nduration = 1\nstep = 1e-4\noutput = 1e-4\n"
             "[method]\ntype = \"compliant\"\nintegrator = \"rk4\"\n"
             "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n"
             "[body.body]\nmass = 2\ninertia = 1000\nposition = [0, 0, 0.0998038]\nvelocity = [1e-4, 0, 0]\n"
             "shape = { type = \"sphere\", radius = 0.1 }\n"
             "[contact.\"body/floor\"]\nnormal = { law = \"linear\", stiffness = 1e5, damping = 500 }\n"
             "friction = { law = \"bristle\", static = 0.5, kinetic = 0.5, stiffness = " +
                 std::to_string(sigma_0) + ", damping = " + std::to_string(sigma_1) + ", stribeck_velocity = 1 }\n");
  const ProgramOptions options{.folder = folder.path()};
  ASSERT_EQ(run_program({"run", "swing.toml", "--out", "swing", "--quiet"}, options).code, 0);
  std::istringstream table(run_program({"export", "swing", "--signals", "body.velocity.x"}, options).out);
  std::vector<double> times, peaks;
  std::string line;
  double last[3] = {0, 0, 0}, t = 0;
  std::getline(table, line);
  while (std::getline(table, line)) {
    last[0] = last[1], last[1] = last[2];
    last[2] = std::stod(line.substr(line.find(',') + 1));
    if (last[1] > last[0] && last[1] >= last[2] && t > 0.05) times.push_back(t), peaks.push_back(last[1]);
    t = std::stod(line);
  }
  ASSERT_GE(peaks.size(), 4u);
  // Peaks are found to one recording interval, 1e-4 s.
  EXPECT_NEAR((times[3] - times[0]) / 3, 1 / f, 1e-4);
  EXPECT_NEAR(peaks[3] / peaks[0], std::exp(-3 * 2 * pi * zeta / std::sqrt(1 - zeta * zeta)), 1e-3);
}

TEST(material, speaks_of_no_bristles_where_there_is_no_friction) {
  const ProgramResult result = run_program({"material", "--friction", "0"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("friction = 0"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("bristle"), std::string::npos) << result.out;
}

TEST(material, says_why_zero_restitution_is_none) {
  const ProgramResult result = run_program({"material", "--friction", "0.4", "--kinetic", "0.5", "--restitution", "0"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("--restitution: must be in (0, 1], got 0"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--kinetic: must be at most --friction, got 0.5"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("use 0.01"), std::string::npos);
  EXPECT_NE(result.err.find("mu_C <= mu_S"), std::string::npos);
}

// Wheels touch along lines: with a law of points, which jump from end to end of a line, 3000 steps take this cart no
// farther than 0.5 ms.
TEST(compliant_hint, gives_wheels_a_law_of_areas) {
  const TemporaryFolder folder;
  std::vector<std::string> words = {"run",     example("cart"),
                                    "--set",   "method.type=compliant",
                                    "--set",   "time.duration=0.02",
                                    "--quiet", "--max-steps",
                                    "3000",    "--out",
                                    "cart"};
  const ProgramResult check = run_program({"check", example("cart"), "--set", "method.type=compliant"});
  const std::regex fault(
      "error: (contact\\.\\S+): method \"compliant\" needs a normal law\n[^\n]*\n[^\n]*\n  hint: bodies can lie flat "
      "on each other here: add (normal = \\{ law = \"volume\"[^}]*\\}) and set method\\.integrator = (\"\\w+\");");
  for (std::sregex_iterator it(check.err.begin(), check.err.end(), fault), end; it != end; ++it) {
    words.insert(words.end(), {"--set", (*it)[1].str() + "." + (*it)[2].str()});
    words.insert(words.end(), {"--set", "method.integrator=" + (*it)[3].str()});
  }
  const ProgramResult run = run_program(words, {.folder = folder.path()});
  EXPECT_EQ(run.code, 0) << run.err << check.err;
}

// Bad parameters: exit code 2, and the rule.
TEST(check, names_the_rule_that_a_parameter_breaks) {
  const std::pair<const char*, const char*> cases[] = {
      {"normal.restitution=-0.1", "restitution must be in (0, 1], got -0.1"},
      {"normal.restitution=0", "restitution must be in (0, 1]: at 0 the damping d/(e v)"},
      {"normal.restitution=1.5", "restitution must be in (0, 1]: an impact does not create energy"},
      {"normal.stiffness=0", "k > 0"},
      {"normal.small_velocity=0", "v_small > 0"},
      {"friction.dwell_time=-1", "must be >= 0 s"},
      {"friction.stribeck_velocity=0", "v_S > 0"},
      {"friction.stiffness=0", "sigma_0 > 0"},
      {"friction.damping=-1", "sigma_1 > 0"},
      {"friction.kinetic=0.6", "mu_C <= mu_S"},
      {"friction.tolerance_velocity=0.2", "v_eps <= v_S"},
      {"friction={law=\"coulomb\"}", "\"kinetic\" is missing"},
  };
  for (const auto& [setting, rule] : cases) {
    const ProgramResult result =
        run_program({"check", example("ball_on_slope"), "--set", std::string("contact.\"ball/plane\".") + setting});
    EXPECT_EQ(result.code, 2) << setting;
    EXPECT_NE(result.err.find(rule), std::string::npos) << setting << "\n" << result.err;
  }
}

// What a method does not have is named with the reason, which stands in the matrix of docs/scene-format.md.
TEST(check, says_why_a_method_does_not_have_what_is_asked) {
  const auto notes = [](const char* name, const std::string& setting) {
    return run_program({"check", example(name), "--set", "method.type=cone", "--set", setting}).out;
  };
  const std::string bristles = notes("ball_on_slope", "method.integrator=dormand_prince");
  EXPECT_NE(bristles.find("friction.stiffness does not act: method \"cone\" has no presliding of contacts: rigid "
                          "contacts do not deflect"),
            std::string::npos)
      << bristles;
  EXPECT_NE(bristles.find("method.integrator has no effect: method \"cone\" has no integrators with error control: the "
                          "step is part of the scheme"),
            std::string::npos)
      << bristles;
  const std::string nonlinear = notes("falling_rod", "method.nonlinear=true");
  EXPECT_NE(nonlinear.find("method.nonlinear has no effect: method \"cone\" has no"), std::string::npos) << nonlinear;
}

TEST(check, says_what_a_method_uses_of_the_laws) {
  const ProgramResult rigid = run_program({"check", example("ball_on_slope"), "--set", "method.type=cone"});
  EXPECT_NE(
      rigid.out.find("uses friction 0.4 (static 0.45, dwell_time 0.01 s) and restitution 0.5 and ignores the rest"),
      std::string::npos)
      << rigid.out;
  const ProgramResult compliant = run_program({"check", example("pinch")});
  EXPECT_NE(compliant.out.find("bristles with static 0.5, kinetic 0.5, stiffness 5000 1/m"), std::string::npos)
      << compliant.out;
}

// One name for a pair everywhere: that of its table, though the plane comes first in the scene.
TEST(pair, is_called_as_its_table_is) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  const auto simulate = [&](const char* scene, const std::string& type, const char* duration) {
    const ProgramResult run =
        run_program({"run", example(scene), "--set", "method.type=" + type, "--set", "time.step=1e-4", "--set",
                     std::string("time.duration=") + duration, "--quiet", "--out", type},
                    options);
    ASSERT_EQ(run.code, 0) << run.err;
  };
  simulate("ball_on_slope", "compliant", "0.6");
  const std::string info = run_program({"info", "compliant"}, options).out;
  EXPECT_NE(info.find("impact  ball/plane"), std::string::npos) << info;
  EXPECT_NE(info.find("deepest    ball/plane"), std::string::npos) << info;
  EXPECT_EQ(info.find("plane/ball"), std::string::npos) << info;
  // The first contact of a run: from the ball to the plane, and the force on the plane: both point down, by 20 degrees
  // off the vertical; and the same of a rigid block on its slope of 15.
  const auto expect_contact = [&](const char* run, const std::string& pair, double cosine) {
    std::istringstream lines(run_program({"export", run, "--contacts"}, options).out);
    std::string line, cell;
    std::getline(lines, line);
    std::getline(lines, line);
    std::vector<std::string> cells;
    for (std::istringstream row(line); std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 26u) << line;
    EXPECT_TRUE(cells[20] == "slip" || cells[20] == "stick") << line;
    EXPECT_EQ(cells[1] + "/" + cells[2], pair);
    EXPECT_NEAR(std::stod(cells[9]), -cosine, 1e-12);
    EXPECT_LT(std::stod(cells[13]), 0);
  };
  expect_contact("compliant", "ball/plane", 0.93969262078590843);
  simulate("block_on_slope", "cone", "0.1");
  expect_contact("cone", "block/slope", 0.96592582628906831);
}

// The memory of contacts is part of the state: a run that is stopped amid bounces goes on to the same bits.
TEST(resume, compliant_contacts_go_on_as_if_never_stopped) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::string integrator : {"rk4", "dormand_prince"}) {
    const std::vector<std::string> arguments = {
        "run",   example("two_ellipsoids"),         "--set",   "time.duration=0.6",
        "--set", "method.integrator=" + integrator, "--quiet", "--out"};
    std::vector<std::string> whole = arguments, part = arguments;
    whole.push_back("whole_" + integrator);
    part.insert(part.end(), {"part_" + integrator, "--max-steps", "111"});
    ASSERT_EQ(run_program(whole, options).code, 0);
    ASSERT_EQ(run_program(part, options).code, 3);
    const ProgramResult resumed = run_program({"resume", "part_" + integrator, "--quiet"}, options);
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const auto hash = [&](const std::string& run) {
      const std::string out = run_program({"info", run}, options).out;
      const std::size_t at = out.find("hash");
      return out.substr(at, out.find('\n', at) - at);
    };
    EXPECT_EQ(hash("part_" + integrator), hash("whole_" + integrator));
  }
}

}  // namespace
}  // namespace stiction_test
