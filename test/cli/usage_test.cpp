#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <sstream>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

using Words = std::vector<std::string>;
using testing::Values;

class Help : public testing::TestWithParam<Words> {};

TEST_P(Help, explains_the_command_with_an_example) {
  Words words = GetParam();
  words.push_back("--help");
  const ProgramResult result = run_program(words);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Usage: stiction")) << result.out;
  EXPECT_TRUE(contains(result.out, "Example: stiction ")) << result.out;
  EXPECT_EQ(result.err, "");
}

INSTANTIATE_TEST_SUITE_P(every_command, Help,
                         Values(Words{}, Words{"new"}, Words{"run"}, Words{"check"}, Words{"resume"}, Words{"examples"},
                                Words{"examples", "show"}, Words{"explain"}, Words{"compare"}, Words{"material"},
                                Words{"geometry"}, Words{"geometry", "gap"}, Words{"examples", "run"},
                                Words{"examples", "copy"}, Words{"examples", "list"}, Words{"examples", "gallery"},
                                Words{"info"}, Words{"export"}, Words{"plot"}, Words{"view"}, Words{"snapshot"},
                                Words{"movie"}, Words{"solve"}, Words{"reference"}, Words{"version"}));

class MissingArguments : public testing::TestWithParam<Words> {};

// Who leaves out what a command needs is told how to ask for help, and that works.
TEST_P(MissingArguments, are_answered_with_a_hint_that_works) {
  const ProgramResult result = run_program(GetParam());
  EXPECT_EQ(result.code, 2);
  const std::string start = "hint: stiction";
  const std::size_t hint = result.err.find(start);
  ASSERT_NE(hint, std::string::npos) << result.err;
  std::istringstream line(result.err.substr(hint + start.size()));
  Words words;
  for (std::string word; (words.empty() || words.back() != "--help") && line >> word;) words.push_back(word);
  Words wanted = GetParam();
  wanted.push_back("--help");
  EXPECT_EQ(words, wanted) << result.err;
  EXPECT_EQ(run_program(words).code, 0) << result.err;
}

INSTANTIATE_TEST_SUITE_P(every_command, MissingArguments,
                         Values(Words{}, Words{"new"}, Words{"run"}, Words{"check"}, Words{"resume"},
                                Words{"examples", "show"}, Words{"examples", "run"}, Words{"examples", "copy"},
                                Words{"examples", "gallery"}, Words{"info"}, Words{"export"}, Words{"plot"},
                                Words{"view"}, Words{"snapshot"}, Words{"movie"}, Words{"solve"}));

struct Misuse {
  Words words;
  std::string message;  // a part of what is said
};

// Names the case in the list of tests.
void PrintTo(const Misuse& misuse, std::ostream* out) {
  *out << testing::PrintToString(misuse.words);
}

class BadUsage : public testing::TestWithParam<Misuse> {};

TEST_P(BadUsage, is_answered_with_a_message_and_exit_code_2) {
  const TemporaryFolder folder;
  write_text(folder.path() / "spring.toml", spring_scene);
  const ProgramResult result = run_program(GetParam().words, {.folder = folder.path()});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, GetParam().message)) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs"));
}

INSTANTIATE_TEST_SUITE_P(
    usage, BadUsage,
    Values(Misuse{{}, "subcommand is required"}, Misuse{{"rnu", "spring.toml"}, "did you mean run?"},
           Misuse{{"frobnicate"}, "unknown command \"frobnicate\""}, Misuse{{"run"}, "required"},
           Misuse{{"run", "spring.toml", "--quite"}, "did you mean --quiet?"},
           Misuse{{"run", "spring.toml", "--sett=time.duration=1"}, "did you mean --set?"},
           Misuse{{"run", "spring.toml", "another.toml"}, "unexpected argument \"another.toml\""},
           Misuse{{"run", "spring.toml", "--progress", "loud"}, "--progress"},
           Misuse{{"run", "spring.toml", "--max-steps", "-3"}, "--max-steps"},
           Misuse{{"run", "spring.toml", "--threads", "0"}, "--threads"},
           Misuse{{"run", "spring.toml", "--max-steps", "many"}, "--max-steps"},
           Misuse{{"run", "spring.toml", "--max-steps", "0"}, "expected a whole number of steps, at least 1, got 0"},
           Misuse{{"run", "spring.toml", "--set", "time.duratoin=2"}, "duration"},
           Misuse{{"run", "spring.toml", "--set", "time.duration=-2"}, "duration"},
           Misuse{{"run", "spring.toml", "--set", "nonsense"}, "nonsense"},
           Misuse{{"examples", "rum"}, "did you mean run?"},
           Misuse{{"examples", "run", "sprang_mass"}, "did you mean \"spring_mass\"?"},
           Misuse{{"examples", "show", "fall"}, "did you mean \"falling_rod\"?"},
           Misuse{{"export", ".", "--format", "xml"}, "--format"}, Misuse{{"plot", ".", "x"}, "--out is required"},
           Misuse{{"plot", "nowhere", "x", "-o", "a.svg"}, "none of nowhere or x is a run folder"}));

