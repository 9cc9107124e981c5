#pragma once

#include <vector>

#include "stiction/contact/contact_finder.h"
#include "stiction/stepping/contact_record.h"

namespace stiction {

/// What is known of a contact from the step before.
struct ContactMemory {
  Contact place;
  Eigen::Vector4d force = Eigen::Vector4d::Zero();  ///< guess of the next impulse over its h, along the rows' frame
  bool active = false;                              ///< it bore an impulse
  ContactMode mode = ContactMode::open;

  bool comes_before(const ContactMemory& other) const { return place.comes_before(other.place); }
};

/// What of it a checkpoint keeps: enough to find it again and to guess from.
inline constexpr std::size_t contact_memory_size = 12;
void append_contact_memory(const ContactMemory& memory, std::vector<double>& numbers);
ContactMemory read_contact_memory(const double* numbers);

}  // namespace stiction
