#include "stiction/results/file_replacement.h"

#include <fmt/format.h>
#include <unistd.h>

#include "stiction/base/fault.h"

namespace stiction {

FileReplacement::FileReplacement(std::filesystem::path place) : place_(std::move(place)), temporary_(place_) {
  temporary_ += fmt::format(".part-{}", getpid());
  std::error_code ignored;
  if (std::filesystem::exists(place_, ignored) && !std::filesystem::is_regular_file(place_, ignored)) {
    throw IoError(fmt::format("{}: not a regular file", place_.string()));
  }
  const std::filesystem::path folder = place_.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw IoError(fmt::format("{}: no such folder: {}", place_.string(), folder.string()));
  }
}

FileReplacement::~FileReplacement() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void FileReplacement::commit() {
  std::error_code error;
  std::filesystem::rename(temporary_, place_, error);
  if (error) throw IoError(fmt::format("{}: cannot be written ({})", place_.string(), error.message()));
  committed_ = true;
}

}  // namespace stiction
