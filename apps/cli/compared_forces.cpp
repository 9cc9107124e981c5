#include "apps/cli/compared_forces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "stiction/results/pair_names.h"

#include "apps/cli/comparison_table.h"

namespace stiction::cli {
namespace {

using PairForce = ComparedRun::PairForce;

PairForce& find_or_add(const std::string& pair, ComparedRun& run) {
  const auto found = std::find_if(run.forces.begin(), run.forces.end(),
                                  [&](const PairForce& force) { return order_pair(force.pair) == order_pair(pair); });
  if (found != run.forces.end()) return *found;
  run.forces.push_back({.pair = pair});
  return run.forces.back();
}

void read_contacts(const PairNames& names, ComparedRun& run) {
  const std::vector<std::string> shapes = run.reader->contact_shapes();
  struct Force {
    double normal = 0;
    Vec3 tangential = Vec3::Zero();
  };
  std::map<std::string, std::map<double, Force>> by_pair;
  for (int part = 0; part < run.reader->part_count(); ++part) {
    for (const ContactSample& sample : run.reader->contacts(part)) {
      const ContactRecord& contact = sample.contact;
      const std::string pair = names.arrange(shapes[static_cast<std::size_t>(contact.shape_a)] + "/" +
                                             shapes[static_cast<std::size_t>(contact.shape_b)]);
      Force& force = by_pair[pair][sample.t];
      const double normal = contact.impulse.dot(contact.normal);
      force.normal += normal / run.step;
      force.tangential += (contact.impulse - normal * contact.normal) / run.step;
    }
  }
  std::map<double, std::pair<double, double>> total;
  const std::vector<double> times = run.reader->times();
  for (const double t : times) total[t] = {0, 0};
  for (const auto& [pair, series] : by_pair) {
    PairForce& entry = find_or_add(pair, run);
    for (const auto& [t, force] : series) {
      const double friction = force.tangential.norm();
      entry.largest_normal = std::max(entry.largest_normal, force.normal);
      entry.largest_friction = std::max(entry.largest_friction, friction);
      total[t].first += force.normal, total[t].second += friction;
      if (t == times.back()) entry.last_normal = force.normal, entry.last_friction = friction;
    }
  }
  for (const auto& [t, force] : total) {
    run.force_times.push_back(t);
    run.total_normal.push_back(force.first);
    run.total_friction.push_back(force.second);
  }
}

double find_largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// Of a pair of shapes that has signals of its own. Samples may lie on either side of an impact: its force is in
/// .peak_force alone.
void read_pair_signals(const std::string& pair, ComparedRun& run) {
  const std::string start = "contact." + pair + ".";
  if (run.has_signal(start + "peak_force")) {
    PairForce& entry = find_or_add(pair, run);
    entry.largest_normal = find_largest_of(run.reader->read(start + "peak_force"));
    entry.has_peak = true;
  }
  if (run.has_signal(start + "force")) {
    PairForce& entry = find_or_add(pair, run);
    const std::vector<double> values = run.reader->read(start + "force");
    if (!entry.has_peak) entry.largest_normal = find_largest_of(values);
    if (!values.empty()) entry.last_normal = values.back();
  }
  if (run.has_signal(start + "friction")) {
    PairForce& entry = find_or_add(pair, run);
    const std::vector<double> values = run.reader->read(start + "friction");
    entry.largest_friction = find_largest_of(values);
    if (!values.empty()) entry.last_friction = values.back();
  }
}

bool is_shape(const ContactModel& model, const std::string& name) {
  return std::any_of(model.shapes.begin(), model.shapes.end(),
                     [&](const ContactShape& shape) { return shape.name == name; });
}

const PairForce* find_force(const ComparedRun& run, const std::string& pair) {
  const auto found = std::find_if(run.forces.begin(), run.forces.end(),
                                  [&](const PairForce& force) { return order_pair(force.pair) == order_pair(pair); });
  return found == run.forces.end() ? nullptr : &*found;
}

/// The pairs that bear anything in any run, as the first run names them.
std::vector<std::string> list_pairs(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> pairs;
  for (const ComparedRun& run : runs) {
    for (const PairForce& force : run.forces) {
      const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const std::string& pair) {
        return order_pair(pair) == order_pair(force.pair);
      });
      if (!known && force.largest_normal > 0) pairs.push_back(force.pair);
    }
  }
  return pairs;
}

/// Two rows a pair: the largest force and that at the end.
std::string format_kind(const std::string& title, const std::vector<ComparedRun>& runs, double PairForce::*largest,
                        double PairForce::*last) {
  const std::vector<std::string> pairs = list_pairs(runs);
  if (pairs.empty()) return "";
  double scale = 0;
  for (const ComparedRun& run : runs)
    for (const PairForce& force : run.forces) scale = std::max(scale, force.largest_normal);
  const bool is_normal = largest == &PairForce::largest_normal;
  std::string text = "\n" + format_heading(title, runs);
  for (const std::string& pair : pairs) {
    std::vector<std::optional<double>> most, end;
    bool peaks = is_normal;
    for (const ComparedRun& run : runs) {
      const PairForce* force = find_force(run, pair);
      most.push_back(force ? std::optional(force->*largest) : std::nullopt);
      end.push_back(force ? std::optional(force->*last) : std::nullopt);
      peaks = peaks && (force == nullptr || force->has_peak);
    }
    text += format_row(pair + (peaks ? ", peak" : ", largest recorded"), runs, most, scale) +
            format_row(pair + ", at the end", runs, end, scale);
  }
  return text;
}

}  // namespace

void read_forces(const ContactModel& model, ComparedRun& run) {
  const PairNames names(model);
  read_contacts(names, run);
  std::vector<std::string> pairs;
  for (const SignalInfo& info : run.reader->signals()) {
    const std::size_t start = std::string_view("contact.").size(), slash = info.name.find('/');
    const std::size_t end = info.name.rfind('.');
    if (!info.name.starts_with("contact.") || slash == std::string::npos || end < slash) continue;
    const std::string pair = info.name.substr(start, end - start);
    const bool of_shapes = is_shape(model, pair.substr(0, pair.find('/'))) &&
                           is_shape(model, pair.substr(std::min(pair.find('/') + 1, pair.size())));
    if (of_shapes && std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }
  for (const std::string& pair : pairs) read_pair_signals(pair, run);
}

std::string format_forces(const std::vector<ComparedRun>& runs) {
  return format_kind("normal forces [N]", runs, &PairForce::largest_normal, &PairForce::last_normal) +
         format_kind("friction forces [N]", runs, &PairForce::largest_friction, &PairForce::last_friction);
}

}  // namespace stiction::cli
