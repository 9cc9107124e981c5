#pragma once

#include <filesystem>
#include <vector>

namespace stiction::fmi {

/// The shared libraries that `library` loads, directly or through another, in the order in which they are found; but
/// for those that every Linux with the GNU C library has: C, mathematics, threads, and the runtime of GNU C++. A file's
/// name is the one that it is loaded by. IoError if the library cannot be loaded here.
std::vector<std::filesystem::path> find_needed_libraries(const std::filesystem::path& library);

}  // namespace stiction::fmi
