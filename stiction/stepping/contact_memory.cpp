#include "stiction/stepping/contact_memory.h"

namespace stiction {

void append_contact_memory(const ContactMemory& memory, std::vector<double>& numbers) {
  const Contact& place = memory.place;
  numbers.insert(numbers.end(),
                 {static_cast<double>(place.shape_a), static_cast<double>(place.shape_b),
                  static_cast<double>(place.point), memory.active ? 1.0 : 0.0, static_cast<double>(memory.mode)});
  numbers.insert(numbers.end(), memory.force.data(), memory.force.data() + 4);
  numbers.insert(numbers.end(), place.point_b.data(), place.point_b.data() + 3);
}

ContactMemory read_contact_memory(const double* numbers) {
  ContactMemory memory;
  memory.place.shape_a = static_cast<int>(numbers[0]);
  memory.place.shape_b = static_cast<int>(numbers[1]);
  memory.place.point = static_cast<int>(numbers[2]);
  memory.active = numbers[3] != 0;
  memory.mode = static_cast<ContactMode>(static_cast<int>(numbers[4]));
  memory.force = Eigen::Map<const Eigen::Vector4d>(numbers + 5);
  memory.place.point_b = Eigen::Map<const Vec3>(numbers + 9);
  return memory;
}

}  // namespace stiction
