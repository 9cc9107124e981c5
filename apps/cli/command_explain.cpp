#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/scene/describe/topics.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

constexpr std::size_t text_width = 100;

/// The text in lines of that width, the second and later ones indented.
std::string wrap_text(const std::string& text, std::size_t indent) {
  std::string wrapped;
  std::size_t column = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (column > indent && column + 1 + length > text_width) {
      wrapped += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      wrapped += ' ';
      ++column;
    }
    wrapped += text.substr(begin, length);
    column += length;
    begin = end + 1;
  }
  return wrapped;
}

std::string format_topic(const Topic& topic) {
  std::string text = paint(topic.name, Color::bold) + ": " + topic.kind;
  if (!topic.where.empty()) text += topic.kind == "key" ? " of " + topic.where : ", " + topic.where;
  text += "\n";
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<9}{}\n", name, wrap_text(value, 11));
  };
  add("meaning", topic.meaning);
  add("formula", topic.formula);
  add(topic.kind == "signal" || topic.kind == "measure" ? "unit" : "value", topic.value);
  add("default", topic.default_text);
  add("range", topic.range);
  add("limits", topic.limits);
  add("remedy", topic.remedy);
  add("source", topic.paper);
  return text;
}

/// The names of each kind, as the program groups them.
std::string format_topic_list() {
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<std::string>> names;
  for (const Topic& topic : list_topics()) {
    if (std::find(kinds.begin(), kinds.end(), topic.kind) == kinds.end()) kinds.push_back(topic.kind);
    std::vector<std::string>& of_kind = names[topic.kind];
    if (std::find(of_kind.begin(), of_kind.end(), topic.name) == of_kind.end()) of_kind.push_back(topic.name);
  }
  std::string text;
  for (const std::string& kind : kinds) {
    std::sort(names[kind].begin(), names[kind].end());
    text += paint(kind, Color::bold) + "\n  " + wrap_text(join_words(names[kind], ", "), 2) + "\n";
  }
  return text + "\nNext: stiction explain WORD\n";
}

int explain(const std::string& word) {
  if (word.empty()) {
    print(format_topic_list());
    return exit_ok;
  }
  const std::vector<Topic> found = find_topics(word);
  if (found.empty()) {
    const std::vector<std::string> near = find_near_topics(word);
    throw InputError(
        fmt::format("there is no topic {}", quote(word)),
        near.empty() ? "stiction explain lists the topics" : fmt::format("did you mean {}?", join_words(near, " or ")));
  }
  std::string text;
  for (const Topic& topic : found) text += (text.empty() ? "" : "\n") + format_topic(topic);
  print(text);
  return exit_ok;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a key, law, method, signal, event, verdict or warning; without a word, list them");
  command
      ->add_option("WORD", *words, "What to explain, such as friction, body.mass, cone, energy.residual or penetration")
      ->type_name(" ");
  command->footer("Example: stiction explain bristle");
  command->callback([words, &action] {
    action = [words] {
      std::string topic;
      for (const std::string& word : *words) topic += (topic.empty() ? "" : " ") + word;
      return explain(topic);
    };
  });
}

}  // namespace stiction::cli
