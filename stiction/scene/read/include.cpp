#include "stiction/scene/read/include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_map>

#include "stiction/base/text.h"
#include "stiction/scene/read/guard.h"
#include "stiction/scene/read/parse_toml.h"

namespace stiction {
namespace {

std::string show_place(const Sources& sources, const Spot& spot) {
  return fmt::format("{}:{}:{}", sources.name(spot.source), spot.line, spot.column);
}

void merge_at(Node& into, Node&& from, const std::string& path, const Sources& sources, std::vector<Fault>& faults) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < into.members.size(); ++i) index.emplace(into.members[i].key, i);
  for (Member& member : from.members) {
    const auto found = index.find(member.key);
    if (found == index.end()) {
      into.members.push_back(std::move(member));
      continue;
    }
    Member& present = into.members[found->second];
    const std::string member_path = join_path(path, member.key);
    if (present.value.is_table() && member.value.is_table()) {
      merge_at(present.value, std::move(member.value), member_path, sources, faults);
    } else {
      faults.push_back({sources.place(member.key_spot), member_path,
                        fmt::format("is already given at {}", show_place(sources, present.key_spot)),
                        "remove one of the two"});
    }
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<IncludeWord> take_includes(Node& root, const Sources& sources, std::vector<Fault>& faults) {
  const auto member =
      std::find_if(root.members.begin(), root.members.end(), [](const Member& m) { return m.key == "include"; });
  if (member == root.members.end()) return {};
  const Node value = std::move(member->value);
  root.members.erase(member);
  std::vector<IncludeWord> includes;
  const auto take = [&](const Node& node) {
    if (node.is_text()) {
      includes.push_back({node.text, node.spot});
    } else {
      faults.push_back({sources.place(node.spot), "include",
                        fmt::format("expected the name of a file, got {}", show(node)),
                        "write include = [\"arm.toml\"]"});
    }
  };
  if (value.is_array()) {
    for (const Node& item : value.items) take(item);
  } else {
    take(value);
  }
  return includes;
}

std::string folder_of(const std::string& name) {
  return std::filesystem::path(name).parent_path().generic_string();
}

std::optional<std::string> resolve_include(const IncludeWord& include, const Sources& sources,
                                           const std::string& folder, std::vector<Fault>& faults) {
  const auto fail = [&](std::string message, std::string hint) {
    faults.push_back({sources.place(include.spot), "include", std::move(message), std::move(hint)});
    return std::nullopt;
  };
  const std::filesystem::path word(include.word);
  if (include.word.empty() || include.word.size() > 255 || include.word.find('\0') != std::string::npos) {
    return fail("expected the name of a file", "write include = [\"arm.toml\"]");
  }
  if (word.is_absolute()) {
    return fail(fmt::format("{} is an absolute path", quote(include.word)),
                "a scene can only include files of its own folder");
  }
  const std::filesystem::path file =
      (std::filesystem::path(folder_of(sources.name(include.spot.source))) / word).lexically_normal();
  const std::filesystem::path inside = file.lexically_relative(std::filesystem::path(folder).lexically_normal());
  const bool has_parent = std::find(word.begin(), word.end(), "..") != word.end();
  if (has_parent || (!folder.empty() && (inside.empty() || *inside.begin() == ".."))) {
    return fail(fmt::format("{} may lead out of the scene's folder", quote(include.word)),
                "a scene can only include files of its own folder");
  }
  if (!file.has_filename() || file.filename() == ".") {
    return fail(fmt::format("{} is not a file", quote(include.word)), "write include = [\"arm.toml\"]");
  }
  return file.generic_string();
}

void merge_tables(Node& into, Node&& from, const Sources& sources, std::vector<Fault>& faults) {
  merge_at(into, std::move(from), {}, sources, faults);
}

void IncludeWalk::fail(const IncludeWord& include, std::string message, std::string hint) {
  faults_.push_back({sources_.place(include.spot), "include", std::move(message), std::move(hint)});
  complete_ = false;
}

Node IncludeWalk::run(const std::string& main_name) {
  folder_ = folder_of(main_name);
  Node tree;
  visit(std::filesystem::path(main_name).lexically_normal().generic_string(), nullptr, tree);
  return tree;
}

void IncludeWalk::visit(const std::string& name, const IncludeWord* include, Node& tree) {
  if (contains(open_names_, name)) return fail(*include, fmt::format("{} includes itself", quote(include->word)));
  if (contains(done_names_, name)) return;
  if (open_names_.size() + done_names_.size() >= most_files) {
    return fail(*include, fmt::format("a scene has at most {} files", most_files));
  }
  const auto source = open_(name, include);
  if (!source) {
    complete_ = false;
    return;
  }
  auto parsed = parse_toml(sources_, *source);
  if (const Fault* fault = std::get_if<Fault>(&parsed)) {
    faults_.push_back(*fault);
    complete_ = false;
    return;
  }

  // First the included tables, then this file's own.
  Node& root = std::get<Node>(parsed);
  open_names_.push_back(name);
  for (const IncludeWord& word : take_includes(root, sources_, faults_)) {
    const std::size_t before = faults_.size();
    if (const auto file = resolve_include(word, sources_, folder_, faults_)) visit(*file, &word, tree);
    if (faults_.size() > before) complete_ = false;
  }
  open_names_.pop_back();
  done_names_.push_back(name);
  if (include == nullptr) tree.spot = root.spot;
  merge_tables(tree, std::move(root), sources_, faults_);
}

}  // namespace stiction
