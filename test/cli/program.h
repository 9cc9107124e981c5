#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace stiction_test {

/// How a program ended and what it said.
struct ProgramResult {
  int code = -1;   ///< exit code; -1 if a signal ended it
  int signal = 0;  ///< which
  std::string out, err;
};

struct ProgramOptions {
  std::filesystem::path folder = ".";         ///< to run in
  std::string out_file = {};                  ///< standard output goes there instead of into `out`
  bool out_is_unread = false;                 ///< nobody reads standard output: writing to it raises SIGPIPE
  std::vector<std::string> environment = {};  ///< "NAME=value", added
  bool error_is_terminal = false;             ///< standard error is a (pseudo) terminal
  int cpu_seconds = 120;                      ///< of processor time; then it is ended by SIGXCPU
};

/// The program under test, with these arguments, to its end.
ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramOptions& options = {});

/// The program in the background. Ends it with SIGKILL when it goes out of scope, or when the test ends in any way.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& arguments, const ProgramOptions& options);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  bool is_running();
  void kill();           ///< SIGKILL, and waits until it is gone
  void interrupt();      ///< SIGINT, as Ctrl-C does; does not wait
  ProgramResult wait();  ///< to its end

 private:
  void collect_output();
  void reap();

  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
  bool reaped_ = false;
  ProgramResult result_;
};

/// A new folder, removed with all it holds at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace stiction_test
