// stiction scene, as a user calls it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

class scene_command : public testing::Test {
 protected:
  std::string call(const std::vector<std::string>& words) {
    const ProgramResult result = run_program(words, {.folder = folder_.path()});
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  std::string hash_of_run(const std::string& scene, const std::string& run) {
    call({"run", scene, "--out", run, "--quiet"});
    return nlohmann::json::parse(call({"info", run, "--json"}))["hash"];
  }
  TemporaryFolder folder_;
};

// With overrides, compliant contact, joints and motors.
TEST_F(scene_command, a_normalised_scene_runs_to_the_same_state) {
  for (const std::string name : {"slide_into_wall", "peg_in_bore", "gripper", "impact"}) {
    call({"examples", "copy", name});
    const std::string scene = name + ".toml";
    const std::vector<std::string> change = {"--set", "time.duration=\"100 ms\""};
    call({"scene", "normalise", scene, "-o", "one.toml", change[0], change[1]});
    call({"scene", "normalise", scene, "-o", "all.toml", "--all", change[0], change[1]});
    call({"run", scene, "--out", name, "--quiet", change[0], change[1]});
    const std::string hash = nlohmann::json::parse(call({"info", name, "--json"}))["hash"];
    EXPECT_EQ(hash_of_run("one.toml", name + "_one"), hash) << name;
    EXPECT_EQ(hash_of_run("all.toml", name + "_all"), hash) << name;
    EXPECT_EQ(call({"scene", "hash", "all.toml"}), call({"scene", "hash", scene, change[0], change[1]})) << name;
    EXPECT_EQ(call({"scene", "normalise", "one.toml"}), read_text(folder_.path() / "one.toml")) << name;
  }
}

TEST_F(scene_command, a_faulty_scene_is_not_written) {
  write_text(folder_.path() / "bad.toml", "[body.a]\nmass = -1\n[joint.b]\ntype = \"revolute\"\nchild = \"nobody\"\n");
  const ProgramResult result =
      run_program({"scene", "normalise", "bad.toml", "-o", "out.toml"}, {.folder = folder_.path()});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "body.a.mass")) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.toml"));
}

}  // namespace
}  // namespace stiction_test
