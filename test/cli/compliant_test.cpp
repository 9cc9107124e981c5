#include <gtest/gtest.h>

#include <sstream>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

std::string example(const std::string& name) {
  return std::string(STICTION_EXAMPLES) + "/" + name + ".toml";
}

// One changed line, three formulations, one table of differences and one picture.
TEST(compare, shows_events_final_states_and_forces_of_several_formulations) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::string type : {"compliant", "cone", "stewart_trinkle"}) {
    const ProgramResult run = run_program(
        {"run", example("block_on_slope"), "--set", "method.type=" + type, "--set", "time.duration=1", "--set",
         "time.step=2e-4", "--set", "body.block.position=[0.0155,0,0.0579]", "--out", type, "--quiet"},
        options);
    ASSERT_EQ(run.code, 0) << run.err;
  }
  const ProgramResult result =
      run_program({"compare", "cone", "compliant", "stewart_trinkle", "-o", "all.svg"}, options);
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* text : {"events [s]", "impact block/slope 1", "at the end", "block.position.z", "energy.total",
                           "normal forces [N]", "block/slope, at the end", "difference", "compliant, rk4"})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << "\n" << result.out;
  const std::string picture = read_text(folder.path() / "all.svg");
  EXPECT_NE(picture.find("normal force of all contacts"), std::string::npos);
  EXPECT_NE(picture.find("stewart_trinkle"), std::string::npos);
  // At rest the normal force is m g cos 15 = 9.4757 N, in all of them.
  const std::size_t row = result.out.find("block/slope, at the end");
  const std::string line = result.out.substr(row, result.out.find('\n', row) - row);
  std::istringstream numbers(line.substr(line.find("end") + 3));
  double cone = 0, compliant = 0, difference = 0, trinkle = 0;
  numbers >> cone >> compliant >> difference >> trinkle;
  for (const double force : {cone, compliant, trinkle}) EXPECT_NEAR(force, 9.81 * 0.96592582628906831, 1e-3) << line;
}

TEST(compare, needs_two_runs) {
  EXPECT_EQ(run_program({"compare", "one"}).code, 2);
}

TEST(material, prints_every_parameter_with_its_formula) {
  const ProgramResult result = run_program(
      {"material", "--mass", "2", "--radius", "0.1", "--friction", "0.45", "--kinetic", "0.4", "--modulus", "2e9"});
  ASSERT_EQ(result.code, 0) << result.err;
  // k = 4/3 E* sqrt(R), E* = E / (2 (1 - 0.09)); sigma_0 = 0.45 / 1e-4; sigma_1 = 2 sqrt(4500 / 9.81)
  for (const char* text : {"4.63337e+08", "(2.4)", "4500 1/m", "(3.46)", "42.8353", "(3.51)", "dwell_time", "0.716375"})
    EXPECT_NE(result.out.find(text), std::string::npos) << text << "\n" << result.out;
}

TEST(material, says_why_zero_restitution_is_none) {
  const ProgramResult result = run_program({"material", "--friction", "0.4", "--kinetic", "0.5", "--restitution", "0"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("restitution must be in (0, 1]"), std::string::npos);
  EXPECT_NE(result.err.find("use 0.01"), std::string::npos);
  EXPECT_NE(result.err.find("mu_C <= mu_S"), std::string::npos);
}

TEST(check, says_what_a_method_uses_of_the_laws) {
  const ProgramResult rigid = run_program({"check", example("ball_on_slope"), "--set", "method.type=cone"});
  EXPECT_NE(rigid.out.find("uses friction 0.4 and restitution 0.5, and ignores the rest"), std::string::npos)
      << rigid.out;
  const ProgramResult compliant = run_program({"check", example("pinch")});
  EXPECT_NE(compliant.out.find("bristles with static 0.5, kinetic 0.5, stiffness 5000 1/m"), std::string::npos)
      << compliant.out;
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
