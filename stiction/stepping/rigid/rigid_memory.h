#pragma once

#include "stiction/stepping/rigid/sleeping.h"

namespace stiction {

/// What a step takes over from the steps before: what contacts remember, and who sleeps. State::memory has it as
/// numbers: how many contacts, their ContactMemory, and where bodies may sleep, the numbers of Sleeping::save.
struct RigidMemory {
  explicit RigidMemory(const RigidModel& of) : model(of), sleeping(of) {}
  const RigidModel& model;
  Sleeping sleeping;
  std::vector<ContactMemory> contacts;  ///< ascending

  enum class Recall { same, other, not_ours };
  /// From the memory of a state. `same`: nothing has changed; `not_ours`: it belongs to another system.
  Recall read(const std::vector<double>& numbers);
  void write(std::vector<double>& numbers);
  /// A step is on its way: what is here is that of no state.
  void change() { is_read_ = false; }

 private:
  bool read_numbers(const std::vector<double>& numbers);

  std::vector<double> numbers_;  ///< of which this was read, or that were written last
  bool is_read_ = true;          ///< does this hold what numbers_ do?
};

}  // namespace stiction
