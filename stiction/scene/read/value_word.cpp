#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/scene/read/other_names.h"
#include "stiction/scene/read/value.h"

namespace stiction {
namespace {

/// Empty if none is near.
std::string make_nearest_hint(std::string_view word, const std::vector<std::string>& candidates) {
  if (std::string hint = make_other_name_hint(word, candidates); !hint.empty()) return hint;
  const std::string nearest = find_nearest_word(word, candidates);
  return nearest.empty() ? nearest : fmt::format("did you mean {}?", quote(nearest));
}

std::optional<std::string> read_text(ReadContext& context, const Node& node) {
  if (!node.is_text()) {
    context.fail(node, fmt::format("expected a text, got {}", show(node)), "a text needs quotes");
    return {};
  }
  if (node.text.empty()) {
    context.fail(node, "expected a text, got an empty one");
    return {};
  }
  return node.text;
}

/// An empty one stands for none.
std::optional<Node> write_text(const std::string& value, bool) {
  return value.empty() ? std::nullopt : std::optional(make_text(value));
}

}  // namespace

std::vector<std::string> quote_all(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(quote(word));
  return quoted;
}

std::string make_hint(std::string_view word, const std::vector<std::string>& candidates) {
  if (std::string nearest = make_nearest_hint(word, candidates); !nearest.empty()) return nearest;
  if (candidates.empty() || candidates.size() > 24) return {};
  return "one of: " + join_words(candidates, ", ");
}

ValueType<bool> flag() {
  return {"true or false",
          {},
          [](ReadContext& context, const Node& node) -> std::optional<bool> {
            if (node.kind == Node::Kind::flag) return node.flag;
            context.fail(node, fmt::format("expected true or false, got {}", show(node)));
            return {};
          },
          [](const bool& value) { return value ? "true" : "false"; },
          [](const bool& value, bool) { return std::optional(make_flag(value)); }};
}

ValueType<std::string> text() {
  return {
      "text", {}, read_text, [](const std::string& value) { return value.empty() ? value : quote(value); }, write_text};
}

ValueType<std::vector<std::string>> texts() {
  return {
      "array of texts",
      {},
      [](ReadContext& context, const Node& node) -> std::optional<std::vector<std::string>> {
        if (!node.is_array()) {
          context.fail(node, fmt::format("expected an array of texts, got {}", show(node)),
                       node.is_text() ? fmt::format("write [{}]", quote(node.text)) : "");
          return {};
        }
        std::vector<std::string> values;
        for (const Node& item : node.items) {
          if (const auto value = read_text(context, item)) values.push_back(*value);
        }
        return values;
      },
      [](const std::vector<std::string>& values) { return fmt::format("[{}]", join_words(quote_all(values), ", ")); },
      [](const std::vector<std::string>& values, bool) {
        std::vector<Node> items;
        for (const std::string& value : values) items.push_back(make_text(value));
        return std::optional(make_array(std::move(items)));
      }};
}

ValueType<std::string> word(std::vector<std::string> words, std::string otherwise) {
  const std::string choice = join_words(quote_all(words), " or ");
  return {"one of " + join_words(quote_all(words), ", "),
          {},
          [=](ReadContext& context, const Node& node) -> std::optional<std::string> {
            if (node.is_text() && std::find(words.begin(), words.end(), node.text) != words.end()) return node.text;
            std::string hint = node.is_text() ? make_nearest_hint(node.text, words) : "a text needs quotes";
            if (hint.empty()) hint = otherwise;
            context.fail(node, fmt::format("expected {}, got {}", choice, show(node)), std::move(hint));
            return {};
          },
          [](const std::string& value) { return quote(value); },
          write_text};
}

ValueType<JointForm> joint_form() {
  const ValueType<std::string> as_word = word({"tree", "constraint"});
  return {as_word.meaning,
          {},
          [=](ReadContext& context, const Node& node) -> std::optional<JointForm> {
            const auto value = as_word.read(context, node);
            if (!value) return {};
            return *value == "tree" ? JointForm::tree : JointForm::constraint;
          },
          [](const JointForm& value) { return value == JointForm::tree ? "\"tree\"" : "\"constraint\""; },
          [](const JointForm& value, bool) {
            return std::optional(make_text(value == JointForm::tree ? "tree" : "constraint"));
          }};
}

}  // namespace stiction
