#include "stiction/scene/read/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace stiction {
namespace {

/// Bytes of the UTF-8 character at `text[i]`, 0 if there is none.
std::size_t count_character_bytes(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  // No overlong forms, no surrogates, nothing above U+10FFFF.
  if (first >= 0xE0 && first <= 0xEF) {
    const bool allowed = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F);
    return allowed && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool allowed = !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    return allowed && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Walks through the text, knowing where strings and comments are.
class Scanner {
 public:
  Scanner(const Sources& sources, int source) : sources_(sources), source_(source), text_(sources.text(source)) {}

  /// Up to the line, or to the end.
  std::optional<Fault> run(int last_line = std::numeric_limits<int>::max()) {
    while (i_ < text_.size() && line_ <= last_line) {
      const std::size_t bytes = count_character_bytes(text_, i_);
      if (bytes == 0) return fault("the text is not UTF-8", "save the file as UTF-8", false);
      if (text_[i_] == '\0') return fault("the text contains a NUL byte", "a scene is plain text", false);
      if (bytes == 1) step();
      if (open_.size() > static_cast<std::size_t>(deepest_nesting))
        return fault(fmt::format("brackets are nested deeper than {}", deepest_nesting), {});
      if (dots_ >= most_key_parts) return fault(fmt::format("a key has more than {} parts", most_key_parts), {});
      // A closing triple quote is three characters.
      i_ += bytes + skip_;
      column_ += 1 + static_cast<int>(skip_);
      skip_ = 0;
    }
    return {};
  }

  struct Bracket {
    char sign;
    int line, column;
  };
  /// Those that are open where run() has come to.
  const std::vector<Bracket>& open() const { return open_; }

 private:
  std::optional<Fault> fault(std::string message, std::string hint, bool show_line = true) const {
    SourcePlace place = sources_.place({source_, line_, column_, 1});
    if (!show_line) place.line_text.clear();
    return Fault{place, {}, std::move(message), std::move(hint)};
  }

  void step() {
    const char c = text_[i_];
    if (c == '\n') {
      ++line_;
      column_ = 0;
      dots_ = 0;
      comment_ = false;
      // A string of one line ends with it, at the latest.
      if (!triple_) quote_ = 0;
    } else if (quote_ != 0) {
      step_in_string(c);
    } else if (!comment_) {
      step_in_code(c);
    }
  }

  void step_in_string(char c) {
    if (c == '\\' && quote_ == '"') {
      // The escaped character is passed over, unless the line ends.
      if (i_ + 1 < text_.size() && static_cast<unsigned char>(text_[i_ + 1]) < 0x80 && text_[i_ + 1] != '\n' &&
          text_[i_ + 1] != '\0') {
        skip_ = 1;
      }
    } else if (c == quote_ && !triple_) {
      quote_ = 0;
    } else if (c == quote_ && is_triple(c)) {
      quote_ = 0;
      skip_ = 2;
    }
  }

  void step_in_code(char c) {
    switch (c) {
      case '#':
        comment_ = true;
        break;
      case '"':
      case '\'':
        quote_ = c;
        triple_ = is_triple(c);
        skip_ = triple_ ? 2 : 0;
        break;
      case '[':
      case '{':
        open_.push_back({c, line_, column_});
        dots_ = 0;
        break;
      case ']':
      case '}':
        if (!open_.empty()) open_.pop_back();
        dots_ = 0;
        break;
      case '=':
      case ',':
        dots_ = 0;
        break;
      case '.':
        ++dots_;
        break;
      default:
        break;
    }
  }

  bool is_triple(char c) const { return i_ + 2 < text_.size() && text_[i_ + 1] == c && text_[i_ + 2] == c; }

  const Sources& sources_;
  int source_;
  std::string_view text_;
  std::size_t i_ = 0, skip_ = 0;
  int line_ = 1, column_ = 1;
  int dots_ = 0;
  std::vector<Bracket> open_;
  char quote_ = 0;
  bool triple_ = false, comment_ = false;
};

/// Does the line look like `key = ...` or `[table]`, which stands in no bracket?
bool starts_anew(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  line.remove_prefix(first);
  const auto is_key = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '"' || c == '\'' || c == '/' || c == ' ' || c == '\t';
  };
  const bool header = line.starts_with('[');
  while (line.starts_with('[')) line.remove_prefix(1);
  std::size_t end = 0;
  while (end < line.size() && is_key(line[end])) ++end;
  return end > 0 && end < line.size() && line[end] == (header ? ']' : '=');
}

}  // namespace

std::optional<Fault> find_unclosed(const Sources& sources, int source, int line) {
  const auto scan = [&](int last_line) {
    Scanner scanner(sources, source);
    return scanner.run(last_line) ? std::vector<Scanner::Bracket>() : scanner.open();
  };
  const std::string_view text = sources.text(source);
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  const bool at_end =
      last == std::string_view::npos || std::count(text.begin(), text.begin() + static_cast<long>(last), '\n') < line;
  // Open where the line begins that the parser stumbled over, which belongs to no bracket;
  std::vector<Scanner::Bracket> open = scan(line - 1);
  bool unclosed =
      !open.empty() && (open.back().sign == '{' || starts_anew(sources.place({source, line, 1, 1}).line_text));
  // or an inline table on the line itself, with which it ends; or the text ends before the bracket does.
  if (!unclosed) {
    open = scan(at_end ? std::numeric_limits<int>::max() : line);
    unclosed = !open.empty() && (at_end || (open.back().sign == '{' && open.back().line == line));
  }
  if (!unclosed) return {};
  const Scanner::Bracket& bracket = open.back();
  const bool array = bracket.sign == '[';
  // A bracket that begins a line is that of a [table].
  const std::string line_text = sources.place({source, bracket.line, 1, 1}).line_text;
  if (array && line_text.find_first_not_of(" \t") == line_text.find('[')) return {};
  return Fault{sources.place({source, bracket.line, bracket.column, 1}),
               {},
               fmt::format("this is not valid TOML: the {} that begins here is not closed", array ? "array" : "table"),
               array ? "add the missing ]" : "add the missing } on the same line: an inline table has no line breaks"};
}

std::optional<Fault> find_absurdity(const Sources& sources, int source) {
  return Scanner(sources, source).run();
}

}  // namespace stiction
