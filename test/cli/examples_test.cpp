#include <gtest/gtest.h>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

std::vector<std::filesystem::path> list_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_EXAMPLES)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  return files;
}

TEST(examples, are_listed_with_their_titles) {
  const ProgramResult result = run_program({"examples"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, run_program({"examples", "list"}).out);
  ASSERT_FALSE(list_files().empty());
  for (const std::filesystem::path& file : list_files()) {
    const std::size_t line = result.out.find(file.stem().string() + " ");
    ASSERT_NE(line, std::string::npos) << file;
    // The title: what stands in quotes behind `title =` in the file.
    const std::string text = read_text(file);
    const std::size_t quote = text.find('"', text.find("title"));
    const std::string title = text.substr(quote + 1, text.find('"', quote + 1) - quote - 1);
    EXPECT_NE(result.out.substr(line, result.out.find('\n', line) - line).find(title), std::string::npos) << title;
  }
}

TEST(examples, copies_are_the_files_byte_for_byte_and_overwrite_nothing) {
  const TemporaryFolder folder;
  const ProgramOptions options{.folder = folder.path()};
  for (const std::filesystem::path& file : list_files()) {
    const std::string name = file.stem().string();
    ASSERT_EQ(run_program({"examples", "copy", name}, options).code, 0);
    EXPECT_EQ(read_text(folder.path() / file.filename()), read_text(file));
  }
  // (Every example is compiled and run by the golden tests.)
  EXPECT_EQ(run_program({"check", "spring_mass.toml"}, options).code, 0);
  EXPECT_EQ(run_program({"examples", "copy", "spring_mass"}, options).code, 2);
  ASSERT_EQ(run_program({"examples", "copy", "spring_mass", "--out", "mine.toml"}, options).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "mine.toml"));
}

TEST(examples, run_with_the_same_options_as_scenes) {
  const TemporaryFolder folder;
  const ProgramResult result = run_program({"examples", "run", "spring_mass", "--set", "time.duration=0.1", "--json"},
                                           {.folder = folder.path()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "runs/spring_mass/run.sqlite"));
}

}  // namespace
}  // namespace stiction_test
