#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/scene/read/value.h"

namespace stiction {

/// The one description of a table of a scene file: its fields, each with name, kind of value, default, range and one
/// sentence. Reading, writing, faults, hints and the reference all come from it; defaults come from the struct that is
/// filled.

struct FieldInfo {
  std::string name;
  std::string meaning;       ///< kind of value: "length [m]"
  std::string range;         ///< "> 0"; may be empty
  std::string default_text;  ///< as a user would write it; may be empty
  std::string sentence;
  std::vector<std::string> types;  ///< it applies to these types only; empty = to all
  bool required = false;
  std::string formula = {};  ///< the equation it stands in; may be empty
  std::string paper = {};    ///< where that comes from: "stewart-trinkle-2000, eq. 13"; may be empty
  bool written = false;      ///< also where it is the default, as its presence says something

  FieldInfo& must_be_given();
  FieldInfo& always_written();
  FieldInfo& by_default(std::string text);
  FieldInfo& by_formula(std::string text, std::string source = {});
  bool applies_to(const std::string& type) const;
};

struct TypeInfo {
  std::string name;
  std::string sentence;
  std::string formula = {};  ///< may be empty
  std::string paper = {};    ///< with equation numbers; may be empty
};

/// What there is to say of a table without knowing the struct.
struct TableInfo {
  std::string heading;  ///< "[joint.NAME]"
  std::string sentence;
  std::vector<TypeInfo> types;    ///< choices of the key `type`; empty = there is no such key
  std::string type_key = "type";  ///< or as it is called here: `law`
  std::string default_type;       ///< empty = `type` must be given
  std::vector<FieldInfo> fields;
  std::string example;  ///< TOML; may be empty

  std::vector<std::string> list_types() const;
};

/// Checks keys and types before the values are read. Sets context.type; false if the node is no table.
bool check_table(ReadContext& context, const Node& node, const TableInfo& info);
/// Faults for mandatory fields that are absent.
void check_missing(ReadContext& context, const Node& node, const TableInfo& info);

template <class Spec>
class Description {
 public:
  Description(std::string heading, std::string sentence) {
    info_.heading = std::move(heading);
    info_.sentence = std::move(sentence);
  }

  /// The table has a key `type` with these words; `type_of` finds that of a struct, `start` makes the struct for one.
  void set_types(std::vector<TypeInfo> types, std::function<std::string(const Spec&)> type_of,
                 std::function<Spec(const std::string&)> start, std::string default_type = {},
                 std::string key = "type") {
    type_of_ = std::move(type_of);
    info_.type_key = std::move(key);
    info_.types = std::move(types);
    info_.default_type = std::move(default_type);
    start_ = std::move(start);
  }

  /// `access`: a pointer to member, or a function from Spec& to the member's reference.
  template <class Access, class T>
  FieldInfo& add(const std::string& name, Access access, ValueType<T> value, std::string sentence) {
    return add_for({}, name, access, std::move(value), std::move(sentence));
  }
  /// A field that only some types have.
  template <class Access, class T>
  FieldInfo& add_for(std::vector<std::string> types, const std::string& name, Access access, ValueType<T> value,
                     std::string sentence) {
    // The default is whatever the struct holds before reading.
    Spec initial = start_(types.empty() ? info_.default_type : types.front());
    std::string default_text = format_default(value, std::invoke(access, initial));
    info_.fields.push_back(
        {name, value.meaning, value.range, std::move(default_text), std::move(sentence), std::move(types)});
    STICTION_CHECK(value.write);
    writers_.push_back([access, write = std::move(value.write)](Spec& spec, Spec& start, const WriteChoice& choice) {
      return write_unless_default(write, std::invoke(access, spec), std::invoke(access, start), choice);
    });
    readers_.push_back([access, read = std::move(value.read)](ReadContext& context, const Node& node, Spec& spec) {
      if (auto result = read(context, node)) std::invoke(access, spec) = std::move(*result);
    });
    return info_.fields.back();
  }

  /// A key that is taken out of the tree before the table is read, and only described here.
  void add_taken_before(const std::string& name, std::string meaning, std::string sentence) {
    info_.fields.push_back({name, std::move(meaning), {}, {}, std::move(sentence), {}});
    readers_.push_back([](ReadContext&, const Node&, Spec&) {});
    writers_.push_back([](Spec&, Spec&, const WriteChoice&) { return std::optional<Node>(); });
  }

