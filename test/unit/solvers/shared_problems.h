#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace stiction::test {

/// Files of a folder of problems from other people's simulations, in order of name. They lie beside the checkout, or
/// where the environment variable STICTION_SHARED_PROBLEMS says; none are found where they are not.
inline std::vector<std::filesystem::path> list_shared_problems(const std::string& folder, const char* extension) {
  const char* elsewhere = std::getenv("STICTION_SHARED_PROBLEMS");
  const std::filesystem::path root = elsewhere != nullptr ? elsewhere : STICTION_SHARED_PROBLEMS;
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(root / folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Said by the tests that need them.
inline const char* const no_shared_problems = "no problems beside the checkout (../shared/problems)";

}  // namespace stiction::test
