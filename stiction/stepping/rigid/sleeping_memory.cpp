#include "stiction/stepping/rigid/sleeping.h"

// What Sleeping keeps from step to step, as numbers: clocks and groups of all bodies, contacts, records.

namespace stiction {
namespace {

constexpr std::size_t record_size = 18;

void append_record(const ContactRecord& record, std::vector<double>& numbers) {
  const auto put = [&numbers](const Vec3& x) { numbers.insert(numbers.end(), x.data(), x.data() + 3); };
  numbers.insert(numbers.end(), {static_cast<double>(record.shape_a), static_cast<double>(record.shape_b),
                                 static_cast<double>(record.point), static_cast<double>(record.mode)});
  put(record.position);
  put(record.normal);
  put(record.impulse);
  put(record.moment_impulse);
  numbers.insert(numbers.end(), {record.gap, record.dwell});
}

ContactRecord read_record(const double* numbers) {
  ContactRecord record;
  record.shape_a = static_cast<int>(numbers[0]);
  record.shape_b = static_cast<int>(numbers[1]);
  record.point = static_cast<int>(numbers[2]);
  record.mode = static_cast<ContactMode>(static_cast<int>(numbers[3]));
  record.position = Eigen::Map<const Vec3>(numbers + 4);
  record.normal = Eigen::Map<const Vec3>(numbers + 7);
  record.impulse = Eigen::Map<const Vec3>(numbers + 10);
  record.moment_impulse = Eigen::Map<const Vec3>(numbers + 13);
  record.gap = numbers[16];
  record.dwell = numbers[17];
  return record;
}

}  // namespace

void Sleeping::save(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(), {static_cast<double>(contacts_.size()), static_cast<double>(records_.size())});
  numbers.insert(numbers.end(), rests_since_.begin(), rests_since_.end());
  for (const int group : group_) numbers.push_back(group);
  for (const ContactMemory& contact : contacts_) append_contact_memory(contact, layout_, numbers);
  for (const ContactRecord& record : records_) append_record(record, numbers);
}

void Sleeping::clear() {
  rests_since_.assign(rests_since_.size(), never);
  group_.assign(group_.size(), -1);
  asleep_.clear();
  contacts_.clear();
  records_.clear();
}

bool Sleeping::restore(const double* numbers, std::size_t count) {
  const std::size_t bodies = group_.size();
  const auto is_count = [&](double x) { return x >= 0 && x <= static_cast<double>(count); };
  if (count < 2 || !is_count(numbers[0]) || !is_count(numbers[1])) return false;
  const auto n_contacts = static_cast<std::size_t>(numbers[0]), n_records = static_cast<std::size_t>(numbers[1]);
  const std::size_t contact_size = layout_.size();
  if (count != 2 + 2 * bodies + n_contacts * contact_size + n_records * record_size) return false;
  numbers += 2;
  rests_since_.assign(numbers, numbers + bodies);
  numbers += bodies;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double group = *numbers++;
    if (!(group >= -1 && group < static_cast<double>(bodies))) return false;
    group_[b] = static_cast<int>(group);
  }
  contacts_.clear();
  const std::vector<ContactShape>& shapes = system_.contact.shapes;
  for (std::size_t i = 0; i < n_contacts; ++i, numbers += contact_size) {
    if (!is_contact_memory(numbers, layout_, shapes)) return false;
    contacts_.push_back(read_contact_memory(numbers, layout_));
  }
  records_.clear();
  for (std::size_t i = 0; i < n_records; ++i, numbers += record_size) {
    if (!is_index(numbers[0], shapes.size()) || !is_index(numbers[1], shapes.size()) || !is_mode(numbers[3]))
      return false;
    records_.push_back(read_record(numbers));
  }
  list_asleep();
  return true;
}

}  // namespace stiction
