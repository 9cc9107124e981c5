#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/scene/read/sources.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// What reading a scene carries along: where it is, what has been found wrong, where things stand.
class ReadContext {
 public:
  ReadContext(const Sources& sources, const Node& root, SourceMap& source_map, std::vector<Fault>& faults)
      : sources_(sources), root_(root), source_map_(source_map), faults_(faults) {}

  /// Adds a fault at the node (or spot) under the current path. After many faults reading stops with an InputError.
  void fail(const Spot& spot, std::string message, std::string hint = {});
  void fail(const Node& node, std::string message, std::string hint = {}) {
    fail(node.spot, std::move(message), std::move(hint));
  }
  /// Remembers where the current path stands.
  void record(const Spot& spot);

  /// How many faults there are so far.
  std::size_t fault_count() const { return faults_.size(); }

  const Node& root() const { return root_; }
  const std::string& path() const { return path_; }

  /// The `type` of the table being read; empty if it has none or none that is known.
  std::string type;
  /// Does the coordinate that the table being read acts on slide (true) or turn (false)? Nothing if that is unknown.
  std::optional<bool> slides;

  /// Extends the path, and keeps type and slides, for its lifetime.
  class Scope {
   public:
    Scope(ReadContext& context, std::string_view key);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ReadContext& context_;
    std::size_t path_size_;
    std::string type_;
    std::optional<bool> slides_;
  };

 private:
  const Sources& sources_;
  const Node& root_;
  SourceMap& source_map_;
  std::vector<Fault>& faults_;
  std::string path_;
};

}  // namespace stiction
