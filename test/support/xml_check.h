#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace stiction_test {

/// What keeps a text from being a well-formed XML document of elements, attributes and text, or "" if nothing does.
/// Knows what an SVG writer needs: no declarations, comments or CDATA.
inline std::string find_xml_fault(std::string_view text) {
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == ':'; };
  const auto check_entities = [](std::string_view part) -> std::string {
    for (std::size_t i = part.find('&'); i != std::string_view::npos; i = part.find('&', i + 1)) {
      const std::string_view entity = part.substr(i, part.find(';', i) - i + 1);
      if (entity != "&lt;" && entity != "&gt;" && entity != "&amp;" && entity != "&quot;" && entity != "&#39;") {
        return "unknown entity " + std::string(part.substr(i, 10));
      }
    }
    return {};
  };
  std::vector<std::string> open;
  bool root_seen = false;
  while (!text.empty()) {
    // Text up to the next tag.
    const std::size_t begin = std::min(text.find('<'), text.size());
    const std::string_view content = text.substr(0, begin);
    if (const std::string fault = check_entities(content); !fault.empty()) return fault;
    if (open.empty() && content.find_first_not_of(" \n") != std::string_view::npos) return "text outside the root";
    text.remove_prefix(begin);
    if (text.empty()) break;

    // The tag: a name, then attributes, each in quotes.
    const bool closing = text.starts_with("</");
    text.remove_prefix(closing ? 2 : 1);
    std::size_t length = 0;
    while (length < text.size() && is_name(text[length])) ++length;
    const std::string name(text.substr(0, length));
    if (name.empty()) return "a tag without a name";
    text.remove_prefix(length);
    bool empty_element = false;
    std::vector<std::string_view> attributes;
    while (true) {
      while (!text.empty() && (text[0] == ' ' || text[0] == '\n')) text.remove_prefix(1);
      if (text.empty()) return "the text ends inside <" + name;
      if (text[0] == '>') break;
      if (text.starts_with("/>")) {
        empty_element = true;
        text.remove_prefix(1);
        break;
      }
      std::size_t equals = 0;
      while (equals < text.size() && is_name(text[equals])) ++equals;
      if (equals == 0 || text.substr(equals, 2) != "=\"") return "a bad attribute in <" + name;
      for (const std::string_view other : attributes) {
        if (other == text.substr(0, equals)) return "an attribute twice in <" + name;
      }
      attributes.push_back(text.substr(0, equals));
      const std::size_t end = text.find('"', equals + 2);
      if (end == std::string_view::npos) return "an open quote in <" + name;
      const std::string_view value = text.substr(equals + 2, end - equals - 2);
      if (value.find('<') != std::string_view::npos) return "< in an attribute of <" + name;
      if (const std::string fault = check_entities(value); !fault.empty()) return fault;
      text.remove_prefix(end + 1);
    }
    text.remove_prefix(1);

    // Elements nest; there is one root.
    if (closing) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else {
      if (open.empty() && root_seen) return "two roots";
      root_seen = true;
      if (!empty_element) open.push_back(name);
    }
  }
  if (!open.empty()) return "<" + open.back() + "> is not closed";
  return root_seen ? "" : "no element";
}

}  // namespace stiction_test
