#include "stiction/results/deepest_contact.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {
namespace {

bool has_signal(const RunReader& run, const std::string& name) {
  const auto& signals = run.signals();
  return std::any_of(signals.begin(), signals.end(), [&](const SignalInfo& info) { return info.name == name; });
}

std::string name_of_shape(const std::vector<std::string>& shapes, double index) {
  if (!(index >= 0 && index < static_cast<double>(shapes.size()))) return "unknown shape";
  return shapes[static_cast<std::size_t>(index)];
}

std::optional<DeepestContact> find_by_audit(const RunReader& run, const std::vector<std::string>& shapes) {
  const std::vector<double> depths = run.read("audit.penetration"), times = run.times();
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < std::min(depths.size(), times.size()); ++i) {
    if (depths[i] > (worst ? depths[*worst] : 0)) worst = i;
  }
  if (!worst) return std::nullopt;
  const double a = run.read("audit.worst_a")[*worst], b = run.read("audit.worst_b")[*worst];
  return DeepestContact{name_of_shape(shapes, a), name_of_shape(shapes, b), depths[*worst], times[*worst]};
}

std::optional<DeepestContact> find_by_contacts(const RunReader& run, const std::vector<std::string>& shapes) {
  std::optional<DeepestContact> worst;
  for (int part = 0; part < run.part_count(); ++part) {
    for (const ContactSample& sample : run.contacts(part)) {
      const ContactRecord& contact = sample.contact;
      if (!(-contact.gap > (worst ? worst->penetration : 0))) continue;
      worst = DeepestContact{name_of_shape(shapes, contact.shape_a), name_of_shape(shapes, contact.shape_b),
                             -contact.gap, sample.t};
    }
  }
  return worst;
}

}  // namespace

std::optional<DeepestContact> find_deepest_contact(const RunReader& run) {
  const std::vector<std::string> shapes = run.contact_shapes();
  for (const char* name : {"audit.penetration", "audit.worst_a", "audit.worst_b"}) {
    if (!has_signal(run, name)) return find_by_contacts(run, shapes);
  }
  return find_by_audit(run, shapes);
}

}  // namespace stiction
