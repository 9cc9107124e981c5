#pragma once

#include <filesystem>

namespace stiction {

/// Marks a run folder as being written. The mark leaves no file behind and vanishes with the process, however that
/// ends: it is an flock on the folder itself.
class FolderLock {
 public:
  /// IoError if another writer holds the folder.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Does a writer hold the folder right now?
  static bool is_held(const std::filesystem::path& folder);

 private:
  int descriptor_ = -1;
};

}  // namespace stiction
