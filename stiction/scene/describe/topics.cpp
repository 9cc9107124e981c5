#include "stiction/scene/describe/topics.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/other_names.h"
#include "stiction/stepping/ode/integrators.h"

namespace stiction {
namespace {

/// "[body.NAME.shape]" is asked for as "shape", "[contact.\"A/B\"]" as "contact".
std::string short_name(const std::string& heading) {
  std::string name;
  std::string word;
  for (const char c : heading + ".") {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ' ' || c == ':') {
      word += c;
      continue;
    }
    // The last part that is not a placeholder.
    if (!word.empty() && word != "NAME" && word != "A" && word != "B" && word != "PART") name = word;
    word.clear();
  }
  return lower_case(name);
}

/// What the types of a table are called.
std::string kind_of_types(const TableInfo& table) {
  const std::string name = short_name(table.heading);
  if (name == "normal") return "normal contact law";
  if (name == "friction") return "friction law";
  return name + " type";
}

void add_table(const TableInfo& table, std::vector<Topic>& topics) {
  Topic topic{.name = short_name(table.heading), .kind = "table", .where = table.heading, .meaning = table.sentence};
  std::vector<std::string> keys;
  for (const FieldInfo& field : table.fields)
    if (std::find(keys.begin(), keys.end(), field.name) == keys.end()) keys.push_back(field.name);
  if (!table.types.empty()) keys.insert(keys.begin(), table.type_key);
  topic.value = "keys: " + join_words(keys, ", ");
  topics.push_back(std::move(topic));
  for (const TypeInfo& type : table.types) {
    topics.push_back({.name = type.name,
                      .kind = kind_of_types(table),
                      .where = fmt::format("{} = \"{}\" in {}", table.type_key, type.name, table.heading),
                      .meaning = type.sentence,
                      .formula = type.formula,
                      .paper = type.paper});
  }
  for (const FieldInfo& field : table.fields) {
    std::string where = table.heading;
    if (!field.types.empty()) where += fmt::format(", {} {}", table.type_key, join_words(field.types, " or "));
    topics.push_back({.name = field.name,
                      .kind = "key",
                      .where = std::move(where),
                      .meaning = field.sentence,
                      .formula = field.formula,
                      .value = field.meaning,
                      .default_text = field.required ? "none: must be given" : field.default_text,
                      .range = field.range,
                      .paper = field.paper});
  }
}

/// "see [friction](#friction)" -> "see friction": links lead nowhere on a terminal.
std::string without_links(const std::string& text) {
  std::string plain;
  std::size_t done = 0;
  for (std::size_t open = text.find('['); open != std::string::npos; open = text.find('[', open + 1)) {
    const std::size_t middle = text.find(']', open);
    if (middle == std::string::npos || !text.substr(middle).starts_with("](")) continue;
    const std::size_t close = text.find(')', middle);
    if (close == std::string::npos) continue;
    plain += text.substr(done, open - done) + text.substr(open + 1, middle - open - 1);
    done = close + 1;
    open = close;
  }
  return plain + text.substr(done);
}

/// The tables of contact first: a word that several tables have is most often asked for theirs.
std::vector<const TableInfo*> list_tables_contact_first() {
  std::vector<const TableInfo*> tables = {&describe_contact().info(), &describe_friction().info(),
                                          &describe_normal().info(), &describe_layer().info()};
  for (const TableInfo* table : list_tables())
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  return tables;
}

std::vector<Topic> make_topics() {
  std::vector<Topic> topics;
  for (const TypeInfo& type : list_formulations()) {
    topics.push_back({.name = type.name,
                      .kind = "method",
                      .where = fmt::format("type = \"{}\" in [method]", type.name),
                      .meaning = type.sentence,
                      .formula = type.formula,
                      .paper = type.paper});
  }
  for (const IntegratorInfo& info : integrators()) {
    topics.push_back({.name = info.name,
                      .kind = "integrator",
                      .where = fmt::format("integrator = \"{}\" in [method], for smooth and compliant", info.name),
                      .meaning = fmt::format("{} Order {}, {} steps.", info.description, info.order,
                                             info.adaptive ? "adaptive" : "fixed")});
  }
  add_table(describe_scene().info(), topics);
  topics.back().name = topics.back().name.empty() ? "scene" : topics.back().name;
  for (const TableInfo* table : list_tables_contact_first()) add_table(*table, topics);
  add_table(describe_rotation().info(), topics);
  for (const TableInfo* table : list_function_tables()) add_table(*table, topics);
  topics.insert(topics.end(), list_word_topics().begin(), list_word_topics().end());
  topics.insert(topics.end(), list_summary_topics().begin(), list_summary_topics().end());
  for (Topic& topic : topics) topic.meaning = without_links(topic.meaning);
  return topics;
}

/// "contact.ball/floor.force" is an instance of "contact.A/B.force", "ball.position.z" of "BODY.position".
bool names_signal(const Topic& topic, const std::string& word) {
  // Names of bodies and joints have neither dots nor slashes.
  const bool of_pair = topic.name.starts_with("contact.");
  if (topic.kind != "signal" || word.starts_with("contact.") != of_pair) return false;
  std::string pattern = topic.name;
  for (const std::string_view placeholder : {"A/B", "BODY", "JOINT"}) {
    const std::size_t at = pattern.find(placeholder);
    if (at != std::string::npos) pattern.replace(at, placeholder.size(), "*");
  }
  return matches_glob(word, lower_case(pattern)) || matches_glob(word, lower_case(pattern) + ".?") ||
         matches_glob(word, lower_case(pattern) + ".angle*") ||
         matches_glob(word, lower_case(pattern) + ".displacement");
}

/// The last part of a signal's name: "peak_force" of "contact.A/B.peak_force".
bool ends_signal(const Topic& topic, const std::string& word) {
  return topic.kind == "signal" && lower_case(topic.name).ends_with("." + word);
}

/// Keys whose value is one of several words, among them this one; but for those whose words are topics themselves.
void add_choices(const std::string& word, std::vector<Topic>& found) {
  const std::vector<Topic> by_name = found;
  for (const Topic& topic : list_topics()) {
    if (topic.kind != "key" || !topic.value.starts_with("one of ")) continue;
    if (lower_case(topic.value).find("\"" + word + "\"") == std::string::npos) continue;
    const std::string choice = fmt::format("{} = \"{}\"", topic.name, word);
    const bool known =
        std::any_of(by_name.begin(), by_name.end(), [&](const Topic& t) { return t.where.starts_with(choice); });
    // A word may be a choice of one key in several tables.
    const bool told = std::any_of(found.begin(), found.end(), [&](const Topic& t) {
      return t.kind == "key" && t.name == topic.name && t.meaning == topic.meaning;
    });
    if (!known && !told) found.push_back(topic);
  }
}

/// Warnings and notes: the phrase of one in the words asked for, or these words in the phrase.
void add_messages(const std::string& words, std::vector<Topic>& found) {
  constexpr std::size_t least = 5;
  for (const Topic& topic : list_topics()) {
    if (topic.kind != "warning" && topic.kind != "note") continue;
    const std::string phrase = lower_case(topic.name);
    const bool named = words.find(phrase) != std::string::npos;
    if (named || (words.size() >= least && phrase.find(words) != std::string::npos)) found.push_back(topic);
  }
}

std::vector<Topic> find_topics_named(const std::string& word) {
  std::vector<Topic> found;
  for (const Topic& topic : list_topics())
    if (lower_case(topic.name) == word) found.push_back(topic);
  for (const Topic& topic : list_topics())
    if (ends_signal(topic, word)) found.push_back(topic);
  add_choices(word, found);
  if (!found.empty()) return found;
  for (const Topic& topic : list_topics())
    if (topic.kind == word || topic.kind + "s" == word) found.push_back(topic);
  if (!found.empty()) return found;
  // "body.mass", "method.theta", "contact.friction.static"
  const std::size_t dot = word.rfind('.');
  if (dot != std::string::npos) {
    const std::string table = word.substr(0, dot), last_table = table.substr(table.rfind('.') + 1);
    for (const Topic& topic : list_topics()) {
      const std::string heading = topic.where.substr(0, topic.where.find(','));
      if (topic.kind == "key" && lower_case(topic.name) == word.substr(dot + 1) && short_name(heading) == last_table)
        found.push_back(topic);
    }
  }
  if (!found.empty()) return found;
  for (const Topic& topic : list_topics())
    if (names_signal(topic, word)) found.push_back(topic);
  if (found.empty()) add_messages(word, found);
  return found;
}

}  // namespace

