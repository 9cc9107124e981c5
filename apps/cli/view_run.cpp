#include "apps/cli/view_run.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "stiction/report/report_page.h"

#include "apps/cli/console.h"

extern char** environ;

namespace stiction::cli {

void write_report(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& file) {
  write_file(file, make_report(runs));
}

void open_in_browser(const std::string& target) {
  std::string program = "xdg-open", argument = target;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  const bool started = posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0;
  const bool opened = started && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!opened) print_error(fmt::format("no browser could be started (xdg-open): open {} yourself\n", target));
}

void open_if_possible(const std::string& target) {
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")) open_in_browser(target);
}

}  // namespace stiction::cli
