#include "stiction/scene/read/parse_toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "stiction/scene/read/guard.h"

static_assert(TOML_HEADER_ONLY == 0, "toml++ must be the shared library: its header-only mode aborts on some input");

namespace stiction {
namespace {

Spot make_spot(const toml::source_region& region, int source) {
  Spot spot{source, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), 1};
  // What goes on over several lines is underlined at its start only.
  if (region.end.line == region.begin.line && region.end.column > region.begin.column) {
    spot.length = static_cast<int>(region.end.column - region.begin.column);
  }
  return spot;
}

Node make_node(const toml::node& from, int source);

void add_members(Node& node, const toml::table& table, int source) {
  node.members.reserve(table.size());
  for (const auto& [key, value] : table) {
    Member member{std::string(key.str()), make_spot(key.source(), source), make_node(value, source)};
    // A [table] is shown at its name, an inline one where its braces are.
    const toml::table* inner = value.as_table();
    if (inner && !inner->is_inline()) member.value.spot = member.key_spot;
    node.members.push_back(std::move(member));
  }
  // The library sorts by name; the file's order is that of the keys' places.
  std::stable_sort(node.members.begin(), node.members.end(), [](const Member& a, const Member& b) {
    return std::pair(a.key_spot.line, a.key_spot.column) < std::pair(b.key_spot.line, b.key_spot.column);
  });
}

Node make_node(const toml::node& from, int source) {
  Node node;
  node.spot = make_spot(from.source(), source);
  if (const toml::table* table = from.as_table()) {
    add_members(node, *table, source);
  } else if (const toml::array* array = from.as_array()) {
    node.kind = Node::Kind::array;
    node.items.reserve(array->size());
    for (const toml::node& item : *array) node.items.push_back(make_node(item, source));
  } else if (const auto* text = from.as_string()) {
    node.kind = Node::Kind::text;
    node.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    node.kind = Node::Kind::integer;
    node.number = static_cast<double>(integer->get());
  } else if (const auto* real = from.as_floating_point()) {
    node.kind = Node::Kind::real;
    node.number = real->get();
  } else if (const auto* flag = from.as_boolean()) {
    node.kind = Node::Kind::flag;
    node.flag = flag->get();
  } else {
    node.kind = Node::Kind::date;
  }
  return node;
}

/// "Error while parsing floating-point: '1e400' could not be interpreted as a value": a number as TOML writes them, but
/// beyond the range of a double. Empty for other messages.
std::string find_number_out_of_range(std::string_view message) {
  if (message.find("could not be interpreted as a value") == std::string_view::npos) return {};
  const std::size_t open = message.find('\''), close = message.rfind('\'');
  if (open == std::string_view::npos || close <= open + 1) return {};
  std::string text(message.substr(open + 1, close - open - 1));
  std::erase(text, '_');
  double value = 0;
  const char *first = text.data() + (text.starts_with('+') ? 1 : 0), *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  const bool beyond = error == std::errc::result_out_of_range || std::abs(value) < std::numeric_limits<double>::min();
  return end == last && beyond ? text : std::string();
}

/// What the library says, and what is usually meant. The first that fits counts.
constexpr std::pair<std::string_view, const char*> usual_mistakes[] = {
    {"saw ';'", "a line ends without ;"},
    {"root table: expected keys, tables, whitespace or comments, saw '/'", "a comment begins with #"},
    {"table header: expected a comment", "the keys of a table stand on the lines below its header"},
    {"expected a comment or whitespace, saw ','", "decimals have a point, as in 0.1, and no comma ends a line"},
    {"expected a comment or whitespace", "a value with a unit needs quotes: step = \"20 us\""},
    {"could not determine value type", "words need quotes: type = \"sphere\""},
    {"control characters", "is the closing quote missing?"},
    {"unknown escape", "write / between the folders of a path"},
    {"expected '=', saw ':'", "a scene is TOML: an = stands between a key and its value, [NAME] before a table"},
    {"root table: expected keys", "a scene is TOML, with tables [NAME] and lines key = value: see stiction new"},
    {"boolean: expected", "write true or false, in lower case"},
    {"expected ']', saw '/'", "a pair needs quotes: [contact.\"ball/floor\"]"},
    {"table header: expected ']', saw '\\n'", "add the missing ]: [body.ball]"},
    {"table header: expected ']'", "a name has letters, digits, _ and -, and no spaces; and is a ] missing?"},
    {"expected decimal digit, saw '.'", "write the zero: 0.1"},
    {"cannot redefine", "write it once"}};

/// The library's "Error while parsing X: Y" as "cannot read the X: Y".
Fault make_fault(const toml::parse_error& error, const Sources& sources, int source) {
  std::string_view message = error.description();
  if (const std::string number = find_number_out_of_range(message); !number.empty()) {
    // The library points behind the number.
    Spot spot = make_spot(error.source(), source);
    const int length = static_cast<int>(number.size());
    if (spot.column > length) spot.column -= length, spot.length = length;
    return {sources.place(spot),
            {},
            fmt::format("the number {} is too large or too small", number),
            "numbers go up to about 1.8e308"};
  }
  constexpr std::string_view prefix = "Error while parsing ";
  std::string text = "this is not valid TOML: ";
  if (message.starts_with(prefix)) {
    message.remove_prefix(prefix.size());
    text += "cannot read the ";
  }
  text += message;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::string hint;
  for (const auto& [part, advice] : usual_mistakes) {
    if (hint.empty() && message.find(part) != std::string_view::npos) hint = advice;
  }
  SourcePlace place = sources.place(make_spot(error.source(), source));
  const auto at = static_cast<std::size_t>(std::max(place.column - 1, 0));
  const std::string_view rest = std::string_view(place.line_text).substr(std::min(at, place.line_text.size()));
  if (rest.starts_with('(')) hint = "arrays have square brackets: [0, 1]";
  if (rest.starts_with("\u201c")) hint = "texts have straight quotes: \"sphere\"";
  return {std::move(place), {}, text, hint};
}

}  // namespace

std::variant<Node, Fault> parse_toml(const Sources& sources, int source) {
  if (auto absurd = find_absurdity(sources, source)) return *absurd;
  try {
    Node root = make_node(toml::parse(sources.text(source)), source);
    root.spot = {source, 1, 1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    if (auto unclosed = find_unclosed(sources, source, static_cast<int>(error.source().begin.line))) return *unclosed;
    return make_fault(error, sources, source);
  }
}

}  // namespace stiction
