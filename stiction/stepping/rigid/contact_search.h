#pragma once

#include "stiction/stepping/rigid/island.h"
#include "stiction/stepping/rigid/island_state.h"
#include "stiction/stepping/step_profile.h"

namespace stiction {

/// Where the contacts of an island are at a configuration. Pairs are those found for the step at its start, within the
/// reach of each shape; a body that gets faster than its reach (an impact, a correction) has its pairs sought anew.
class ContactSearch {
 public:
  ContactSearch(const RigidModel& model, StepProfile& profile);

  /// Where the step starts.
  struct Begin {
    const IslandState& state;
    const Kinematics& kinematics;      ///< of the whole scene there
    const std::vector<double>& reach;  ///< of all shapes, within which the island's pairs were sought [m]
  };
  void begin(const Island& island, const Begin& start, const Sleeping& sleeping);

  /// All contacts that a motion at twice the present speeds, and free fall, could close within h.
  void find(const Kinematics& kinematics, double h, FoundContacts& found);
  /// Of a state within a whole step. What was found last is kept while the state is the same, and after an impact
  /// unless that made a body so fast that it could leave its reach.
  const FoundContacts& find(const IslandState& state);
  /// Is that what find(state) knows?
  bool is_found(const VecX& q, const VecX& v) const {
    return found_q_.size() == q.size() && found_q_ == q && found_v_ == v;
  }
  /// What find(state) knows goes to `found`; the search has to begin anew.
  void take_found(FoundContacts& found);
  Kinematics& at_state() { return at_state_; }  ///< of the last find(state)

  /// Shapes that leave a (sub)step of length h, with the velocities of `kinematics`, faster than contacts were sought
  /// for: `found` becomes what a reach of that speed holds. Returns whether there are any.
  bool extend(const Kinematics& kinematics, double h, FoundContacts& found);
  /// Bodies are displaced by the velocities of `kinematics` times 1 s, at its positions.
  void allow_displacement(const Kinematics& kinematics);
  struct Extension {
    int shape = 0;
    double reach = 0;           ///< [m]
    bool meets_driven = false;  ///< a driven body is there that the island does not have: it must be found anew
  };
  /// Shapes whose pairs had to be sought farther than Begin::reach: other islands may be there.
  const std::vector<Extension>& extensions() const { return extensions_; }

 private:
  void update_reach(const Kinematics& kinematics, double h);
  double reach_of(int shape, const Kinematics& kinematics, double h) const;
  void add_pairs_of(int shape, double reach, const Kinematics& kinematics);
  Bounds calc_box(int shape, double reach);
  bool is_absent(int shape) const;
  void find_pairs(const Kinematics& kinematics, FoundContacts& found);

  const RigidModel& model_;
  StepProfile& profile_;
  const Island* island_ = nullptr;
  const Sleeping* sleeping_ = nullptr;
  const Kinematics* at_begin_ = nullptr;              ///< Begin::kinematics
  const std::vector<double>* begin_reach_ = nullptr;  ///< Begin::reach
  NarrowPhase narrow_;
  Kinematics at_state_;
  std::vector<FoundPair> pairs_;     ///< candidates, ascending
  std::vector<double> known_reach_;  ///< of all shapes: within which pairs were sought
  std::vector<double> reach_;        ///< of all shapes: within which contacts were sought last
  std::vector<Extension> extensions_;
  FoundContacts found_;
  std::vector<double> found_reach_;
  VecX found_q_, found_v_;
};

}  // namespace stiction
