#include <gtest/gtest.h>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

// Steps that are too long for the bristles: the run completes, and the summary says that its energy does not add up.
TEST(open_ledger, is_said_at_the_end_of_a_run) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  const std::string scene = std::string(STICTION_EXAMPLES) + "/pinch.toml";
  const ProgramResult wrong = run_program(
      {"run", scene, "--set", "method.integrator=semi_implicit_euler", "--set", "time.duration=1", "--out", "wrong"},
      options);
  EXPECT_EQ(wrong.code, 0) << wrong.err;
  EXPECT_NE(wrong.out.find("  verdict    do not trust\n"), std::string::npos) << wrong.out;
  const ProgramResult right = run_program({"run", scene, "--set", "time.duration=1", "--out", "right"}, options);
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_EQ(right.out.find("do not trust"), std::string::npos) << right.out;
}

}  // namespace
}  // namespace stiction_test
