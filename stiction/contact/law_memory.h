#pragma once

#include <tuple>
#include <type_traits>

#include "stiction/math/vector.h"

namespace stiction {

/// What a law remembers of a contact is its own affair: a struct Law::Memory of numbers and vectors, all zero at first,
/// that lists its entries,
///     template <class Self> static auto entries(Self& m) { return std::tie(m.deflection, m.dwell); }
/// A law returns their rates in a struct of the same type. Where they stand in State::z, how many they are, and what
/// becomes of them when bodies touch and part, follows from that list. Names that mean something to others:
///     deflection  a vector of the contact plane: it is kept there and turns along with the contact frame
///     energy      stored by friction: what is left of it when bodies part is booked as dissipated
///     dwell       recorded, and set where contacts touch at the start
///     offset      of a relaxed depth: zero where contacts touch at the start
struct NoMemory {
  template <class Self>
  static std::tuple<> entries(Self&) {
    return {};
  }
};

namespace memory_detail {

constexpr int count(const double&) {
  return 1;
}
constexpr int count(const Vec3&) {
  return 3;
}
[[gnu::always_inline]] inline void load(const double*& from, double& to) {
  to = *from++;
}
[[gnu::always_inline]] inline void load(const double*& from, Vec3& to) {
  to = Vec3(from[0], from[1], from[2]);
  from += 3;
}
[[gnu::always_inline]] inline void store(const double& from, double*& to) {
  *to++ = from;
}
[[gnu::always_inline]] inline void store(const Vec3& from, double*& to) {
  to[0] = from.x(), to[1] = from.y(), to[2] = from.z();
  to += 3;
}
template <class... Entries>
constexpr int count_all(const std::tuple<Entries&...>*) {
  return (0 + ... + (std::is_same_v<std::remove_const_t<Entries>, double> ? 1 : 3));
}

}  // namespace memory_detail

/// How many numbers a memory is.
template <class Memory>
inline constexpr int memory_size =
    memory_detail::count_all(static_cast<decltype(Memory::entries(std::declval<Memory&>()))*>(nullptr));

template <class Memory>
[[gnu::always_inline]] inline Memory load_memory(const double* from) {
  Memory memory;
  std::apply([&](auto&... entry) { (memory_detail::load(from, entry), ...); }, Memory::entries(memory));
  return memory;
}
template <class Memory>
[[gnu::always_inline]] inline void store_memory(const Memory& memory, double* to) {
  std::apply([&](const auto&... entry) { (memory_detail::store(entry, to), ...); }, Memory::entries(memory));
}

template <class Memory>
concept HasDeflection = requires(Memory m) {
  m.deflection;
};
template <class Memory>
concept HasEnergy = requires(Memory m) {
  m.energy;
};
template <class Memory>
concept HasDwell = requires(Memory m) {
  m.dwell;
};
template <class Memory>
concept HasOffset = requires(Memory m) {
  m.offset;
};

/// Which of the numbers the energy is; -1: there is none.
template <class Memory>
int find_energy_entry() {
  int found = -1;
  if constexpr (HasEnergy<Memory>) {
    Memory memory;
    int place = 0;
    const auto look = [&](auto& entry) {
      if (static_cast<const void*>(&entry) == static_cast<const void*>(&memory.energy)) found = place;
      place += memory_detail::count(entry);
    };
    std::apply([&](auto&... entry) { (look(entry), ...); }, Memory::entries(memory));
  }
  return found;
}

}  // namespace stiction
