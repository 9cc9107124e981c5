#pragma once

#include "stiction/stepping/rigid/contact_search.h"

namespace stiction {

/// The contacts of an island through a step: which of them are the same place as before, what they remember. A place is
/// known by its pair and its point's id; since ids change where another feature of the pair takes over, else by the
/// nearest point of the pair within RigidTolerances::same_place_part.
class ContactTracker {
 public:
  ContactTracker(const RigidModel& model, ContactSearch& search);

  void begin(const Island& island);

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

  const RigidModel& model_;
  ContactSearch& search_;
  const Island* island_ = nullptr;
  std::vector<ContactMemory> memory_, guesses_;
  Start start_;
  std::vector<int> root_, loaded_;  ///< of clusters
  /// Where a search begins; no result depends on it.
  mutable std::size_t next_memory_ = 0, next_guess_ = 0, next_start_ = 0;
};

}  // namespace stiction
