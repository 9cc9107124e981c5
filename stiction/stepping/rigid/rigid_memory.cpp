#include "stiction/stepping/rigid/rigid_memory.h"

#include <cstring>

namespace stiction {

RigidMemory::Recall RigidMemory::read(const std::vector<double>& numbers) {
  const std::size_t bytes = sizeof(double) * numbers.size();
  if (is_read_ && numbers.size() == numbers_.size() &&
      (bytes == 0 || std::memcmp(numbers.data(), numbers_.data(), bytes) == 0))
    return Recall::same;
  contacts.clear();
  sleeping.clear();
  numbers_ = numbers;
  is_read_ = read_numbers(numbers);
  return is_read_ ? Recall::other : Recall::not_ours;
}

bool RigidMemory::read_numbers(const std::vector<double>& numbers) {
  if (numbers.empty()) return true;
  const double* next = numbers.data() + 1;
  const std::size_t size = model.memory_layout().size();
  const std::size_t left = numbers.size() - 1;
  if (!(numbers[0] >= 0) || numbers[0] > static_cast<double>(left / size)) return false;
  const auto count = static_cast<std::size_t>(numbers[0]);
  for (std::size_t i = 0; i < count; ++i, next += size) {
    if (!is_contact_memory(next, model.memory_layout(), model.system.contact.shapes)) return false;
    contacts.push_back(read_contact_memory(next, model.memory_layout()));
  }
  const std::size_t rest = left - count * size;
  return sleeping.is_on() ? sleeping.restore(next, rest) : rest == 0;
}

void RigidMemory::write(std::vector<double>& numbers) {
  numbers.clear();
  numbers.push_back(static_cast<double>(contacts.size()));
  for (const ContactMemory& entry : contacts) append_contact_memory(entry, model.memory_layout(), numbers);
  if (sleeping.is_on()) sleeping.save(numbers);
  numbers_ = numbers;
  is_read_ = true;
}

}  // namespace stiction
