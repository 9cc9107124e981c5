#include "apps/cli/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "stiction/base/fault.h"

#include "apps/cli/interrupt_watch.h"

extern char** environ;

namespace stiction::cli {
namespace {

// Higher than any number that a child is given one at: copying one never runs over another.
constexpr int first_free = 64;

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds glance(5);      // between two looks at a child
constexpr milliseconds farewell(200);  // for a child to end by itself

}  // namespace

std::optional<std::string> find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = (folder.empty() ? "." : folder) + "/" + name;
      if (access(file.c_str(), X_OK) == 0) return file;
    }
  }
  return std::nullopt;
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw IoError(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  for (int k = 0; k < 2; ++k) {
    ends_[k] = fcntl(ends[k], F_DUPFD_CLOEXEC, first_free);
    ::close(ends[k]);
  }
}

Pipe::~Pipe() {
  close_read();
  close_write();
}

void Pipe::close_read() {
  if (ends_[0] >= 0) ::close(ends_[0]);
  ends_[0] = -1;
}

void Pipe::close_write() {
  if (ends_[1] >= 0) ::close(ends_[1]);
  ends_[1] = -1;
}

ChildProcess::ChildProcess(const std::vector<std::string>& words, const std::vector<std::pair<int, int>>& descriptors,
                           const std::vector<std::string>& variables) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  for (const auto& [here, there] : descriptors) posix_spawn_file_actions_adddup2(&actions, here, there);

  std::vector<std::string> copies = words, settings = variables;
  std::vector<char*> arguments, environment;
  for (std::string& word : copies) arguments.push_back(word.data());
  for (std::string& setting : settings) environment.push_back(setting.data());
  for (char** setting = environ; *setting; ++setting) {
    const auto same = [&](const std::string& own) {
      return std::strncmp(own.c_str(), *setting, own.find('=') + 1) == 0;
    };
    if (std::none_of(variables.begin(), variables.end(), same)) environment.push_back(*setting);
  }
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int code = posix_spawn(&id_, arguments.front(), &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) throw IoError(fmt::format("{} cannot be started: {}", words.front(), std::strerror(code)));
}

ChildProcess::~ChildProcess() {
  if (id_ <= 0) return;
  kill(id_, SIGTERM);
  const auto end = steady_clock::now() + farewell;
  while (waitpid(id_, nullptr, WNOHANG) == 0 && steady_clock::now() < end) std::this_thread::sleep_for(glance);
  kill(-id_, SIGKILL);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
}

int ChildProcess::wait() {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(id_, &status, WNOHANG);
    if (ended != 0 && !(ended < 0 && errno == EINTR)) break;
    InterruptWatch::check();
    std::this_thread::sleep_for(glance);
  }
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void write_all(int descriptor, std::string_view bytes, const std::string& program) {
  while (!bytes.empty()) {
    InterruptWatch::check();
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw IoError(program + " ended too early");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "stiction-XXXXXX").string();
  if (!mkdtemp(name.data())) throw IoError(fmt::format("{}: cannot create a folder there", name));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  // Programs that have just been ended may have written there meanwhile.
  for (int attempt = 0; attempt < 10; ++attempt) {
    std::error_code fault;
    std::filesystem::remove_all(path_, fault);
    if (!fault) return;
    std::this_thread::sleep_for(milliseconds(20));
  }
}

}  // namespace stiction::cli
