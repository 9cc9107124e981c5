#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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
  FieldInfo& by_default(std::string_view text);
  FieldInfo& by_formula(std::string_view text, std::string_view source = {});
  bool applies_to(const std::string& type) const;
};

struct TypeInfo {
  std::string name;
  std::string sentence;
  std::string formula = {};  ///< may be empty
  std::string paper = {};    ///< with equation numbers; may be empty
};

/// Types as descriptions write them: lists of literals, which become strings in one function. (Descriptions are the
/// layer's largest part; strings made in each of them, and code for each struct, took half of its compile time.)
struct TypeText {
  std::string_view name, sentence, formula = {}, paper = {};
};
struct TypeInfos {
  TypeInfos(std::initializer_list<TypeText> texts);
  TypeInfos(std::vector<TypeInfo> types) : list(std::move(types)) {}  // NOLINT(google-explicit-constructor): the same
  std::vector<TypeInfo> list;
};
struct TypeNames {
  TypeNames() = default;
  TypeNames(std::initializer_list<std::string_view> names);
  TypeNames(const std::vector<std::string>& names) : list(names) {}  // NOLINT(google-explicit-constructor): the same
  std::vector<std::string> list;
};

/// What there is to say of a table without knowing the struct.
struct TableInfo {
  std::string heading;  ///< "[joint.NAME]"
  std::string sentence;
  std::vector<TypeInfo> types;    ///< choices of the key `type`; empty = there is no such key
  std::string type_key = "type";  ///< or as it is called here: `law`
  std::string default_type;       ///< empty = `type` must be given
  std::string other_types;        ///< hint for a type that is none of them, nor near one; may be empty
  std::vector<FieldInfo> fields;
  std::string example;  ///< TOML; may be empty

  std::vector<std::string> list_types() const;
};

/// Checks keys and types before the values are read. Sets context.type; false if the node is no table.
bool check_table(ReadContext& context, const Node& node, const TableInfo& info);
/// Faults for mandatory fields that are absent.
void check_missing(ReadContext& context, const Node& node, const TableInfo& info);

/// Reads a field into its struct and writes it from there. `spec` is the struct.
class FieldAccess {
 public:
  virtual ~FieldAccess() = default;
  virtual void read(ReadContext& context, const Node& node, void* spec) const = 0;
  virtual std::optional<Node> write(void* spec, bool all) const = 0;
  /// Is a member without a value what stands for "not given"? Then any value is written.
  virtual bool is_optional() const = 0;
};

/// `Access`: a pointer to member, or a function from Spec& to the member's reference.
template <class Spec, class Access, class T>
class FieldOf final : public FieldAccess {
 public:
  using Member = std::remove_reference_t<std::invoke_result_t<Access, Spec&>>;
  FieldOf(Access access, ValueType<T>& value)
      : access_(access), read_(std::move(value.read)), write_(std::move(value.write)) {}

  void read(ReadContext& context, const Node& node, void* spec) const override {
    if (auto result = read_(context, node)) member(spec) = std::move(*result);
  }
  std::optional<Node> write(void* spec, bool all) const override {
    if constexpr (std::is_same_v<Member, std::optional<T>>) {
      return member(spec) ? write_(*member(spec), all) : std::nullopt;
    } else {
      return write_(member(spec), all);
    }
  }
  bool is_optional() const override { return std::is_same_v<Member, std::optional<T>>; }

 private:
  Member& member(void* spec) const { return std::invoke(access_, *static_cast<Spec*>(spec)); }

  Access access_;
  decltype(ValueType<T>::read) read_;
  decltype(ValueType<T>::write) write_;
};

/// The part of a description that is the same for all structs.
class TableDescription {
 public:
  /// A key that is taken out of the tree before the table is read, and only described here.
  void add_taken_before(std::string_view name, std::string_view meaning, std::string_view sentence);
  void set_hint_of_other_types(std::string_view hint) { info_.other_types = hint; }
  /// Called before the fields are read, with the table; may set context.slides.
  void set_prepare(std::function<void(ReadContext&, const Node&)> prepare) { prepare_ = std::move(prepare); }
  void set_example(std::string_view example) { info_.example = example; }

  const TableInfo& info() const { return info_; }

 protected:
  TableDescription(std::string_view heading, std::string_view sentence);
  FieldInfo& add_field(const TypeNames& types, std::string_view name, std::string_view meaning, std::string_view range,
                       std::string default_text);
  void add_access(std::unique_ptr<FieldAccess> access) { access_.push_back(std::move(access)); }
  void read_fields(ReadContext& context, const Node& node, void* spec) const;
  /// `start`: the struct as it is before reading.
  void write_fields(void* spec, void* start, const std::string& type, bool all, Node& table) const;

  TableInfo info_;

 private:
  std::vector<std::unique_ptr<FieldAccess>> access_;  ///< of each field; null for one that is taken before
  std::function<void(ReadContext&, const Node&)> prepare_;
};

template <class Spec>
class Description : public TableDescription {
 public:
  Description(std::string_view heading, std::string_view sentence) : TableDescription(heading, sentence) {}

  /// The table has a key `type` with these words; `type_of` finds that of a struct, `start` makes the struct for one.
  void set_types(TypeInfos types, std::function<std::string(const Spec&)> type_of,
                 std::function<Spec(const std::string&)> start, std::string_view default_type = {},
                 std::string_view key = "type") {
    type_of_ = std::move(type_of);
    info_.type_key = key;
    info_.types = std::move(types.list);
    info_.default_type = default_type;
    start_ = std::move(start);
  }

  /// `access`: see FieldOf.
  template <class Access, class T>
  FieldInfo& add(std::string_view name, Access access, ValueType<T> value, std::string_view sentence) {
    return add_for(TypeNames(), name, access, std::move(value), sentence);
  }
  /// A field that only some types have.
  template <class Access, class T>
  FieldInfo& add_for(const TypeNames& types, std::string_view name, Access access, ValueType<T> value,
                     std::string_view sentence) {
    // The default is whatever the struct holds before reading.
    Spec initial = start_(types.list.empty() ? info_.default_type : types.list.front());
    STICTION_CHECK(value.write);
    FieldInfo& info =
        add_field(types, name, value.meaning, value.range, format_default(value, std::invoke(access, initial)));
    info.sentence = sentence;
    add_access(std::make_unique<FieldOf<Spec, Access, T>>(access, value));
    return info;
  }

  /// Called after the fields are read: what concerns several fields at once.
  void set_check(std::function<void(ReadContext&, const Node&, Spec&)> check) { check_ = std::move(check); }

  Spec read(ReadContext& context, const Node& node) const {
    if (!check_table(context, node, info_)) return start_(info_.default_type);
    Spec spec = start_(context.type);
    read_fields(context, node, &spec);
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
    write_fields(&values, &start, type, all, table);
    return table;
  }

 private:
  template <class T>
  static std::string format_default(const ValueType<T>& value, const T& initial) {
    return value.format ? value.format(initial) : std::string();
  }
  template <class T>
  static std::string format_default(const ValueType<T>& value, const std::optional<T>& initial) {
    return initial ? format_default(value, *initial) : std::string();
  }

  std::function<Spec(const std::string&)> start_ = [](const std::string&) { return Spec{}; };
  std::function<std::string(const Spec&)> type_of_;
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
