#include "apps/cli/view_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "stiction/report/report_page.h"

#include "apps/cli/console.h"

extern char** environ;

namespace stiction::cli {

void write_report(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& file) {
  write_file(file, make_report(runs));
}

BrowserStart::BrowserStart(std::string target) : target_(std::move(target)) {
  std::string program = "xdg-open", argument = target_;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawnattr_t group;
  posix_spawnattr_init(&group);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  // What it prints goes nowhere: else whoever reads this program's output would wait for it.
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  const int fault = posix_spawnp(&child_, program.c_str(), &files, &group, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&group);
  if (fault != 0) {
    child_ = -1;
    tell(true, fault);
  }
}

void BrowserStart::check() {
  int status = 0;
  if (child_ >= 0) tell(waitpid(child_, &status, WNOHANG) == child_, status);
}

void BrowserStart::wait() {
  int status = 0;
  if (child_ >= 0) tell(waitpid(child_, &status, 0) == child_, status);
}

void BrowserStart::tell(bool ended, int status) {
  if (!ended) return;
  child_ = -1;
  if (status != 0) print_error(fmt::format("cannot start a browser (xdg-open): open {} yourself\n", target_));
}

bool has_screen() {
  return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
}

void open_in_browser(const std::string& target) {
  BrowserStart(target).wait();
}

}  // namespace stiction::cli
