#include "test/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace stiction_test {
namespace {

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

Pipe make_terminal() {
  Pipe terminal;
  terminal.read = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal.read < 0 || grantpt(terminal.read) != 0 || unlockpt(terminal.read) != 0) {
    throw std::runtime_error("no pseudo terminal");
  }
  terminal.write = open(ptsname(terminal.read), O_RDWR | O_NOCTTY | O_CLOEXEC);
  return terminal;
}

std::vector<char*> as_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In the child: never returns.
[[noreturn]] void become_program(std::vector<std::string> words, const ProgramOptions& options, int out, int err) {
  const rlimit limit{static_cast<rlim_t>(options.cpu_seconds), static_cast<rlim_t>(options.cpu_seconds)};
  setrlimit(RLIMIT_CPU, &limit);
  if (chdir(options.folder.c_str()) != 0) _exit(126);
  if (!options.out_file.empty()) out = open(options.out_file.c_str(), O_WRONLY | O_CREAT, 0644);
  if (options.out_is_unread) {
    const Pipe pipe = make_pipe();
    close(pipe.read);
    out = pipe.write;
  }
  if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(126);
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  execv(words[0].c_str(), as_pointers(words).data());
  _exit(127);
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments, const ProgramOptions& options) {
  std::vector<std::string> words = {STICTION_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Pipe out = make_pipe();
  const Pipe err = options.error_is_terminal ? make_terminal() : make_pipe();
  const pid_t test = getpid();
  process_ = fork();
  if (process_ == 0) {
    // Whatever ends the test ends the program, too: a failed check, a crash, a time limit.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != test) _exit(126);  // it has ended meanwhile
    become_program(std::move(words), options, out.write, err.write);
  }
  close(out.write);
  close(err.write);
  out_ = out.read;
  err_ = err.read;
  if (process_ < 0) throw std::runtime_error("no process");
}

RunningProgram::~RunningProgram() {
  kill();
  close(out_);
  close(err_);
}

void RunningProgram::reap() {
  int status = 0;
  if (reaped_ || waitpid(process_, &status, 0) != process_) return;
  reaped_ = true;
  result_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

bool RunningProgram::is_running() {
  siginfo_t info{};
  return !reaped_ && waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

void RunningProgram::kill() {
  if (!reaped_) ::kill(process_, SIGKILL);
  reap();
}

void RunningProgram::interrupt() {
  if (!reaped_) ::kill(process_, SIGINT);
}

void RunningProgram::collect_output() {
  std::array<pollfd, 2> sources = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  std::array<std::string*, 2> targets = {&result_.out, &result_.err};
  std::array<char, 4096> buffer{};
  while (sources[0].fd >= 0 || sources[1].fd >= 0) {
    poll(sources.data(), sources.size(), -1);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].fd < 0 || sources[i].revents == 0) continue;
      const ssize_t count = read(sources[i].fd, buffer.data(), buffer.size());
      if (count > 0) targets[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count <= 0) sources[i].fd = -1;
    }
  }
}

ProgramResult RunningProgram::wait() {
  collect_output();
  reap();
  return result_;
}

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramOptions& options) {
  return RunningProgram(arguments, options).wait();
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "stiction-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace stiction_test
