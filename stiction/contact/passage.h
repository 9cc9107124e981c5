#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stiction/contact/contact_finder.h"

namespace stiction {

/// Two bodies overlap on their way between two configurations, deeper than at either.
struct Passage {
  double part = 1;   ///< of the way: where it was seen first [-]
  double depth = 0;  ///< the deepest overlap that was seen [m]
  int shape_a = -1, shape_b = -1;
};

/// Finds bodies that pass through one another, or cut through one another's corner, between two configurations that do
/// not show it. On the way from X_0 to X_1 a body's origin goes straight and it turns by the shortest rotation:
///     p(s) = p_0 + s (p_1 - p_0),   R(s) = exp(s log(R_1 R_0')) R_0,   0 <= s <= 1                             (1)
/// A pair passes if at some s of (1) its gap is below that at both ends by more than is allowed:
///   the normal reversed (n_0'n_1 < 0): a tenth of `part` of the thickness, that is the shortest edge of the box about
///     the thinner body, whatever layers they have, and below that at the start alone;
///   else `part` of the size of the smaller body, and the theta^2 r / 8 by which (1) leaves the chords of its points
///     (a body that turns by theta, with points up to r from its origin).
/// A point has neither size nor thickness: those of the other body count.
/// Found by bounds first: the way is too short; or a plane that separates two convex bodies at both ends separates them
/// on the chords. What they leave is followed by conservative advancement (B. Mirtich, Impulse-based dynamic simulation
/// of rigid body systems, 1996, section 2.3): by gap / D at a time, D the length of the way of the nearest points at
/// most, and by no less than a quarter of the thickness and D / 16.
///
/// LIMITS: A body turns by less than pi on the way (the step sees to it). Overlaps shorter than a quarter of the
/// thickness along the way, or thinner walls in a cell with complements, may be missed; so may such that last less than
/// a 1024th of the way. Unbounded shapes cannot be passed: a half-space is on the far side of nothing, a bore has a
/// convex inside.
class PassageSearch {
 public:
  PassageSearch(const ContactModel& model, double part);

  /// The way starts here. Only `bodies` move on it; all others stay.
  void begin(std::span<const int> bodies, const std::vector<Transform>& X_WB);
  /// And ends there: the first passage on it, of pairs with contacts at one of its ends at least. Both lists ascend as
  /// Contact::comes_before.
  std::optional<Passage> find(const std::vector<Transform>& X_WB, const std::vector<Contact>& at_start,
                              const std::vector<Contact>& at_end);
  /// The same where it ends as the velocities at its start would lead in h. That end is none that was found: an overlap
  /// there counts, too, of more than a quarter of the thickness; the normal at such depths may be that of another side.
  std::optional<Passage> find_ahead(const std::vector<Vec6>& V_WB, double h, const std::vector<Contact>& at_start);

 private:
  struct Motion {
    double angle = 0;
    Vec3 turn = Vec3::Zero();  ///< log(R_1 R_0')
  };
  /// What a pair is at one end of the way: its nearest points.
  struct End {
    bool known = false;
    double gap = 0;  ///< [m]
    Vec3 normal = Vec3::Zero();
  };
  struct Pair {
    int a = 0, b = 0, rule = 0;
    End start = {}, end = {};
    double allowed = 0;              ///< overlap [m]
    double way = 0;                  ///< D [m]
    double thickness = 0, size = 0;  ///< [m]
  };
  void list_pairs(const std::vector<Contact>& at_start, const std::vector<Contact>& at_end);
  std::optional<Passage> find_first();
  bool is_slow(Pair& pair) const;
  bool is_shallow(Pair& pair) const;
  ClosestPoints calc_points(const Pair& pair, double s) const;
  bool is_separated(const Pair& pair) const;
  std::optional<Passage> follow(const Pair& pair) const;
  double calc_plane_gap(const Pair& pair, const Vec3& normal, double s) const;
  double calc_layers(const Pair& pair) const;
  double calc_arm(int shape) const;
  Transform calc_pose(int shape, double s) const;

  const ContactModel& model_;
  double part_;
  bool has_layers_;
  bool is_ahead_ = false;           ///< the way is a prediction
  std::vector<ShapeBound> bounds_;  ///< one a shape
  std::vector<int> bodies_;
  std::vector<Transform> start_, end_;  ///< of bodies
  std::vector<Motion> motion_;          ///< of bodies; null of those that stay
  std::vector<Pair> pairs_;
};

}  // namespace stiction
