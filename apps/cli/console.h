#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stiction::cli {

/// Whoever read standard output has enough, as with `| head`: the program ends as other programs do, by SIGPIPE.
struct ReaderGone {};

/// To standard output; IoError if it is closed or full, ReaderGone if nobody reads it any more.
void print(std::string_view text);
/// Makes sure that all of standard output has arrived; IoError or ReaderGone if not.
void flush_output();
/// To standard error; a closed one is ignored. The words "error:", "warning:" and "hint:" are coloured on a terminal.
void print_error(std::string_view text);

/// Is this stream a terminal that takes colours? Not with NO_COLOR set (no-color.org) or on a dumb terminal.
bool has_colors(int descriptor);

enum class Color { bold, red, green, yellow };
/// The text in that colour on a standard output that takes it, else as it is.
std::string paint(std::string_view text, Color color);

/// A word as a shell reads it: in single quotes if it has other than letters, digits and ._/-+=:,@% in it.
std::string quote_for_shell(const std::string& word);

/// All or nothing: the file appears when it is complete. IoError otherwise.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace stiction::cli