  /// Called before the fields are read, with the table; may set context.slides.
  void set_prepare(std::function<void(ReadContext&, const Node&)> prepare) { prepare_ = std::move(prepare); }
  /// Called after the fields are read: what concerns several fields at once.
  void set_check(std::function<void(ReadContext&, const Node&, Spec&)> check) { check_ = std::move(check); }
  void set_example(std::string example) { info_.example = std::move(example); }

  const TableInfo& info() const { return info_; }

  Spec read(ReadContext& context, const Node& node) const {
    if (!check_table(context, node, info_)) return start_(info_.default_type);
    Spec spec = start_(context.type);
    if (prepare_) prepare_(context, node);
    for (const Member& member : node.members) {
      for (std::size_t i = 0; i < readers_.size(); ++i) {
        const FieldInfo& field = info_.fields[i];
        if (field.name != member.key || !field.applies_to(context.type)) continue;
        // Without a known type nobody can say what the field would be.
        if (!field.types.empty() && context.type.empty()) continue;
        const ReadContext::Scope scope(context, member.key);
        context.record(member.value.spot);
        readers_[i](context, member.value, spec);
      }
    }
    check_missing(context, node, info_);
    if (check_) check_(context, node, spec);
    return spec;
  }

  /// The table that read() makes this struct of. Defaults are left out, but for what its types and rules need; `all`:
  /// they are written, too.
  Node write(const Spec& spec, bool all) const {
    Node table;
    const std::string type = type_of_ ? type_of_(spec) : std::string();
    if (type_of_ && (all || type != info_.default_type)) table.members.push_back({info_.type_key, {}, make_text(type)});
    Spec values = spec, start = start_(type);
    for (std::size_t i = 0; i < writers_.size(); ++i) {
      const FieldInfo& field = info_.fields[i];
      if (!field.applies_to(type)) continue;
      auto node = writers_[i](values, start, {.all = all, .always = all || field.required || field.written});
      if (node) table.members.push_back({field.name, {}, std::move(*node)});
    }
    return table;
  }

 private:
  struct WriteChoice {
    bool all = false;     ///< of tables within
    bool always = false;  ///< also where it is the default
  };
  template <class Write, class T>
  static std::optional<Node> write_unless_default(const Write& write, const T& value, const T& initial,
                                                  const WriteChoice& choice) {
    std::optional<Node> node = write(value, choice.all);
    if (!node || choice.always) return node;
    const std::optional<Node> default_node = write(initial, choice.all);
    return default_node && is_same(*node, *default_node) ? std::nullopt : node;
  }
  template <class Write, class T>
  static std::optional<Node> write_unless_default(const Write& write, const std::optional<T>& value,
                                                  const std::optional<T>&, const WriteChoice& choice) {
    return value ? write(*value, choice.all) : std::nullopt;
  }

  template <class T>
  static std::string format_default(const ValueType<T>& value, const T& initial) {
    return value.format ? value.format(initial) : std::string();
  }
  template <class T>
  static std::string format_default(const ValueType<T>& value, const std::optional<T>& initial) {
    return initial ? format_default(value, *initial) : std::string();
  }

  TableInfo info_;
  std::function<Spec(const std::string&)> start_ = [](const std::string&) { return Spec{}; };
  std::function<std::string(const Spec&)> type_of_;
  std::vector<std::function<void(ReadContext&, const Node&, Spec&)>> readers_;
  std::vector<std::function<std::optional<Node>(Spec&, Spec&, const WriteChoice&)>> writers_;
  std::function<void(ReadContext&, const Node&)> prepare_;
  std::function<void(ReadContext&, const Node&, Spec&)> check_;
};

/// A field that is itself a table. `description` must outlive the result.
template <class Spec>
ValueType<Spec> table(const Description<Spec>& description) {
  return {"table, see " + description.info().heading,
          {},
          [&description](ReadContext& context, const Node& node) -> std::optional<Spec> {
            return description.read(context, node);
          },
          {},
          [&description](const Spec& spec, bool all) { return std::optional(description.write(spec, all)); }};
}

}  // namespace stiction
