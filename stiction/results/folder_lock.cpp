#include "stiction/results/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "stiction/base/fault.h"

namespace stiction {
namespace {

int open_folder(const std::filesystem::path& folder) {
  return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// False only if somebody else holds the lock: a file system that knows no locks refuses nobody.
bool try_lock(int descriptor, int operation) {
  return flock(descriptor, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : descriptor_(open_folder(folder)) {
  if (descriptor_ < 0) {
    throw IoError(
        fmt::format("{}: {}", folder.string(), errno == ENOENT ? "no such folder" : "the folder cannot be opened"));
  }
  // is_held() holds the lock for an instant: a few tries tell it from a writer.
  for (int tries = 0; tries < 20; ++tries) {
    if (try_lock(descriptor_, LOCK_EX)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  close(descriptor_);
  throw IoError(fmt::format("{}: another program is writing this run", folder.string()));
}

FolderLock::~FolderLock() {
  close(descriptor_);
}

bool FolderLock::is_held(const std::filesystem::path& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return false;
  const bool held = !try_lock(descriptor, LOCK_SH);
  close(descriptor);
  return held;
}

}  // namespace stiction
