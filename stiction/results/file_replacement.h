#pragma once

#include <filesystem>

namespace stiction {

/// A file that appears whole or not at all: written under a temporary name beside its place, renamed at the end.
class FileReplacement {
 public:
  /// IoError if the place is taken by something that is no regular file, or its folder does not exist.
  explicit FileReplacement(std::filesystem::path place);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// Write here.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// The file has been written and closed: move it to its place. IoError if that fails.
  void commit();

 private:
  std::filesystem::path place_, temporary_;
  bool committed_ = false;
};

}  // namespace stiction
