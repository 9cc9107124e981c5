#include "stiction/stepping/rigid/contact_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/index.h"

namespace stiction {

void follow_change(const ContactMemory& before, ContactMemory& now) {
  constexpr double fresh_part = 0.2;
  const Eigen::Vector4d change = now.force - before.force;
  now.change = before.change + fresh_part * (change - before.change);
  now.change_square = before.change_square + fresh_part * (change.squaredNorm() - before.change_square);
}

Eigen::Vector4d calc_expected_force(const ContactMemory& memory) {
  const double square = memory.change.squaredNorm();
  if (2 * square <= memory.change_square) return memory.force;
  return memory.force + (2 * square / memory.change_square - 1) * memory.change;
}

void append_contact_memory(const ContactMemory& memory, MemoryLayout layout, std::vector<double>& numbers) {
  const Contact& place = memory.place;
  numbers.insert(numbers.end(),
                 {static_cast<double>(place.shape_a), static_cast<double>(place.shape_b),
                  static_cast<double>(place.point), memory.active ? 1.0 : 0.0, static_cast<double>(memory.mode)});
  numbers.insert(numbers.end(), memory.force.data(), memory.force.data() + 4);
  numbers.insert(numbers.end(), place.point_b.data(), place.point_b.data() + 3);
  numbers.insert(numbers.end(), memory.change.data(), memory.change.data() + 4);
  numbers.push_back(memory.change_square);
  if (layout.dwell) numbers.push_back(memory.dwell);
  if (!layout.layers) return;
  for (const LayerMemory& layer : memory.layers)
    numbers.insert(numbers.end(), {layer.normal, layer.shear.x(), layer.shear.y(), layer.shear.z(), layer.stored,
                                   layer.on_core ? 1.0 : 0.0});
}

ContactMemory read_contact_memory(const double* numbers, MemoryLayout layout) {
  ContactMemory memory;
  memory.place.shape_a = static_cast<int>(numbers[0]);
  memory.place.shape_b = static_cast<int>(numbers[1]);
  memory.place.point = static_cast<int>(numbers[2]);
  memory.active = numbers[3] != 0;
  memory.mode = static_cast<ContactMode>(static_cast<int>(numbers[4]));
  memory.force = Eigen::Map<const Eigen::Vector4d>(numbers + 5);
  memory.place.point_b = Eigen::Map<const Vec3>(numbers + 9);
  memory.change = Eigen::Map<const Eigen::Vector4d>(numbers + 12);
  memory.change_square = numbers[16];
  if (layout.dwell) memory.dwell = numbers[17];
  if (!layout.layers) return memory;
  numbers += MemoryLayout{.dwell = layout.dwell}.size();
  for (LayerMemory& layer : memory.layers) {
    layer = {numbers[0], Vec3(numbers[1], numbers[2], numbers[3]), numbers[4], numbers[5] != 0};
    numbers += 6;
  }
  return memory;
}

bool is_contact_memory(const double* numbers, MemoryLayout layout, const std::vector<ContactShape>& shapes) {
  if (!std::all_of(numbers, numbers + layout.size(), [](double x) { return std::isfinite(x); })) return false;
  const double a = numbers[0], b = numbers[1], point = numbers[2];
  if (!is_index(a, shapes.size()) || !is_index(b, shapes.size()) || !is_mode(numbers[4])) return false;
  if (std::abs(point) > static_cast<double>(std::numeric_limits<int>::max())) return false;
  return a < b && (shapes[at(static_cast<int>(a))].moves_freely || shapes[at(static_cast<int>(b))].moves_freely);
}

}  // namespace stiction
