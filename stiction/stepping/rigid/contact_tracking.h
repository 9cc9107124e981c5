#pragma once

#include "stiction/stepping/rigid/island.h"
#include "stiction/stepping/rigid/island_state.h"

namespace stiction {

/// The contacts of an island through a step: where they are at a configuration, which of them are the same place as
/// before, what they remember. A place is known by its pair and its point's id; since ids change where another feature
/// of the pair takes over, else by the nearest point of the pair within RigidTolerances::same_place_part.
class ContactTracker {
 public:
  explicit ContactTracker(const RigidModel& model);

  /// Where the step starts.
  struct Begin {
    const IslandState& state;
    const Kinematics& kinematics;      ///< of the whole scene there
    const std::vector<double>& reach;  ///< of all shapes, within which the island's pairs were sought [m]
  };
  void begin(const Island& island, const Begin& start, const Sleeping& sleeping);

  // Finding
  /// All contacts that a motion at twice the present speeds, and free fall, could close within h.
  void find(const Kinematics& kinematics, double h, FoundContacts& found);
  /// Of a state within a whole step. What was found last is kept while the state is the same, and after an impact
  /// unless that made a body so fast that it could leave its reach.
  const FoundContacts& find(const IslandState& state);
  /// Is that what find(state) knows?
  bool is_found(const VecX& q, const VecX& v) const {
    return found_q_.size() == q.size() && found_q_ == q && found_v_ == v;
  }
  /// What find(state) knows goes to `found`; the tracker has to begin anew.
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

  // Matching
  const ContactMemory* find_memory(const Contact& contact) const;
  bool was_loaded(const Contact& contact) const {
    const ContactMemory* memory = find_memory(contact);
    return memory && memory->active;
  }
  const ContactMemory* find_start_guess(const Contact& contact) const;
  const Contact* find_start(const Contact& contact) const;
  const Contact* find_in(const std::vector<Contact>& list, const Contact& contact, std::size_t& next) const;
  /// Has its time of impact to be located? Those that are open at the start of the (sub)step, of laws that ask for it.
  bool is_to_be_located(const Contact& contact) const;
  /// How near to 0 a gap is where its impact may act [m].
  double calc_touching_gap(const Contact& contact, double speed) const;

  /// From the origins of the bodies to their points [m].
  struct Arms {
    Vec3 a, b;
  };
  /// The contacts at the start of a (sub)step, their normal velocities, and whether an impact would act on them.
  struct Start {
    std::vector<Contact> contacts;
    std::vector<Arms> arms, own_arms;  ///< in world axes, in those of the bodies
    std::vector<char> alone;           ///< no other point of its pair is held
    std::vector<double> speeds;
    std::vector<char> touches;
    std::vector<char> held;  ///< touches, or was loaded before
  };
  void look_at_start(const IslandState& state);
  const Start& start() const { return start_; }

  std::vector<ContactMemory>& memory() { return memory_; }    ///< ascending
  std::vector<ContactMemory>& guesses() { return guesses_; }  ///< by the solve before in this (sub)step; ascending
  /// Loaded contacts of the largest group of clusters that lean on one another.
  int count_loaded();

 private:
  template <class T, class GetPlace>
  const T* find_place(const std::vector<T>& list, const Contact& contact, const GetPlace& get_place,
                      std::size_t& next) const;
  void update_reach(const Kinematics& kinematics, double h);
  double reach_of(int shape, const Kinematics& kinematics, double h) const;
  void add_pairs_of(int shape, double reach, const Kinematics& kinematics);
  Bounds calc_box(int shape, double reach);
  bool is_absent(int shape) const;
  void find_pairs(const Kinematics& kinematics, FoundContacts& found);

  const RigidModel& model_;
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
  std::vector<ContactMemory> memory_, guesses_;
  Start start_;
  std::vector<int> root_, loaded_;  ///< of clusters
  /// Where a search begins; no result depends on it.
  mutable std::size_t next_memory_ = 0, next_guess_ = 0, next_start_ = 0;
};

}  // namespace stiction
