#include "stiction/geometry/broadphase.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

bool overlap(const Bounds& a, const Bounds& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}
bool contains(const Bounds& outer, const Bounds& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() && (inner.upper.array() <= outer.upper.array()).all();
}
Bounds join(const Bounds& a, const Bounds& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}
/// Half the surface: what the chance of being met by a query is proportional to.
double area(const Bounds& box) {
  const Vec3 d = box.upper - box.lower;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}
bool is_finite(const Bounds& box) {
  return box.lower.allFinite() && box.upper.allFinite();
}

}  // namespace

int Broadphase::take_node() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int node = free_.back();
  free_.pop_back();
  nodes_[static_cast<std::size_t>(node)] = Node{};
  return node;
}

void Broadphase::insert(int object, const Bounds& fat) {
  const int leaf = take_node();
  const auto at = [this](int i) -> Node& { return nodes_[static_cast<std::size_t>(i)]; };
  at(leaf).box = fat;
  at(leaf).object = object;
  leaf_of_[static_cast<std::size_t>(object)] = leaf;
  if (root_ < 0) {
    root_ = leaf;
    return;
  }
  // Go down to where joining costs least: the area added here against the area added on the way further down.
  int sibling = root_;
  while (at(sibling).object < 0) {
    const double own = area(at(sibling).box), joined = area(join(at(sibling).box, fat));
    const double here = 2 * joined, inherited = 2 * (joined - own);
    const auto cost = [&](int child) {
      const double grown = area(join(at(child).box, fat));
      return inherited + (at(child).object >= 0 ? grown : grown - area(at(child).box));
    };
    const double left = cost(at(sibling).left), right = cost(at(sibling).right);
    if (here < left && here < right) break;
    sibling = left <= right ? at(sibling).left : at(sibling).right;
  }
  const int parent = take_node(), above = at(sibling).parent;
  at(parent).parent = above;
  at(parent).left = sibling;
  at(parent).right = leaf;
  at(sibling).parent = parent;
  at(leaf).parent = parent;
  if (above < 0) {
    root_ = parent;
  } else {
    (at(above).left == sibling ? at(above).left : at(above).right) = parent;
  }
  refit(parent);
}

void Broadphase::remove(int leaf) {
  const auto at = [this](int i) -> Node& { return nodes_[static_cast<std::size_t>(i)]; };
  free_.push_back(leaf);
  const int parent = at(leaf).parent;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const int sibling = at(parent).left == leaf ? at(parent).right : at(parent).left, above = at(parent).parent;
  at(sibling).parent = above;
  free_.push_back(parent);
  if (above < 0) {
    root_ = sibling;
    return;
  }
  (at(above).left == parent ? at(above).left : at(above).right) = sibling;
  refit(above);
}

void Broadphase::refit(int node) {
  for (; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent) {
    rotate(node);
    Node& n = nodes_[static_cast<std::size_t>(node)];
    const Node &l = nodes_[static_cast<std::size_t>(n.left)], &r = nodes_[static_cast<std::size_t>(n.right)];
    n.box = join(l.box, r.box);
    n.height = 1 + std::max(l.height, r.height);
  }
}

/// Exchanges a child with a grandchild on the other side where that makes the other child smaller or the tree flatter.
void Broadphase::rotate(int node) {
  const auto at = [this](int i) -> Node& { return nodes_[static_cast<std::size_t>(i)]; };
  Node& n = at(node);
  double best_gain = 0;
  int best_child = -1, best_grandchild = -1;
  const auto consider = [&](int child, int other) {
    if (at(other).object >= 0) return;
    const double now = area(at(other).box);
    const int inner[2] = {at(other).left, at(other).right};
    for (int k = 0; k < 2; ++k) {
      const double after = area(join(at(child).box, at(inner[1 - k]).box));
      // Balance: a deep grandchild moves up even at some cost.
      const bool steep = at(other).height > at(child).height + 1 && at(inner[k]).height >= at(inner[1 - k]).height;
      const double gain = (now - after) + (steep ? 0.25 * now : 0);
      if (gain > best_gain) best_gain = gain, best_child = child, best_grandchild = inner[k];
    }
  };
  consider(n.left, n.right);
  consider(n.right, n.left);
  if (best_child < 0) return;
  const int other = at(best_grandchild).parent;
  (at(node).left == best_child ? at(node).left : at(node).right) = best_grandchild;
  (at(other).left == best_grandchild ? at(other).left : at(other).right) = best_child;
  at(best_grandchild).parent = node;
  at(best_child).parent = other;
  Node& o = at(other);
  o.box = join(at(o.left).box, at(o.right).box);
  o.height = 1 + std::max(at(o.left).height, at(o.right).height);
}

