#pragma once

#include <utility>
#include <vector>

#include "stiction/geometry/shape/surface.h"

namespace stiction {

/// Which pairs of many boxes overlap. A dynamic tree of boxes (insertion by surface area and rotations: Catto, "Dynamic
/// Bounding Volume Hierarchies", GDC 2019): every object's leaf holds a box a little larger than its own, so that an
/// object that moves little costs nothing but a comparison; pairs of such larger boxes are kept from call to call.
///
/// What is reported depends on the given boxes alone, not on the history: exactly the pairs whose boxes touch or
/// overlap, as (i, j), i < j, ascending. Unbounded boxes are kept out of the tree and meet everything that their sides
/// allow. Cost of an update: n comparisons, and log n for every object that left its larger box; no allocation once
/// settled.
class Broadphase {
 public:
  /// `margin`: by how much a leaf's box is larger, relative to the object's own half diagonal.
  explicit Broadphase(double margin = 0.1) : margin_(margin) {}

  /// The boxes of all objects now; objects are known by their index. The result is valid until the next call.
  const std::vector<std::pair<int, int>>& update(const std::vector<Bounds>& boxes);

 private:
  struct Node {
    Bounds box;
    int parent = -1, left = -1, right = -1;
    int object = -1;  ///< leaves only
    int height = 0;
  };
  int take_node();
  void insert(int object, const Bounds& fat);
  void remove(int leaf);
  void refit(int node);
  void rotate(int node);
  /// Adds to `found_` every pair of the leaf with a leaf whose box it overlaps.
  void query(int leaf);

  double margin_;
  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = -1;
  std::vector<int> leaf_of_;  ///< object -> node; -1: unbounded
  std::vector<int> unbounded_;
  std::vector<char> moved_;
  std::vector<std::pair<int, int>> kept_;  ///< pairs of larger boxes, ascending
  std::vector<std::pair<int, int>> found_, merged_, result_;
  std::vector<int> stack_;
};

}  // namespace stiction
