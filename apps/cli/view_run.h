#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace stiction::cli {

/// Writes the report of the runs as one HTML file.
void write_report(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& file);

/// The program that shows a file or an address in the user's browser. It may take as long as the browser is open, so
/// nobody waits for it, it outlives this program, and Ctrl-C does not reach it.
class BrowserStart {
 public:
  explicit BrowserStart(std::string target);
  /// Has it failed by now? Then that is said, once.
  void check();
  /// The same when it has ended.
  void wait();

 private:
  void tell(bool ended, int status);

  std::string target_;
  pid_t child_ = -1;  ///< -1: has ended
};

/// Is there a screen to show a browser on?
bool has_screen();

/// Opens a file or an address in the user's browser; says so where there is none.
void open_in_browser(const std::string& target);

}  // namespace stiction::cli
