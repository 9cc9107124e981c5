#pragma once

#include <string>
#include <vector>

#include "stiction/stepping/contact_record.h"

namespace stiction {

/// The contacts of one recording time, as the step that ended there left them. In the run they are rows of 26 numbers
/// (docs/run-format.md): time, a, b, point, position x y z, normal x y z, gap, impulse x y z, moment impulse x y z,
/// slip x y z, mode (0 open, 1 stick, 2 slip). a and b are the names of `contact_shape` by their ids.
struct ContactSample {
  double t = 0;
  ContactRecord contact;
};
inline constexpr int contact_row_size = 26;

/// Names of the columns, in their order, as a CSV export shows them.
const std::vector<std::string>& contact_columns();
void append_contact_row(double t, const ContactRecord& contact, std::vector<double>& rows);
/// `row`: contact_row_size numbers.
ContactSample read_contact_row(const double* row);

}  // namespace stiction