TEST(usage, version_in_words_and_as_json) {
  const ProgramResult words = run_program({"version"});
  EXPECT_EQ(words.code, 0);
  const ProgramResult json = run_program({"version", "--json"});
  EXPECT_EQ(json.code, 0);
  const std::string version = nlohmann::json::parse(json.out)["version"];
  EXPECT_EQ(words.out, "stiction " + version + "\n");
  EXPECT_EQ(run_program({"--version"}).out, words.out);
}

TEST(usage, the_reference_is_markdown_that_names_the_tables) {
  const ProgramResult result = run_program({"reference"});
  EXPECT_EQ(result.code, 0);
  for (const std::string word : {"# ", "duration", "[body.", "[joint.", "integrator"}) {
    EXPECT_TRUE(contains(result.out, word)) << word;
  }
}

TEST(usage, a_full_or_closed_output_is_an_io_error) {
  const ProgramResult full = run_program({"version"}, {.out_file = "/dev/full"});
  EXPECT_EQ(full.code, 5);
  EXPECT_TRUE(contains(full.err, "cannot write to standard output")) << full.err;
  EXPECT_EQ(run_program({"reference"}, {.out_file = "/dev/full"}).code, 5);
  EXPECT_EQ(run_program({"--help"}, {.out_file = "/dev/full"}).code, 5);
}

// As with `stiction reference | head -1`.
TEST(usage, a_reader_that_has_enough_is_no_error) {
  for (const Words& words : {Words{"reference"}, Words{"--help"}, Words{"examples"}}) {
    const ProgramResult result = run_program(words, {.out_is_unread = true});
    EXPECT_EQ(result.signal, SIGPIPE) << words[0];
    EXPECT_EQ(result.err, "") << words[0];
  }
}

TEST(usage, the_next_command_can_be_pasted) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(run_program({"new", "bad name"}, {.folder = folder.path()}).out, "run 'bad name.toml'\n"));
  EXPECT_TRUE(contains(run_program({"new", "good"}, {.folder = folder.path()}).out, "run good.toml\n"));
}

TEST(usage, files_that_are_not_there_are_io_errors) {
  EXPECT_EQ(run_program({"run", "nowhere.toml"}).code, 5);
  EXPECT_EQ(run_program({"check", "nowhere.toml"}).code, 5);
  EXPECT_EQ(run_program({"info", "nowhere"}).code, 5);
  EXPECT_EQ(run_program({"resume", "nowhere"}).code, 5);
  EXPECT_EQ(run_program({"export", "nowhere"}).code, 5);
}

TEST(usage, colours_on_a_terminal_only_and_not_with_no_color) {
  const std::string escape = "\x1b[";
  EXPECT_FALSE(contains(run_program({"rnu"}).err, escape));
  const ProgramOptions terminal{.environment = {"TERM=xterm", "NO_COLOR="}, .error_is_terminal = true};
  EXPECT_TRUE(contains(run_program({"rnu"}, terminal).err, escape));
  const ProgramOptions plain{.environment = {"TERM=xterm", "NO_COLOR=1"}, .error_is_terminal = true};
  EXPECT_FALSE(contains(run_program({"rnu"}, plain).err, escape));
}

}  // namespace
}  // namespace stiction_test
