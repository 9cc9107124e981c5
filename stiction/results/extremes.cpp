#include "stiction/results/extremes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/infinity.h"
#include "stiction/results/signals.h"

namespace stiction {
namespace {

/// Whether `value` is the worst so far, which it then becomes.
bool raise(Extreme& extreme, double value, double t) {
  if (value <= extreme.value || std::isnan(extreme.value)) return false;
  extreme = {.value = value, .time = t};
  return true;
}

/// Whether these are the first.
bool count(Extreme& extreme, double number, double t) {
  if (number == 0) return false;
  const bool is_first = extreme.value == 0;
  extreme.value += number;
  if (is_first) extreme.time = t;
  return is_first;
}

/// The contact for which `size` is largest.
template <class Size>
void place_at_worst(Extreme& extreme, const std::vector<ContactRecord>& contacts, const Size& size) {
  double largest = 0;
  for (const ContactRecord& contact : contacts) {
    const double value = size(contact);
    if (!(value > largest)) continue;
    largest = value;
    extreme.a = contact.shape_a, extreme.b = contact.shape_b;
  }
}

double calc_gap_impulse(const ContactRecord& contact) {
  return std::abs(contact.gap * contact.impulse.dot(contact.normal));
}

double calc_friction_impulse(const ContactRecord& contact) {
  return (contact.impulse - contact.normal * contact.impulse.dot(contact.normal)).norm();
}

}  // namespace

Extremes::Extremes(std::vector<double> thickness, double otherwise)
    : thickness_(std::move(thickness)), otherwise_(otherwise) {}

double Extremes::calc_pair_thickness(int shape_a, int shape_b) const {
  double least = infinity;
  for (const int shape : {shape_a, shape_b}) {
    const auto index = static_cast<std::size_t>(shape);
    if (shape >= 0 && index < thickness_.size() && thickness_[index] > 0) least = std::min(least, thickness_[index]);
  }
  return std::isfinite(least) ? least : otherwise_;
}

void Extremes::add_overlap(double t, double depth, int shape_a, int shape_b) {
  if (depth <= 0) return;
  Extreme& worst = at(TrustMeasure::penetration);
  const double scale = calc_pair_thickness(shape_a, shape_b);
  const bool is_first = worst.value == 0;
  if (std::isnan(worst.value) || (!is_first && depth * worst.scale <= worst.value * scale)) return;
  worst = {
      .value = depth, .time = t, .a = static_cast<double>(shape_a), .b = static_cast<double>(shape_b), .scale = scale};
}

void Extremes::add(double t, const StepReport& report, const std::vector<ContactRecord>& contacts,
                   const LimitExcess& limit) {
  if (report.status != StepStatus::ok) return;
  const ContactAudit& audit = report.contact;
  if (report.h > 0) exchanged_.steps += 1;
  for (const ContactRecord& contact : contacts)
    exchanged_.impulse = std::max(exchanged_.impulse, contact.impulse.norm());

  add_overlap(t, audit.penetration, audit.worst_a, audit.worst_b);
  if (raise(at(TrustMeasure::complementarity), audit.complementarity, t))
    place_at_worst(at(TrustMeasure::complementarity), contacts, calc_gap_impulse);
  if (raise(at(TrustMeasure::cone), audit.cone, t))
    place_at_worst(at(TrustMeasure::cone), contacts, calc_friction_impulse);
  Extreme& passage = at(TrustMeasure::passage);
  if (raise(passage, audit.passage, t)) passage.a = audit.passed_a, passage.b = audit.passed_b;
  Extreme& restitution = at(TrustMeasure::restitution);
  if (raise(restitution, audit.restitution_lost, t)) restitution.a = audit.lost_a, restitution.b = audit.lost_b;
  count(at(TrustMeasure::unconverged), audit.unconverged, t);
  count(at(TrustMeasure::first_order), audit.first_order, t);
  Extreme& uncertified = at(TrustMeasure::uncertified);
  if (count(uncertified, audit.uncertified > 0 ? 1 : 0, t))
    uncertified.a = audit.uncertified_a, uncertified.b = audit.uncertified_b;
  raise(at(TrustMeasure::drift), report.drift, t);

  // The worst is the one that is largest beside its own scale.
  Extreme& joint = at(TrustMeasure::joint_limit);
  const bool is_worse = joint.value == 0 || limit.excess * joint.scale > joint.value * limit.scale;
  if (limit.excess > 0 && is_worse)
    joint = {.value = limit.excess,
             .time = t,
             .a = static_cast<double>(limit.joint),
             .b = static_cast<double>(limit.component),
             .scale = limit.scale};
}

void Extremes::add_normals(double t, const std::vector<ContactRecord>& contacts) {
  // Both lists name contacts in the same order: the search goes on where the last one was found.
  std::size_t next = 0;
  for (const ContactRecord& contact : contacts) {
    for (std::size_t tried = 0; tried < last_.size(); ++tried, next = (next + 1) % last_.size()) {
      const Touch& last = last_[next];
      if (last.a != contact.shape_a || last.b != contact.shape_b || last.point != contact.point) continue;
      Extreme& passage = at(TrustMeasure::passage);
      if (last.normal.dot(contact.normal) < 0 && raise(passage, std::max(0.0, -contact.gap), t))
        passage.a = contact.shape_a, passage.b = contact.shape_b;
      break;
    }
  }
  last_.clear();
  for (const ContactRecord& contact : contacts)
    last_.push_back({contact.shape_a, contact.shape_b, contact.point, contact.normal});
}

void Extremes::add(double t, const EnergyBalance& energy) {
  const auto widen = [](double& largest, double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  widen(exchanged_.energy, energy.kinetic);
  widen(exchanged_.energy, energy.input);
  widen(exchanged_.energy, energy.dissipated);
  widen(exchanged_.total, energy.total);
  raise(at(TrustMeasure::energy), std::abs(energy.residual), t);
  raise(at(TrustMeasure::stabilisation), std::abs(energy.projection - settled_), t);
  const double own = energy.total - energy.input - settled_;
  if (!has_energy_) lowest_ = own;
  has_energy_ = true;
  raise(at(TrustMeasure::energy_rise), own - lowest_, t);
  lowest_ = std::min(lowest_, own);
}

void Extremes::add_not_finite(double t, int signal) {
  if (count(at(TrustMeasure::finite), 1, t)) at(TrustMeasure::finite).a = signal;
}

void Extremes::save(std::vector<double>& memory) const {
  for (const Extreme& extreme : extremes_)
    memory.insert(memory.end(), {extreme.value, extreme.time, extreme.a, extreme.b, extreme.scale});
  memory.insert(memory.end(), {exchanged_.energy, exchanged_.total, exchanged_.impulse, exchanged_.steps, lowest_,
                               settled_, has_energy_ ? 1.0 : 0.0, static_cast<double>(last_.size())});
  for (const Touch& touch : last_)
    memory.insert(memory.end(),
                  {static_cast<double>(touch.a), static_cast<double>(touch.b), static_cast<double>(touch.point),
                   touch.normal.x(), touch.normal.y(), touch.normal.z()});
}

bool Extremes::restore(std::span<const double>& memory) {
  constexpr std::size_t needed = 5 * measure_count + 8, touch_size = 6;
  if (memory.size() < needed) return false;
  auto next = memory.begin();
  for (Extreme& extreme : extremes_) {
    for (double Extreme::*member : {&Extreme::value, &Extreme::time, &Extreme::a, &Extreme::b, &Extreme::scale})
      extreme.*member = *next++;
  }
  for (double Exchanged::*member : {&Exchanged::energy, &Exchanged::total, &Exchanged::impulse, &Exchanged::steps})
    exchanged_.*member = *next++;
  lowest_ = *next++;
  settled_ = *next++;
  has_energy_ = *next++ != 0;
  const double touches = *next++;
  memory = memory.subspan(needed);
  if (!(touches >= 0 && touches <= static_cast<double>(memory.size() / touch_size))) return false;
  last_.clear();
  for (auto count = static_cast<std::size_t>(touches); count > 0; --count) {
    last_.push_back({static_cast<int>(memory[0]), static_cast<int>(memory[1]), static_cast<int>(memory[2]),
                     Vec3(memory[3], memory[4], memory[5])});
    memory = memory.subspan(touch_size);
  }
  return true;
}

}  // namespace stiction
