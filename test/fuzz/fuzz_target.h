#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// One input to a reader: it may refuse it with InputError or IoError; anything else is a fault.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace stiction::fuzz {

/// Well-formed inputs to mutate, and how often.
struct Seeds {
  std::vector<std::string> inputs;
  int rounds = 0;
};
Seeds make_seeds();

}  // namespace stiction::fuzz
