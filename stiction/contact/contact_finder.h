#pragma once

#include <utility>
#include <vector>

#include "stiction/contact/contact_model.h"
#include "stiction/geometry/broadphase.h"
#include "stiction/geometry/closest/closest.h"

namespace stiction {

/// A place where two shapes touch or nearly do.
struct Contact {
  int shape_a = 0, shape_b = 0;  ///< indices into ContactModel::shapes; a < b
  int point = 0;                 ///< which of the pair's points: the same while the same features touch
  int rule = 0;                  ///< index into ContactModel::rules
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< on the surfaces, world [m]
  Vec3 normal = Vec3::UnitZ();                          ///< from A to B
  double gap = 0;                                       ///< > 0 apart [m]
  bool certified = true;                                ///< the gap, see ClosestPoints::certified

  bool same_place(const Contact& other) const {
    return shape_a == other.shape_a && shape_b == other.shape_b && point == other.point;
  }
  /// By shapes, then by point.
  bool comes_before(const Contact& other) const {
    if (shape_a != other.shape_a) return shape_a < other.shape_a;
    if (shape_b != other.shape_b) return shape_b < other.shape_b;
    return point < other.point;
  }
};

/// Finds the contacts of a model: broadphase on boxes, then the exact contact points of each pair (closest.h). What it
/// returns depends on the poses alone; what it remembers from call to call only saves time. Pairs without a rule are
/// listed apart: what to do about them is the caller's affair.
class ContactFinder {
 public:
  explicit ContactFinder(const ContactModel& model);

  /// As a reach: the shape has none of its own, and pairs of two such shapes are not looked at.
  static constexpr double dormant = -1;
  /// Contacts with a gap of at most reach[a] + reach[b], in the order of Contact::comes_before; reach: one a shape [m].
  /// With `planar` (all bodies move in x-y) points of a pair that differ only in z are one, and normals lie in x-y.
  const std::vector<Contact>& update(const std::vector<Transform>& X_WB, const std::vector<double>& reach, bool planar);
  /// Of the last update: pairs within reach for which there is no rule.
  const std::vector<std::pair<int, int>>& pairs_without_rule() const { return without_rule_; }

 private:
  void add_pair(int a, int b, int rule, double margin, const std::vector<Transform>& X_WS, bool planar);

  struct Pair {
    int a = 0, b = 0;
    int rule = 0;
  };
  const ContactModel& model_;
  Broadphase broadphase_;
  std::vector<Transform> X_WS_;
  std::vector<Bounds> boxes_;
  std::vector<Pair> pairs_, known_;
  std::vector<std::pair<int, int>> without_rule_;
  std::vector<ContactPoint> points_;
  std::vector<Contact> contacts_;
};

}  // namespace stiction
