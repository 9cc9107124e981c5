#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "test/cli/program.h"

namespace stiction_test {
namespace {

// Processor time that a broken scene may take: a second, more where the sanitizers slow everything down.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int cpu_seconds = 10;
#else
constexpr int cpu_seconds = 1;
#endif

// What a file says of itself in its first lines: see broken/README.md.
struct Expectation {
  bool lists_all = false;  ///< names every fault that may be reported
  std::vector<std::string> texts;
};

Expectation read_expectation(const std::filesystem::path& file) {
  Expectation expectation;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
    const std::string expect = "# expect: ";
    if (line == "# found by: reading" || line == "# found by: both") expectation.lists_all = true;
    if (line.starts_with(expect)) expectation.texts.push_back(line.substr(expect.size()));
  }
  return expectation;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

// Their names, without folder and extension.
std::vector<std::string> list_broken_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(STICTION_BROKEN_SCENES)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BrokenScene : public testing::TestWithParam<std::string> {};

TEST_P(BrokenScene, is_answered_with_what_is_wrong) {
  const std::filesystem::path file = std::filesystem::path(STICTION_BROKEN_SCENES) / (GetParam() + ".toml");
  const Expectation expectation = read_expectation(file);
  ASSERT_FALSE(expectation.texts.empty()) << "the file does not say what to expect";
  const ProgramResult result = run_program({"check", file.string()}, {.cpu_seconds = cpu_seconds});
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  std::size_t faults = 0;
  for (const std::string& text : expectation.texts) {
    EXPECT_NE(result.err.find(text), std::string::npos) << "expected: " << text << "\ngot:\n" << result.err;
    faults += count_of(text, "error: ");
  }
  if (expectation.lists_all) {
    EXPECT_EQ(count_of(result.err, ": error: "), faults) << result.err;
  }
}

INSTANTIATE_TEST_SUITE_P(cli, BrokenScene, testing::ValuesIn(list_broken_scenes()),
                         [](const auto& scene) { return scene.param; });

TEST(broken_scenes, a_fault_of_copies_is_reported_once) {
  for (const char* name : {"copies_material_unknown", "copies_overlap", "copies_without_mass"}) {
    const std::filesystem::path file = std::filesystem::path(STICTION_BROKEN_SCENES) / (std::string(name) + ".toml");
    EXPECT_EQ(count_of(run_program({"check", file.string()}).err, ": error: "), 1u) << name;
  }
}

TEST(broken_scenes, are_many) {
  EXPECT_GE(list_broken_scenes().size(), 60u);
}

TEST(broken_scenes, absurdly_large_input_is_refused_quickly) {
  // Made here, since nobody wants megabytes in the repository.
  const TemporaryFolder folder;
  const std::string megabytes = "title = \"" + std::string(5u << 20, 'x') + "\"\n";
  const std::string deep = "title = " + std::string(100000, '[') + std::string(100000, ']') + "\n";
  std::string parts = "a";
  for (int i = 0; i < 100000; ++i) parts += ".a";
  const std::string binary = std::string("title = \"\0\xFF\"\n", 14);
  int number = 0;
  for (const std::string& text : {megabytes, deep, parts + " = 1\n", binary, std::string("[!]\n")}) {
    const std::string file = folder / ("scene" + std::to_string(number++) + ".toml");
    write_text(file, text);
    const ProgramResult result = run_program({"check", file}, {.cpu_seconds = cpu_seconds});
    EXPECT_EQ(result.code, 2) << file << " " << result.err.substr(0, 1000);
    EXPECT_NE(result.err.find("error: "), std::string::npos);
    EXPECT_LT(result.err.size(), 10000u) << "a message for people, not the input again";
  }
}

}  // namespace
}  // namespace stiction_test
