#pragma once

#include <vector>

#include "stiction/contact/contact_finder.h"
#include "stiction/stepping/contact_record.h"
#include "stiction/stepping/rigid/layer_step.h"

namespace stiction {

/// ContactMemory::dwell of contacts that slip or are open.
inline constexpr double not_sticking = -1;

/// What is known of a contact from the steps before.
struct ContactMemory {
  Contact place;
  Eigen::Vector4d force = Eigen::Vector4d::Zero();   ///< the last impulse over its h, along the rows' frame
  Eigen::Vector4d change = Eigen::Vector4d::Zero();  ///< of it from step to step, mean of the last steps
  double change_square = 0;                          ///< likewise, of the change's square
  bool active = false;                               ///< it had an impulse: loaded
  ContactMode mode = ContactMode::open;
  double dwell = not_sticking;        ///< s_dw of static friction (static_friction.h)
  std::array<LayerMemory, 2> layers;  ///< as ContactModel::find_layers lists them

  bool is_deflected() const { return layers[0].stored > 0 || layers[1].stored > 0; }
  bool comes_before(const ContactMemory& other) const { return place.comes_before(other.place); }
};

/// The changes of the steps before, and the last one, become those of `now`: means that fade by 0.8 a step,
///     c <- c + 0.2 (f - f_before - c),   s <- s + 0.2 (|f - f_before|^2 - s)                                   (1)
void follow_change(const ContactMemory& before, ContactMemory& now);

/// Extrapolated warm start: the force of a ball that spins on in a pile turns steadily, and the forces around it with
/// it.
///     f + p c,   p = max(0, 2 |c|^2 / s - 1)                                                                   (2)
/// |c|^2 / s is 1 where all changes are alike, 1/9 on average where they are chance, as what a solver leaves over.
Eigen::Vector4d calc_expected_force(const ContactMemory& memory);

/// What of it a checkpoint keeps: enough to find it again and to guess from; layers and dwell states where a system has
/// any.
struct MemoryLayout {
  bool layers = false, dwell = false;
  constexpr std::size_t size() const { return 17 + (dwell ? 1 : 0) + (layers ? 12 : 0); }
};
void append_contact_memory(const ContactMemory& memory, MemoryLayout layout, std::vector<double>& numbers);
ContactMemory read_contact_memory(const double* numbers, MemoryLayout layout);
/// Can the numbers be those of a contact of these shapes? Two of them, of which one moves freely at least; all finite.
bool is_contact_memory(const double* numbers, MemoryLayout layout, const std::vector<ContactShape>& shapes);
/// Is a number the index of one of so many, or of a mode?
inline bool is_index(double number, std::size_t count) {
  return number >= 0 && number < static_cast<double>(count);
}
inline bool is_mode(double number) {
  return is_index(number, 3);
}

}  // namespace stiction
