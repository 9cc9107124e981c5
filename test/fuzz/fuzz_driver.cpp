/// Mutates the seeds of a target with a fixed random sequence and feeds them to it: same rounds, same inputs,
/// everywhere. fuzz_X FILE... feeds files instead, to repeat what a fuzzer found.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "stiction/base/random.h"

#include "fuzz_target.h"

namespace {

using stiction::Random;

void feed(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

// One of: a bit, a byte, four bytes of an extreme number, a piece removed, doubled or moved, the end cut off.
void mutate(Random& random, std::string& input) {
  if (input.empty()) return;
  const auto place = [&] { return static_cast<std::size_t>(random.index(static_cast<int>(input.size()))); };
  const std::size_t at = place(), length = 1 + static_cast<std::size_t>(random.index(32));
  switch (random.index(7)) {
    case 0:
      input[at] = static_cast<char>(input[at] ^ (1 << random.index(8)));
      break;
    case 1:
      input[at] = static_cast<char>(random.index(256));
      break;
    case 2:
      for (std::size_t i = at; i < std::min(at + 4, input.size()); ++i) {
        input[i] = static_cast<char>(random.index(2) == 0 ? 0xff : 0x7f);
      }
      break;
    case 3:
      input.erase(at, length);
      break;
    case 4:
      input.insert(at, input.substr(place(), length));
      break;
    case 5:
      input.replace(at, length, input.substr(place(), length));
      break;
    default:
      if (random.index(8) == 0) input.resize(at);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    feed(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  if (argc > 1) return 0;
  const stiction::fuzz::Seeds seeds = stiction::fuzz::make_seeds();
  for (const std::string& seed : seeds.inputs) feed(seed);
  Random random(1);
  for (int round = 0; round < seeds.rounds; ++round) {
    std::string input = seeds.inputs[static_cast<std::size_t>(random.index(static_cast<int>(seeds.inputs.size())))];
    for (int changes = 1 + random.index(6); changes > 0; --changes) mutate(random, input);
    feed(input);
  }
  std::printf("%d inputs\n", seeds.rounds);
  return 0;
}