const std::vector<Topic>& list_topics() {
  static const std::vector<Topic> topics = make_topics();
  return topics;
}

std::vector<Topic> find_topics(std::string_view asked) {
  // ".impulse" ends a signal's name; "contact.default" heads a table.
  if (asked.starts_with(".")) asked.remove_prefix(1);
  if (asked == "contact.default") asked = "contact";
  std::vector<Topic> found = find_topics_named(lower_case(asked));
  if (!found.empty()) return found;
  for (const OtherName& other : find_other_names(asked)) {
    for (Topic& topic : find_topics_named(lower_case(other.name))) found.push_back(std::move(topic));
  }
  return found;
}

std::vector<std::string> find_near_topics(std::string_view asked) {
  const std::string word = lower_case(asked);
  std::vector<std::string> names, near;
  for (const Topic& topic : list_topics())
    if (std::find(names.begin(), names.end(), topic.name) == names.end()) names.push_back(topic.name);
  // A word of three letters is within two edits of words that have nothing to do with it.
  while (word.size() > 3 && near.size() < 3) {
    const std::string nearest = find_nearest_word(word, names);
    if (nearest.empty()) break;
    near.push_back(nearest);
    std::erase(names, nearest);
  }
  for (const std::string& name : names) {
    if (near.size() >= 3) break;
    if (word.size() > 2 && lower_case(name).find(word) != std::string::npos) near.push_back(name);
  }
  return near;
}

}  // namespace stiction
