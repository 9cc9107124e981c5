#pragma once

#include <utility>
#include <vector>

#include "stiction/contact/contact_model.h"
#include "stiction/contact/pair_bound.h"
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

/// A pair of shapes that was looked at, and which of the contacts found are its own.
struct FoundPair {
  int a = 0, b = 0, rule = 0;
  double margin = 0;       ///< gaps up to this are listed [m]
  int begin = 0, end = 0;  ///< in FoundContacts::contacts
  bool certified = true;   ///< these are all there are, see calc_contact_points

  bool comes_before(const FoundPair& other) const { return std::pair(a, b) < std::pair(other.a, other.b); }
};

/// Contacts at one configuration, ascending as Contact::comes_before, and their pairs, ascending likewise.
struct FoundContacts {
  std::vector<Contact> contacts;
  std::vector<FoundPair> pairs;
  void clear() {
    contacts.clear();
    pairs.clear();
  }
};

/// The exact contact points of pairs (closest.h) whose bounds are within the margin. What it returns depends on the
/// poses alone.
class NarrowPhase {
 public:
  explicit NarrowPhase(const ContactModel& model);
  /// Other poses of the bodies from now on.
  void place(const std::vector<Transform>& X_WB);
  /// Appends the contacts of a pair with gaps up to `margin`, and the pair where there are any or where that is not
  /// certified; `keep_empty`: in any case. Where both shapes move in x-y only, points that differ in z alone are one,
  /// and normals lie in x-y.
  void add_pair(int a, int b, int rule, double margin, bool keep_empty, FoundContacts& found);
  const Transform& pose(int shape);

 private:
  bool is_planar(int shape) const;

  const ContactModel& model_;
  std::vector<ShapeBound> bounds_;  ///< one a shape
  const std::vector<Transform>* X_WB_ = nullptr;
  std::vector<Transform> X_WS_;
  std::vector<int> placed_;  ///< at which call
  int call_ = 0;
  std::vector<ContactPoint> points_;
};

/// Finds the contacts of a model: broadphase on boxes, then the exact contact points of each pair. What it returns
/// depends on the poses alone; what it remembers from call to call only saves time. Pairs without a rule are listed
/// apart: what to do about them is the caller's affair.
class ContactFinder {
 public:
  explicit ContactFinder(const ContactModel& model);

  /// As a reach: the shape has none of its own, and pairs of two such shapes are not looked at.
  static constexpr double dormant = -1;
  /// Contacts with a gap of at most reach[a] + reach[b]; reach: one a shape [m].
  const FoundContacts& update(const std::vector<Transform>& X_WB, const std::vector<double>& reach);
  /// Of the last update: pairs within reach for which there is no rule.
  const std::vector<std::pair<int, int>>& pairs_without_rule() const { return without_rule_; }
  /// Contacts that the next update need not find again, where its margin is the same: found at its poses. They must
  /// live until then.
  void give_known(const FoundContacts& found);

 private:
  struct Pair {
    int a = 0, b = 0;
    int rule = 0;
  };
  struct Known {
    const FoundPair* pair = nullptr;
    const FoundContacts* found = nullptr;
  };
  bool copy_known(int a, int b, double margin, std::size_t& next);

  const ContactModel& model_;
  Broadphase broadphase_;
  NarrowPhase narrow_;
  std::vector<Bounds> boxes_;
  std::vector<Pair> pairs_, known_rules_;
  std::vector<Known> known_;
  std::vector<std::pair<int, int>> without_rule_;
  FoundContacts found_;
};

}  // namespace stiction
