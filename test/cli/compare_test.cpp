// stiction compare, as a user calls it.
#include <gtest/gtest.h>

#include <regex>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

class compare_runs : public testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& words) {
    ProgramResult result = run_program(words, {.folder = folder_.path()});
    EXPECT_EQ(result.code, 0) << result.err;
    return result;
  }
  TemporaryFolder folder_;
};

// Several events of a kind and pair may have one time (dominoes): each has its own in the copy.
TEST_F(compare_runs, a_run_does_not_differ_from_its_copy) {
  for (const std::string example : {"dominoes", "slide_into_wall", "falling_rod", "spring_mass", "ball_in_bowl"}) {
    run({"examples", "run", example, "--out", example, "--quiet"});
    std::filesystem::copy(folder_.path() / example, folder_.path() / (example + "_copy"));
    const std::string out = run({"compare", example, example + "_copy"}).out;
    EXPECT_TRUE(contains(out, "  event   none")) << example << out;
    EXPECT_TRUE(contains(out, "  signal  none")) << example << out;
    EXPECT_FALSE(std::regex_search(out, std::regex("[0-9]e-[0-9]+\n"))) << example << out;
    EXPECT_FALSE(std::regex_search(out, std::regex(" -[ \n]"))) << example << out;
  }
}

const std::string dropped = R"([world]
gravity = [0, 0, -9.81]
[time]
duration = 0.5
step = 1e-3
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, 0.2]
shape = { type = "sphere", radius = 0.1 }
)";

TEST_F(compare_runs, a_pair_is_the_same_in_either_order_of_its_names) {
  write_text(folder_.path() / "default.toml", dropped + "[contact.default]\nfriction = 0.1\nrestitution = 0.5\n");
  write_text(folder_.path() / "table.toml", dropped + "[contact.\"ball/floor\"]\nfriction = 0.1\nrestitution = 0.5\n");
  for (const std::string name : {"default", "table"}) run({"run", name + ".toml", "--out", name, "--quiet"});
  const std::string out = run({"compare", "default", "table"}).out;
  EXPECT_TRUE(contains(out, "  event   none")) << out;
  EXPECT_TRUE(contains(out, "impact floor/ball 1")) << out;
  EXPECT_FALSE(contains(out, "ball/floor")) << out;
  EXPECT_FALSE(std::regex_search(out, std::regex(" -[ \n]"))) << out;
}

// The block meets the wall between two samples of the second run: v = sqrt(4 - 2 * 0.3 * 9.81 * 0.6) m/s at the wall,
// e = 0.5, m = 2 kg: its impulse of 3.0843 N s in a step of 1 ms is the same in both.
TEST_F(compare_runs, peaks_between_samples_count) {
  run({"examples", "run", "slide_into_wall", "--out", "fine", "--set", "time.output=0.001", "--quiet"});
  run({"examples", "run", "slide_into_wall", "--out", "coarse", "--set", "time.output=0.005", "--quiet"});
  const std::string out = run({"compare", "fine", "coarse"}).out;
  EXPECT_TRUE(std::regex_search(out, std::regex("block/wall, peak +3084\\.31[0-9]* +3084\\.31[0-9]* +0\n"))) << out;
  // Friction at rest is rounding, 7e-15 N beside 3 kN.
  EXPECT_TRUE(std::regex_search(out, std::regex("block/floor, at the end +0 +0 +0\n"))) << out;
  EXPECT_TRUE(contains(out, "energy 4.981 -> 0.981 J, worst residual 0 J)")) << out;
}

// The height of a box that lies still differs by rounding: not what differs first.
TEST_F(compare_runs, rounding_is_no_difference) {
  run({"new", "scene"});
  run({"run", "scene.toml", "--out", "one", "--quiet"});
  run({"run", "scene.toml", "--out", "half", "--set", "time.step=0.5e-3", "--quiet"});
  const std::string out = run({"compare", "one", "half", "--signals", "box.position.z", "box.position.x"}).out;
  EXPECT_FALSE(contains(out, "signal  box.position.z")) << out;
}

// x = 0.1 m sin(2 pi t) ends at t = 1 s with rounding, 1e-17 m beside 0.1 m.
TEST_F(compare_runs, rounding_at_the_end_is_shown_as_zero) {
  write_text(folder_.path() / "shaken.toml", R"([time]
duration = 1
step = 1e-3
[body.table]
motion = { position = [{ sine = { amplitude = 0.1, frequency = "1 Hz" } }, 0, 0] }
shape = { type = "box", size = [1, 1, 1] }
)");
  for (const std::string name : {"one", "two"}) run({"run", "shaken.toml", "--out", name, "--quiet"});
  const std::string out = run({"compare", "one", "two"}).out;
  EXPECT_TRUE(std::regex_search(out, std::regex("table\\.position\\.x +0 +0 +0\n"))) << out;
}

}  // namespace
}  // namespace stiction_test
