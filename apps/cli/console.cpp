#include "apps/cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "stiction/base/fault.h"
#include "stiction/results/file_replacement.h"

namespace stiction::cli {
namespace {

constexpr std::string_view reset = "\x1b[0m";

std::string_view code_of(Color color) {
  switch (color) {
    case Color::bold:
      return "\x1b[1m";
    case Color::red:
      return "\x1b[1;31m";
    case Color::green:
      return "\x1b[32m";
    case Color::yellow:
      return "\x1b[33m";
  }
  return reset;
}

std::string wrap(std::string_view text, Color color) {
  return fmt::format("{}{}{}", code_of(color), text, reset);
}

// Colours the first occurrence of a word in each line.
std::string paint_word(std::string_view text, std::string_view word, Color color) {
  std::string painted;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string line(text.substr(0, end));
    if (const std::size_t at = line.find(word); at != std::string::npos)
      line.replace(at, word.size(), wrap(word, color));
    painted += line;
    text.remove_prefix(end);
  }
  return painted;
}

[[noreturn]] void fail_output() {
  if (errno == EPIPE) throw ReaderGone();
  throw IoError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_output();
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail_output();
}

void print_error(std::string_view text) {
  std::string shown(text);
  if (has_colors(STDERR_FILENO)) {
    shown = paint_word(paint_word(text, "error:", Color::red), "hint:", Color::yellow);
    shown = paint_word(shown, "warning:", Color::yellow);
  }
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool has_colors(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return (no_color == nullptr || *no_color == '\0') && !dumb && isatty(descriptor) == 1;
}

std::string paint(std::string_view text, Color color) {
  return has_colors(STDOUT_FILENO) ? wrap(text, color) : std::string(text);
}

std::string quote_for_shell(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+=:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

void write_file(const std::filesystem::path& file, std::string_view text) {
  FileReplacement replacement(file);
  std::ofstream stream(replacement.temporary(), std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) throw IoError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  replacement.commit();
}

}  // namespace stiction::cli
