#pragma once

#include <cstdint>

namespace stiction {

/// How often the program has asked for heap memory so far, through operator new or, as Eigen does, through malloc.
/// Counts in any test program that links allocation_counter.cpp.
std::int64_t count_allocations();

}  // namespace stiction
