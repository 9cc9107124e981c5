#include "stiction/scene/read/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Node make_number(double value) {
  constexpr double exact = 9007199254740992;  // 2^53: up to here every whole number is a double
  Node node;
  const bool whole = value == std::floor(value) && std::abs(value) < exact && !(value == 0 && std::signbit(value));
  node.kind = whole ? Node::Kind::integer : Node::Kind::real;
  node.number = value;
  return node;
}

Node make_numbers(const double* values, std::size_t count) {
  Node node;
  node.kind = Node::Kind::array;
  for (std::size_t i = 0; i < count; ++i) node.items.push_back(make_number(values[i]));
  return node;
}

Node make_text(std::string text) {
  Node node;
  node.kind = Node::Kind::text;
  node.text = std::move(text);
  return node;
}

Node make_flag(bool flag) {
  Node node;
  node.kind = Node::Kind::flag;
  node.flag = flag;
  return node;
}

Node make_array(std::vector<Node> items) {
  Node node;
  node.kind = Node::Kind::array;
  node.items = std::move(items);
  return node;
}

bool is_same(const Node& a, const Node& b) {
  const auto same_member = [](const Member& x, const Member& y) { return x.key == y.key && is_same(x.value, y.value); };
  return a.kind == b.kind && a.text == b.text && a.number == b.number && a.flag == b.flag &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same) &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(), same_member);
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
