// The documented Python reader: docs/run-format.md shows it, read_run.py is it, and it reads what the writer wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "stiction/results/run_store.h"

#include "test_run.h"

namespace stiction {
namespace {

const std::string source_folder = STICTION_SOURCE_FOLDER;

std::string read_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The first block of Python in the document.
std::string find_documented_code() {
  const std::string text = read_text(source_folder + "/docs/run-format.md");
  const std::string opening = "```python\n";
  const std::size_t start = text.find(opening) + opening.size();
  return text.substr(start, text.find("```", start) - start);
}

TEST(ReadRun, TheDocumentShowsTheScript) {
  const std::string code = find_documented_code();
  EXPECT_EQ(code, read_text(source_folder + "/test/unit/results/read_run.py"));
  EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 11);  // ten lines and a blank one
}

#ifdef STICTION_NUMPY_PYTHON

std::string run_program(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t size = 0; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, size);
  EXPECT_EQ(pclose(pipe), 0);
  return output;
}

TEST(ReadRun, TheDocumentedCodeReadsEverySignalBitForBit) {
  const TestFolder folder;
  const TestRun run;
  const auto writer = create_run(folder / "run", make_test_scene(), run.infos());
  // More than ten parts: they come in the order of their numbers, not of their digits.
  for (int part = 0; part < 12; ++part) run.write_part(*writer, part);

  std::ofstream(folder / "documented.py") << find_documented_code();
  const std::string script = (folder / "documented.py").string(), place = (folder / "run").string();
  std::istringstream lines(run_program(std::string(STICTION_NUMPY_PYTHON) + " " + script + " " + place +
                                       " time body0.position.x body2.position.x"));
  // Python prints the shortest text that reads back as the same double.
  const auto expect_line = [&](const std::string& name, auto value) {
    std::string line, word;
    std::getline(lines, line);
    std::istringstream words(line);
    words >> word;
    EXPECT_EQ(word, name);
    int index = 0;
    while (words >> word) {
      EXPECT_TRUE(same_bits(std::strtod(word.c_str(), nullptr), value(index))) << word;
      ++index;
    }
    EXPECT_EQ(index, 12 * run.rows);
  };
  expect_line("time", [&](int index) { return run.time(index); });
  expect_line("body0.position.x", [&](int index) { return run.sample(index, 0); });
  expect_line("body2.position.x", [&](int index) { return run.sample(index, 2); });
}

#endif

}  // namespace
}  // namespace stiction
