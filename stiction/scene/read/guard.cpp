#include "stiction/scene/read/guard.h"

#include <fmt/format.h>

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

  std::optional<Fault> run() {
    while (i_ < text_.size()) {
      const std::size_t bytes = count_character_bytes(text_, i_);
      if (bytes == 0) return fault("the text is not UTF-8", "save the file as UTF-8", false);
      if (text_[i_] == '\0') return fault("the text contains a NUL byte", "a scene is plain text", false);
      if (bytes == 1) step();
      if (depth_ > deepest_nesting)
        return fault(fmt::format("brackets are nested deeper than {}", deepest_nesting), {});
      if (dots_ >= most_key_parts) return fault(fmt::format("a key has more than {} parts", most_key_parts), {});
      // A closing triple quote is three characters.
      i_ += bytes + skip_;
      column_ += 1 + static_cast<int>(skip_);
      skip_ = 0;
    }
    return {};
  }

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
        ++depth_;
        dots_ = 0;
        break;
      case ']':
      case '}':
        if (depth_ > 0) --depth_;
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
  int depth_ = 0, dots_ = 0;
  char quote_ = 0;
  bool triple_ = false, comment_ = false;
};

}  // namespace

std::optional<Fault> find_absurdity(const Sources& sources, int source) {
  return Scanner(sources, source).run();
}

}  // namespace stiction
