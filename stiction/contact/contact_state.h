#pragma once

#include <algorithm>
#include <array>
#include <variant>

#include "stiction/contact/friction_law.h"
#include "stiction/contact/normal_law.h"

namespace stiction {

/// Room for what any of the laws remembers (law_memory.h).
template <class Laws>
struct MemorySizes;
template <class... Law>
struct MemorySizes<std::variant<Law...>> {
  static constexpr std::array<int, sizeof...(Law)> of = {memory_size<typename Law::Memory>...};
  static constexpr int largest = std::max({memory_size<typename Law::Memory>...});
};

/// What a compliant contact remembers, as numbers: those of its friction law, those of its normal law, and of patches
/// with volume the work that the elastic force has taken (volume_contact.h) [J]. Plain data, zero at first. They change
/// where bodies touch or part (begin_contact, end_contact), and are integrated along with the motion.
struct ContactState {
  bool touching = false;
  std::array<double, MemorySizes<FrictionLaw>::largest> friction = {};
  std::array<double, MemorySizes<NormalLaw>::largest> normal = {};
  double elastic = 0;

  /// As what one of the laws remembers: state.get<FrictionBristle>().dwell.
  template <class Law>
  typename Law::Memory get() const {
    return load_memory<typename Law::Memory>(place_of<Law>(*this));
  }
  template <class Law>
  void set(const typename Law::Memory& memory) {
    store_memory(memory, place_of<Law>(*this));
  }

 private:
  template <class Law, class Self>
  static auto place_of(Self& state) {
    if constexpr (std::is_constructible_v<FrictionLaw, Law>) {
      return state.friction.data();
    } else {
      return state.normal.data();
    }
  }
};

/// Rates of the same numbers.
struct ContactStateRate {
  std::array<double, MemorySizes<FrictionLaw>::largest> friction = {};
  std::array<double, MemorySizes<NormalLaw>::largest> normal = {};
  double elastic = 0;
};

/// One explicit Euler step.
inline void advance_contact_state(const ContactStateRate& rate, double h, ContactState& state) {
  for (std::size_t i = 0; i < rate.friction.size(); ++i) state.friction[i] += h * rate.friction[i];
  for (std::size_t i = 0; i < rate.normal.size(); ++i) state.normal[i] += h * rate.normal[i];
  state.elastic += h * rate.elastic;
}

/// Where the parts of a state or of its rates stand: in the structs above, or one behind the other in State::z.
template <class Number>
struct ContactNumbers {
  Number *friction, *normal, *elastic;
};
using ContactStateView = ContactNumbers<const double>;
using ContactRateView = ContactNumbers<double>;
inline ContactStateView view(const ContactState& state) {
  return {state.friction.data(), state.normal.data(), &state.elastic};
}
inline ContactRateView view(ContactStateRate& rate) {
  return {rate.friction.data(), rate.normal.data(), &rate.elastic};
}

/// How many numbers of State::z a contact takes: what its laws remember, friction first; one more of patches.
struct ContactStateLayout {
  int friction = 0, normal = 0;
  bool volume = false;
  int energy = -1;  ///< which one is the energy that friction stores; -1: none

  int size() const { return friction + normal + (volume ? 1 : 0); }
  int elastic() const { return volume ? friction + normal : -1; }
  template <class Number>
  ContactNumbers<Number> place(Number* first) const {
    return {first, first + friction, first + friction + normal};
  }
};

}  // namespace stiction
