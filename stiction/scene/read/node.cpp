#include "stiction/scene/read/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"

namespace stiction {

bool Node::is_array_of(Kind wanted) const {
  return is_array() && !items.empty() &&
         std::all_of(items.begin(), items.end(), [&](const Node& item) { return item.kind == wanted; });
}

const Node* find_member(const Node& node, std::string_view key) {
  for (const Member& member : node.members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Node* find_member(Node& node, std::string_view key) {
  return const_cast<Node*>(find_member(static_cast<const Node&>(node), key));
}

std::string show(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return fmt::format("an array of {}", node.items.size());
    case Node::Kind::text:
      return quote(node.text);
    case Node::Kind::integer:
    case Node::Kind::real:
      return format_number(node.number);
    case Node::Kind::flag:
      return node.flag ? "true" : "false";
    case Node::Kind::date:
      return "a date or time";
  }
  return {};
}

std::string join_path(std::string_view path, std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  const std::string part = bare ? std::string(key) : quote(key);
  return path.empty() ? part : fmt::format("{}.{}", path, part);
}

}  // namespace stiction
