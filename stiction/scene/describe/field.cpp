#include "stiction/scene/describe/field.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/read/other_names.h"

namespace stiction {
namespace {

bool has_field(const TableInfo& info, const std::string& name) {
  return std::any_of(info.fields.begin(), info.fields.end(),
                     [&](const FieldInfo& field) { return field.name == name; });
}

std::vector<std::string> list_keys(const TableInfo& info, const std::string& type) {
  std::vector<std::string> keys;
  if (!info.types.empty()) keys.push_back(info.type_key);
  for (const FieldInfo& field : info.fields) {
    if (field.applies_to(type)) keys.push_back(field.name);
  }
  return keys;
}

/// What other tables call the key; not if many have such a key, which says little. Empty if none has.
std::string make_foreign_hint(const std::string& key) {
  constexpr std::size_t most_tables = 2;
  for (const OtherName& entry : find_other_names(key)) {
    std::vector<std::string> headings;
    for (const TableInfo* table : list_tables())
      if (has_field(*table, std::string(entry.name))) headings.push_back(table->heading);
    if (!headings.empty() && headings.size() <= most_tables)
      return fmt::format("here this is called {} and belongs to {}", quote(entry.name), join_words(headings, " or "));
  }
  return {};
}

/// What this table calls the key; else the table that it begins, or the tables that know it; else the nearest key.
std::string make_key_hint(const std::string& key, const TableInfo& info, const std::string& type) {
  if (std::string hint = make_other_name_hint(key, list_keys(info, type)); !hint.empty()) return hint;
  // Not for keys such as "a", which say little.
  std::vector<std::string> headings;
  for (const TableInfo* other : list_tables()) {
    if (other->heading == "[" + key + "]")
      return fmt::format("{} is a table of its own: {}", quote(key), other->heading);
    if (key.size() > 2 && has_field(*other, key)) headings.push_back(other->heading);
  }
  if (!headings.empty()) return fmt::format("{} belongs to {}", quote(key), join_words(headings, " or "));
  if (std::string hint = make_foreign_hint(key); !hint.empty()) return hint;
  return make_hint(key, list_keys(info, type));
}

/// Is a key there whose hint is this field? Then it is not told a second time as missing.
bool is_misnamed(const FieldInfo& field, const Node& node, const TableInfo& info, const std::string& type) {
  return std::any_of(node.members.begin(), node.members.end(), [&](const Member& member) {
    if (has_field(info, member.key)) return false;
    return stands_for(member.key, field.name) || find_nearest_word(member.key, list_keys(info, type)) == field.name;
  });
}

/// Reads `type`; an unknown word leaves the type empty, so that no field is called inapplicable because of it.
std::string read_type(ReadContext& context, const Node& node, const TableInfo& info) {
  if (info.types.empty()) return {};
  const Node* type = find_member(node, info.type_key);
  if (type) {
    const ReadContext::Scope scope(context, info.type_key);
    context.record(type->spot);
    return word(info.list_types(), info.other_types).read(context, *type).value_or("");
  }
  if (info.default_type.empty()) {
    context.fail(node, quote(info.type_key) + " is missing", "one of: " + join_words(info.list_types(), ", "));
  }
  return info.default_type;
}

bool has_key(const TableInfo& info, const std::string& type, const std::string& key) {
  const std::vector<std::string> keys = list_keys(info, type);
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// A type that is not written is the default, unless keys are there that only others have: one fault for all of them.
bool check_default_type(ReadContext& context, const Node& node, const TableInfo& info) {
  if (info.default_type.empty() || find_member(node, info.type_key)) return true;
  std::vector<std::string> strays, types = info.list_types();
  const Member* first = nullptr;
  for (const Member& member : node.members) {
    if (!has_field(info, member.key)) continue;
    std::erase_if(types, [&](const std::string& type) { return !has_key(info, type, member.key); });
    if (has_key(info, info.default_type, member.key)) continue;
    strays.push_back(member.key);
    if (!first) first = &member;
  }
  if (!first) return true;
  context.fail(first->key_spot,
               fmt::format("{} {} not apply to {} {}", join_words(quote_all(strays)),
                           strays.size() == 1 ? "does" : "do", info.type_key, quote(info.default_type)),
               types.empty() ? "" : fmt::format("write {} = {}", info.type_key, join_words(quote_all(types), " or ")));
  return false;
}

void check_key(ReadContext& context, const Member& member, const TableInfo& info) {
  if (member.key == info.type_key && !info.types.empty()) return;
  // A name may stand for several fields, each for other types.
  bool known = false;
  std::vector<std::string> types;
  for (const FieldInfo& field : info.fields) {
    if (field.name != member.key) continue;
    if (field.applies_to(context.type)) return;
    known = true;
    types.insert(types.end(), field.types.begin(), field.types.end());
  }
  if (known) {
    context.fail(member.key_spot,
                 fmt::format("{} does not apply to {} {}", quote(member.key), info.type_key, quote(context.type)),
                 fmt::format("it applies to {}", join_words(types)));
  } else {
    context.fail(member.key_spot, fmt::format("there is no key {}", quote(member.key)),
                 make_key_hint(member.key, info, context.type));
  }
}

}  // namespace

FieldInfo& FieldInfo::must_be_given() {
  required = true;
  return *this;
}

FieldInfo& FieldInfo::always_written() {
  written = true;
  return *this;
}

FieldInfo& FieldInfo::by_default(std::string_view text) {
  default_text = text;
  return *this;
}

FieldInfo& FieldInfo::by_formula(std::string_view text, std::string_view source) {
  formula = text;
  paper = source;
  return *this;
}

bool FieldInfo::applies_to(const std::string& type) const {
  return types.empty() || type.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

TypeInfos::TypeInfos(std::initializer_list<TypeText> texts) {
  for (const TypeText& text : texts)
    list.push_back(
        {std::string(text.name), std::string(text.sentence), std::string(text.formula), std::string(text.paper)});
}

TypeNames::TypeNames(std::initializer_list<std::string_view> names) : list(names.begin(), names.end()) {}

std::vector<std::string> TableInfo::list_types() const {
  std::vector<std::string> names;
  for (const TypeInfo& type : types) names.push_back(type.name);
  return names;
}

bool check_table(ReadContext& context, const Node& node, const TableInfo& info) {
  if (!node.is_table()) {
    context.fail(node, fmt::format("expected a table, got {}", show(node)));
    context.type = info.default_type;
    return false;
  }
  // The type before the keys: which keys are allowed depends on it.
  context.type = read_type(context, node, info);
  if (!check_default_type(context, node, info)) context.type.clear();
  for (const Member& member : node.members) check_key(context, member, info);
  return true;
}

void check_missing(ReadContext& context, const Node& node, const TableInfo& info) {
  // Without a known type nobody can say which of the typed fields it needs.
  const bool type_unknown = !info.types.empty() && context.type.empty();
  for (const FieldInfo& field : info.fields) {
    if (type_unknown && !field.types.empty()) continue;
    if (!field.required || !field.applies_to(context.type) || find_member(node, field.name)) continue;
    if (is_misnamed(field, node, info, context.type)) continue;
    context.fail(node, fmt::format("{} is missing", quote(field.name)),
                 fmt::format("{}: {}", field.meaning, field.sentence));
  }
}

TableDescription::TableDescription(std::string_view heading, std::string_view sentence) {
  info_.heading = heading;
  info_.sentence = sentence;
}

FieldInfo& TableDescription::add_field(const TypeNames& types, std::string_view name, std::string_view meaning,
                                       std::string_view range, std::string default_text) {
  FieldInfo& info = info_.fields.emplace_back();
  info.name = name;
  info.meaning = meaning;
  info.range = range;
  info.default_text = std::move(default_text);
  info.types = types.list;
  return info;
}

void TableDescription::add_taken_before(std::string_view name, std::string_view meaning, std::string_view sentence) {
  add_field({}, name, meaning, {}, {}).sentence = sentence;
  add_access(nullptr);
}

void TableDescription::read_fields(ReadContext& context, const Node& node, void* spec) const {
  if (prepare_) prepare_(context, node);
  for (const Member& member : node.members) {
    for (std::size_t i = 0; i < access_.size(); ++i) {
      const FieldInfo& field = info_.fields[i];
      if (field.name != member.key || !field.applies_to(context.type)) continue;
      // Without a known type nobody can say what the field would be.
      if (!field.types.empty() && context.type.empty()) continue;
      const ReadContext::Scope scope(context, member.key);
      context.record(member.value.spot);
      if (access_[i]) access_[i]->read(context, member.value, spec);
    }
  }
  check_missing(context, node, info_);
}

void TableDescription::write_fields(void* spec, void* start, const std::string& type, bool all, Node& table) const {
  for (std::size_t i = 0; i < access_.size(); ++i) {
    const FieldInfo& field = info_.fields[i];
    if (!access_[i] || !field.applies_to(type)) continue;
    std::optional<Node> node = access_[i]->write(spec, all);
    if (!node) continue;
    const bool always = all || field.required || field.written || access_[i]->is_optional();
    const std::optional<Node> default_node = always ? std::nullopt : access_[i]->write(start, all);
    if (default_node && is_same(*node, *default_node)) continue;
    table.members.push_back({field.name, {}, std::move(*node)});
  }
}

}  // namespace stiction
