#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stiction::cli {

/// The first of these programs that is in the PATH.
std::optional<std::string> find_program(const std::vector<std::string>& names);

/// A pipe; both ends are closed on exec unless a child gets them.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read();
  void close_write();

 private:
  int ends_[2] = {-1, -1};
};

/// All of it into a pipe that `program` reads. IoError if that has ended, Interrupted if the user stops this one.
void write_all(int descriptor, std::string_view bytes, const std::string& program);

/// Another program that this one has started. It leads a process group of its own, so that Ctrl-C on the terminal
/// reaches this program alone; it is ended, with all that it has started, when this goes away.
class ChildProcess {
 public:
  /// `descriptors`: (descriptor here, its number there). What it prints goes nowhere, standard input is empty, unless
  /// given. `variables`: "NAME=value", instead of those of this program's environment. IoError if it cannot be started.
  ChildProcess(const std::vector<std::string>& words, const std::vector<std::pair<int, int>>& descriptors,
               const std::vector<std::string>& variables = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for its end: the exit code, or -1 if it was ended by a signal. Interrupted if the user stops this program.
  int wait();

 private:
  pid_t id_ = -1;
};

/// A folder that vanishes with this.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stiction::cli
