#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stiction/scene/read/sources.h"

namespace stiction {

/// `include = ["arm.toml"]` at the top of a file: the tables of the other file become part of this one. Paths are
/// relative to the including file and stay inside the folder of the main file.

struct IncludeWord {
  std::string word;  ///< as written
  Spot spot;
};
/// Takes `include` out of the root table. Words that are no text are faults.
std::vector<IncludeWord> take_includes(Node& root, const Sources& sources, std::vector<Fault>& faults);

/// The name under which an included file is kept: beside the including file, "." and "a/.." removed. Nothing, and a
/// fault, if the word is absolute, leads out of `folder` (that of the main file) or is empty.
std::optional<std::string> resolve_include(const IncludeWord& include, const Sources& sources,
                                           const std::string& folder, std::vector<Fault>& faults);

/// Folder part of a file's name: "examples/top.toml" gives "examples"; "" if there is none.
std::string folder_of(const std::string& name);

/// Adds the members of `from` to `into`, tables into tables. A value that both have is a fault that names both places.
void merge_tables(Node& into, Node&& from, const Sources& sources, std::vector<Fault>& faults);

/// Visits the main file and what it includes, each file once, includes before the file that names them.
/// `open` gives the source of a file by name, or nothing after adding a fault.
class IncludeWalk {
 public:
  using Open = std::function<std::optional<int>(const std::string& name, const IncludeWord* include)>;
  IncludeWalk(Sources& sources, std::vector<Fault>& faults, Open open)
      : sources_(sources), faults_(faults), open_(std::move(open)) {}

  /// The merged tree. Faults, syntax included, are in the list given to the constructor.
  Node run(const std::string& main_name);
  /// Did every file parse? If not, the tree lacks tables and what they would explain.
  bool complete() const { return complete_; }

 private:
  void visit(const std::string& name, const IncludeWord* include, Node& tree);
  void fail(const IncludeWord& include, std::string message, std::string hint = {});

  Sources& sources_;
  std::vector<Fault>& faults_;
  Open open_;
  std::string folder_;
  std::vector<std::string> open_names_, done_names_;
  bool complete_ = true;
};

}  // namespace stiction