void Broadphase::query(int leaf) {
  const Node& mine = nodes_[static_cast<std::size_t>(leaf)];
  stack_.assign(1, root_);
  while (!stack_.empty()) {
    const int index = stack_.back();
    stack_.pop_back();
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (index == leaf || !overlap(node.box, mine.box)) continue;
    if (node.object >= 0) {
      found_.emplace_back(std::min(mine.object, node.object), std::max(mine.object, node.object));
    } else {
      stack_.push_back(node.left);
      stack_.push_back(node.right);
    }
  }
}

const std::vector<std::pair<int, int>>& Broadphase::update(const std::vector<Bounds>& boxes) {
  const int count = static_cast<int>(boxes.size());
  if (count < static_cast<int>(leaf_of_.size())) *this = Broadphase(margin_);
  leaf_of_.resize(boxes.size(), -1);
  moved_.assign(boxes.size(), 0);
  unbounded_.clear();
  const auto box_of = [&](int object) -> const Bounds& { return boxes[static_cast<std::size_t>(object)]; };
  // Objects that left their larger box are taken out and put in anew.
  for (int i = 0; i < count; ++i) {
    int& leaf = leaf_of_[static_cast<std::size_t>(i)];
    const bool finite = is_finite(box_of(i));
    if (!finite) unbounded_.push_back(i);
    if (leaf >= 0 && finite && contains(nodes_[static_cast<std::size_t>(leaf)].box, box_of(i))) continue;
    if (leaf >= 0) remove(leaf), moved_[static_cast<std::size_t>(i)] = 1;
    leaf = -1;
    if (!finite) continue;
    const double margin = margin_ * 0.5 * (box_of(i).upper - box_of(i).lower).norm();
    insert(i, {box_of(i).lower.array() - margin, box_of(i).upper.array() + margin});
    moved_[static_cast<std::size_t>(i)] = 1;
  }
  // Pairs of larger boxes: those of objects that stayed are still true; those of the others are looked up.
  found_.clear();
  for (int i = 0; i < count; ++i) {
    if (moved_[static_cast<std::size_t>(i)] && leaf_of_[static_cast<std::size_t>(i)] >= 0)
      query(leaf_of_[static_cast<std::size_t>(i)]);
  }
  if (std::find(moved_.begin(), moved_.end(), 1) != moved_.end()) {
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    std::erase_if(kept_, [&](const auto& pair) {
      return moved_[static_cast<std::size_t>(pair.first)] || moved_[static_cast<std::size_t>(pair.second)];
    });
    merged_.resize(kept_.size() + found_.size());
    std::merge(kept_.begin(), kept_.end(), found_.begin(), found_.end(), merged_.begin());
    kept_.swap(merged_);
  }
  // Report those whose own boxes meet.
  result_.clear();
  for (const auto& pair : kept_) {
    if (overlap(box_of(pair.first), box_of(pair.second))) result_.push_back(pair);
  }
  if (!unbounded_.empty()) {
    found_.clear();
    for (int u : unbounded_) {
      for (int i = 0; i < count; ++i) {
        const bool both_unbounded = leaf_of_[static_cast<std::size_t>(i)] < 0;
        if (i == u || (both_unbounded && i < u) || !overlap(box_of(u), box_of(i))) continue;
        found_.emplace_back(std::min(u, i), std::max(u, i));
      }
    }
    std::sort(found_.begin(), found_.end());
    merged_.resize(result_.size() + found_.size());
    std::merge(result_.begin(), result_.end(), found_.begin(), found_.end(), merged_.begin());
    result_.swap(merged_);
  }
  return result_;
}

}  // namespace stiction
