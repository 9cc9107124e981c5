#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

/// Where something stands, in few bytes; Sources turns it into a SourcePlace.
struct Spot {
  int source = 0;  ///< index into Sources
  int line = 0;    ///< from 1
  int column = 0;  ///< in characters, from 1
  int length = 1;  ///< characters to underline
};

struct Member;

/// A value of a scene's text: what TOML says, members in the order of the file, each with its spot. It keeps the TOML
/// library out of the rest of the program, and it is what includes and overrides are merged into.
struct Node {
  enum class Kind { table, array, text, integer, real, flag, date };
  Kind kind = Kind::table;
  Spot spot;                    ///< of the value; of the key in the header for a [table]
  std::string text;             ///< text
  double number = 0;            ///< integer, real
  bool flag = false;            ///< flag
  std::vector<Member> members;  ///< table
  std::vector<Node> items;      ///< array

  bool is_table() const { return kind == Kind::table; }
  bool is_array() const { return kind == Kind::array; }
  bool is_text() const { return kind == Kind::text; }
  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  bool is_array_of(Kind wanted) const;  ///< an array with at least one item, all of that kind
};

struct Member {
  std::string key;
  Spot key_spot;
  Node value;
};

/// The member's value, or nullptr; also if the node is no table.
const Node* find_member(const Node& node, std::string_view key);
Node* find_member(Node& node, std::string_view key);

/// Values that are written. Whole numbers are integers, as a user writes them; -0.0 is not one.
Node make_number(double value);
Node make_numbers(const double* values, std::size_t count);
Node make_text(std::string text);
Node make_flag(bool flag);
Node make_array(std::vector<Node> items);
/// The same value, wherever it stands.
bool is_same(const Node& a, const Node& b);

/// What was found, for messages: `"15 mm"`, `-1`, `true`, `a table`, `an array of 3`. Long texts are cut.
std::string show(const Node& node);

/// "body.top" and "mass" give "body.top.mass"; a key that TOML needs quoted is quoted.
std::string join_path(std::string_view path, std::string_view key);

}  // namespace stiction
