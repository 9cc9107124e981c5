#include "stiction/scene/read/override.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/scene/read/guard.h"
#include "stiction/scene/read/parse_toml.h"

namespace stiction {
namespace {

/// Position of the = that ends the key, outside of quotes.
std::size_t find_equals(std::string_view text) {
  char inside = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside != 0) {
      if (c == '\\' && inside == '"') ++i;
      if (c == inside) inside = 0;
    } else if (c == '"' || c == '\'') {
      inside = c;
    } else if (c == '=') {
      return i;
    }
  }
  return std::string_view::npos;
}

int count_characters(std::string_view text) {
  int count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return count;
}

void shift(Node& node, int source, int columns) {
  node.spot.source = source;
  node.spot.column += columns;
  for (Node& item : node.items) shift(item, source, columns);
  for (Member& member : node.members) {
    member.key_spot.source = source;
    member.key_spot.column += columns;
    shift(member.value, source, columns);
  }
}

struct KeyPart {
  std::string key;
  Spot spot;
};
/// The parts of a dotted key, read by TOML's own rules from "key=0"; empty if it is none.
std::vector<KeyPart> read_key(std::string_view key, int source) {
  const std::string assignment = std::string(key) + "=0";
  Sources probe;
  const auto parsed = parse_toml(probe, probe.add({}, assignment));
  const Node* node = std::get_if<Node>(&parsed);
  std::vector<KeyPart> parts;
  while (node && node->is_table()) {
    if (node->members.size() != 1) return {};
    const Member& member = node->members.front();
    parts.push_back({member.key, {source, member.key_spot.line, member.key_spot.column, member.key_spot.length}});
    node = &member.value;
  }
  return node && node->kind == Node::Kind::integer ? parts : std::vector<KeyPart>{};
}

/// A TOML value, else text.
Node read_value(std::string_view value, int source, int column) {
  const std::string assignment = "v=" + std::string(value);
  Sources probe;
  auto parsed = parse_toml(probe, probe.add({}, assignment));
  if (Node* root = std::get_if<Node>(&parsed); root && root->members.size() == 1) {
    Node node = std::move(root->members.front().value);
    shift(node, source, column - 3);
    return node;
  }
  while (value.starts_with(' ')) value.remove_prefix(1), ++column;
  while (value.ends_with(' ')) value.remove_suffix(1);
  Node node;
  node.kind = Node::Kind::text;
  node.text = value;
  node.spot = {source, 1, column, count_characters(value)};
  return node;
}

/// The member of that name, made if there is none.
Member& reach(Node& table, const KeyPart& part) {
  for (Member& member : table.members) {
    if (member.key == part.key) return member;
  }
  Member member{part.key, part.spot, {}};
  member.value.spot = part.spot;
  return table.members.emplace_back(std::move(member));
}

/// "contact.ball/floor.friction=1" as contact."ball/floor".friction=1; empty if there is no pair without quotes.
std::string quote_pair(const std::string& text) {
  const std::size_t key_end = text.find('='), slash = text.find('/'), first = text.find('.');
  if (slash > key_end || first > slash || text.find('"') < key_end) return {};
  const std::size_t last = std::min(text.find('.', slash), key_end);
  return fmt::format("{}.\"{}\"{}", text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last));
}

}  // namespace

void apply_override(Node& root, const std::string& text, Sources& sources, std::vector<Fault>& faults) {
  const bool one_short_line = text.size() <= 80 && text.find_first_of("\n\r") == std::string::npos;
  const int source = sources.add(
      one_short_line ? "--set " + text : "--set " + text.substr(0, text.find_first_of("=\n\r")).substr(0, 80) + "=...",
      text);
  const auto fail = [&](const Spot& spot, std::string path, std::string message, std::string hint = {}) {
    faults.push_back({sources.place(spot), std::move(path), std::move(message), std::move(hint)});
  };
  const std::string_view example = "write --set time.step=\"20 us\"";
  if (const auto absurd = find_absurdity(sources, source)) return faults.push_back(*absurd);
  const std::size_t equals = find_equals(text);
  const int length = count_characters(text);
  if (equals == std::string::npos || text.find_first_of("\n\r") != std::string::npos) {
    return fail({source, 1, 1, length}, {}, "expected key.path=value on one line", std::string(example));
  }
  const std::string_view key = std::string_view(text).substr(0, equals);
  const std::vector<KeyPart> parts = read_key(key, source);
  if (parts.empty()) {
    const std::string quoted = quote_pair(text);
    return fail({source, 1, 1, count_characters(key)}, {}, fmt::format("{} is not a key", quote(key)),
                quoted.empty() ? std::string(example) : fmt::format("quote the pair: --set '{}'", quoted));
  }
  if (parts.front().key == "include") {
    return fail(parts.front().spot, "include", "cannot be set with --set", "edit the scene file");
  }

  // Down to the last part; on the way only tables.
  Node* table = &root;
  std::string path;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Member& member = reach(*table, parts[i]);
    path = join_path(path, parts[i].key);
    if (!member.value.is_table()) {
      return fail(parts[i].spot, path,
                  fmt::format("is {}, not a table: it has no {}", show(member.value), quote(parts[i + 1].key)));
    }
    table = &member.value;
  }
  Member& last = reach(*table, parts.back());
  last.key_spot = parts.back().spot;
  last.value = read_value(std::string_view(text).substr(equals + 1), source, count_characters(key) + 2);
  if (last.value.is_table()) last.value.spot = last.key_spot;
}

}  // namespace stiction
