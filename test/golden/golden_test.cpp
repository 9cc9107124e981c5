// Every example, run for a given number of steps, ends in the same state, bit for bit: on 1, 2 and 4 threads, and with
// any compiler and optimisation (floating-point contraction is off). hashes.txt has a line an example: name, steps,
// hash of the state. A change of the numbers of a step changes hashes; a change of structure does not. Write them anew
// with
// ./dev golden (STICTION_GOLDEN_WRITE=1), and say in the commit what changed the motion.
//
// What the hashes depend on beside this program: glibc (sin, cos, exp, pow) and SUNDIALS as packaged by Debian 12.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "support/examples.h"

namespace stiction {
namespace {

struct GoldenEntry {
  std::int64_t steps = 200;  ///< of an example that is not listed yet
  std::string hash;
};

std::map<std::string, GoldenEntry> read_golden() {
  std::map<std::string, GoldenEntry> entries;
  std::ifstream file(STICTION_GOLDEN);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    GoldenEntry entry;
    if (words >> name >> entry.steps >> entry.hash) entries[name] = entry;
  }
  return entries;
}

bool is_written() {
  return std::getenv("STICTION_GOLDEN_WRITE") != nullptr;
}

void write_golden(const std::string& name, const GoldenEntry& entry) {
  std::map<std::string, GoldenEntry> entries = read_golden();
  entries[name] = entry;
  std::ofstream file(STICTION_GOLDEN);
  const std::vector<std::string> known = test::example_names();
  for (const auto& [listed, its] : entries) {
    if (std::find(known.begin(), known.end(), listed) != known.end())
      file << listed << ' ' << its.steps << ' ' << its.hash << '\n';
  }
}

std::string calc_golden_hash(const std::string& name, std::int64_t steps, int threads) {
  RunOptions options;
  options.max_steps = steps;
  options.threads = threads;
  return calc_hash(simulate(test::load_example(name), options).final_state);
}

class Golden : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Examples, Golden, testing::ValuesIn(test::example_names()),
                         [](const auto& example) { return example.param; });

TEST_P(Golden, HasItsHash) {
  const std::string& name = GetParam();
  GoldenEntry entry = read_golden()[name];
  const std::string hash = calc_golden_hash(name, entry.steps, 1);
  if (!uses_integrator(test::load_example(name).method.type)) {
    for (const int threads : {2, 4}) EXPECT_EQ(calc_golden_hash(name, entry.steps, threads), hash);
  }
  if (is_written()) {
    entry.hash = hash;
    write_golden(name, entry);
  }
  EXPECT_EQ(hash, entry.hash) << "if the motion is meant to change: ./dev golden";
}

}  // namespace
}  // namespace stiction
