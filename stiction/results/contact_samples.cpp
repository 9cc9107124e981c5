#include "stiction/results/contact_samples.h"

#include <limits>

namespace stiction {
namespace {

// A run may come from anywhere: -1 for what is no index.
int read_index(double number) {
  return number >= 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : -1;
}

}  // namespace

const std::vector<std::string>& contact_columns() {
  static const std::vector<std::string> columns = {
      "time",     "a",      "b",         "point",     "position.x", "position.y", "position.z", "normal.x", "normal.y",
      "normal.z", "gap",    "impulse.x", "impulse.y", "impulse.z",  "moment.x",   "moment.y",   "moment.z", "slip.x",
      "slip.y",   "slip.z", "mode",      "volume",    "area",       "extent.x",   "extent.y",   "extent.z"};
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
  put(contact.moment_impulse);
  put(contact.slip);
  rows.insert(rows.end(), {static_cast<double>(contact.mode), contact.volume, contact.area});
  put(contact.extent);
}

ContactSample read_contact_row(const double* row) {
  ContactSample sample;
  sample.t = row[0];
  ContactRecord& contact = sample.contact;
  contact.shape_a = read_index(row[1]);
  contact.shape_b = read_index(row[2]);
  contact.point = read_index(row[3]);
  contact.position = Eigen::Map<const Vec3>(row + 4);
  contact.normal = Eigen::Map<const Vec3>(row + 7);
  contact.gap = row[10];
  contact.impulse = Eigen::Map<const Vec3>(row + 11);
  contact.moment_impulse = Eigen::Map<const Vec3>(row + 14);
  contact.slip = Eigen::Map<const Vec3>(row + 17);
  contact.mode = row[20] == 1 ? ContactMode::stick : row[20] == 2 ? ContactMode::slip : ContactMode::open;
  contact.volume = row[21], contact.area = row[22];
  contact.extent = Eigen::Map<const Vec3>(row + 23);
  return sample;
}

}  // namespace stiction
