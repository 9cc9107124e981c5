#include "stiction/results/contact_samples.h"

namespace stiction {

const std::vector<std::string>& contact_columns() {
  static const std::vector<std::string> columns = {"time",       "a",          "b",         "point",     "position.x",
                                                   "position.y", "position.z", "normal.x",  "normal.y",  "normal.z",
                                                   "gap",        "impulse.x",  "impulse.y", "impulse.z", "spin",
                                                   "slip.x",     "slip.y",     "slip.z",    "mode"};
  return columns;
}

void append_contact_row(double t, const ContactRecord& contact, std::vector<double>& rows) {
  const auto put = [&rows](const Vec3& x) { rows.insert(rows.end(), x.data(), x.data() + 3); };
  rows.insert(rows.end(), {t, static_cast<double>(contact.shape_a), static_cast<double>(contact.shape_b),
                           static_cast<double>(contact.point)});
  put(contact.position);
  put(contact.normal);
  rows.push_back(contact.gap);
  put(contact.impulse);
  rows.push_back(contact.spin_impulse);
  put(contact.slip);
  rows.push_back(static_cast<double>(contact.mode));
}

ContactSample read_contact_row(const double* row) {
  ContactSample sample;
  sample.t = row[0];
  ContactRecord& contact = sample.contact;
  contact.shape_a = static_cast<int>(row[1]);
  contact.shape_b = static_cast<int>(row[2]);
  contact.point = static_cast<int>(row[3]);
  contact.position = Eigen::Map<const Vec3>(row + 4);
  contact.normal = Eigen::Map<const Vec3>(row + 7);
  contact.gap = row[10];
  contact.impulse = Eigen::Map<const Vec3>(row + 11);
  contact.spin_impulse = row[14];
  contact.slip = Eigen::Map<const Vec3>(row + 15);
  contact.mode = static_cast<ContactMode>(static_cast<int>(row[18]));
  return sample;
}

}  // namespace stiction
