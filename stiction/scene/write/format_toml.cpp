#include "stiction/scene/write/format_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/fault.h"

namespace stiction {
namespace {

constexpr std::size_t line_width = 120;

/// A basic string of TOML.
std::string format_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\', quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string format_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? key : format_text(key);
}

std::string join_keys(const std::string& path, const std::string& key) {
  return path.empty() ? format_key(key) : path + "." + format_key(key);
}

class TomlWriter {
 public:
  /// The plain keys of a table, then the tables in it: what follows a header belongs to it.
  void write_table(const Node& table, const std::string& path, int depth) {
    std::vector<const Member*> sections;
    for (const Member& member : table.members) {
      const std::string place = join_keys(path, member.key);
      if (!member.value.is_table()) {
        text += format_key(member.key) + " = " + format_value(member.value, place, true) + "\n";
        continue;
      }
      // Tables of the file and those with a name of the user have headers, those in them where they are long.
      const std::string line =
          depth < 2 ? std::string() : format_key(member.key) + " = " + format_inline(member.value, place);
      if (depth < 2 || line.size() > line_width) {
        sections.push_back(&member);
      } else {
        text += line + "\n";
      }
    }
    for (const Member* member : sections) write_section(member->value, join_keys(path, member->key), depth + 1);
  }

  std::string text;

 private:
  void write_section(const Node& table, const std::string& path, int depth) {
    const bool only_tables =
        !table.members.empty() && std::all_of(table.members.begin(), table.members.end(),
                                              [](const Member& member) { return member.value.is_table(); });
    // [body] is said by [body.ball].
    if (!only_tables || depth > 1) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", path);
    write_table(table, path, depth);
  }

  std::string format_number(const Node& node, const std::string& path) const {
    if (!std::isfinite(node.number))
      throw InputError(
          {Fault{{}, path, "is not finite and cannot be written", "leave it out, or give a finite number"}});
    // The shortest digits that read back as the same bits; a real number stays one.
    const std::string digits = fmt::format("{}", node.number);
    const bool looks_whole = digits.find_first_of(".e") == std::string::npos;
    return node.kind == Node::Kind::real && looks_whole ? digits + ".0" : digits;
  }

  std::string format_inline(const Node& table, const std::string& path) const {
    if (table.members.empty()) return "{}";
    std::string inner;
    for (const Member& member : table.members) {
      inner += fmt::format("{} {} = {}", inner.empty() ? "" : ",", format_key(member.key),
                           format_value(member.value, join_keys(path, member.key), false));
    }
    return fmt::format("{{{} }}", inner);
  }

  /// `may_break`: a long array has an item a line.
  std::string format_array(const Node& array, const std::string& path, bool may_break) const {
    std::vector<std::string> items;
    std::size_t length = path.size();
    for (const Node& item : array.items) {
      items.push_back(format_value(item, path, false));
      length += items.back().size() + 2;
    }
    const bool breaks = may_break && length > line_width && !array.is_array_of(Node::Kind::real);
    const std::string_view between = breaks ? ",\n  " : ", ";
    return fmt::format("[{}{}{}]", breaks ? "\n  " : "", fmt::join(items, between), breaks ? ",\n" : "");
  }

  std::string format_value(const Node& node, const std::string& path, bool may_break) const {
    switch (node.kind) {
      case Node::Kind::text:
        return format_text(node.text);
      case Node::Kind::integer:
      case Node::Kind::real:
        return format_number(node, path);
      case Node::Kind::flag:
        return node.flag ? "true" : "false";
      case Node::Kind::array:
        return format_array(node, path, may_break);
      case Node::Kind::table:
      case Node::Kind::date:
        break;
    }
    return format_inline(node, path);
  }
};

}  // namespace

std::string format_toml(const Node& root) {
  TomlWriter writer;
  writer.write_table(root, "", 0);
  return std::move(writer.text);
}

}  // namespace stiction
