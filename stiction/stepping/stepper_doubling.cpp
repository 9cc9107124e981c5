#include "stiction/stepping/stepper_doubling.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/stepping/ode/ode_fixed.h"
#include "stiction/stepping/rigid/step_book.h"

namespace stiction {
namespace {

constexpr double shortest_part = 0x1p-20;  // of the longest step: a budget, 20 halvings of it
constexpr double safety = 0.9, least_change = 0.2, most_change = 5;

auto key_of(const ContactRecord& record) {
  return std::tuple(record.shape_a, record.shape_b, record.point);
}

/// What the second half of a step reports joins what the first did.
void join_reports(const StepReport& second, StepReport& report) {
  report.status = second.status;
  report.message = second.message;
  report.h += second.h;
  report.evaluations += second.evaluations;
  report.rejected += second.rejected;
  report.drift = std::max(report.drift, second.drift);
  report.drift_rate = std::max(report.drift_rate, second.drift_rate);
  ContactAudit contact = second.contact;
  merge_parts(report.contact, contact);
  if (report.contact.uncertified > 0) {
    contact.uncertified += report.contact.uncertified;
    contact.uncertified_a = report.contact.uncertified_a;
    contact.uncertified_b = report.contact.uncertified_b;
  }
  if (report.contact.penetration > contact.penetration) {
    contact.penetration = report.contact.penetration;
    contact.worst_a = report.contact.worst_a;
    contact.worst_b = report.contact.worst_b;
  }
  report.contact = contact;
  report.events.insert(report.events.end(), second.events.begin(), second.events.end());
}

}  // namespace

StepperDoubling::StepperDoubling(const System& system, const MethodSettings& settings, std::unique_ptr<Stepper> inner)
    : system_(system),
      longest_(settings.step),
      origin_(settings.step_origin),
      error_(settings.absolute_tolerance),
      inner_(std::move(inner)),
      wanted_(settings.step) {}

void StepperDoubling::restore(const State& state, const std::vector<double>& memory) {
  if (memory.size() != 1 || !(memory.front() > 0)) throw IoError("the checkpoint belongs to another method");
  inner_->restore(state, {});
  wanted_ = memory.front();
}

StepReport StepperDoubling::step(State& state, double t_limit) {
  const double t_grid = calc_next_time(state.t, longest_, t_limit, origin_), left = t_grid - state.t;
  int evaluations = 0, rejected = 0;
  double wanted = std::min(wanted_, longest_);
  while (true) {
    // Equal parts up to the end of the grid's step
    const double parts = std::max(1.0, std::ceil(left / wanted - 1e-9)), h = left / parts;
    const double t_end = parts == 1 ? t_grid : state.t + h;
    StepReport report = take(state, state.t + 0.5 * h, t_end);
    evaluations += report.evaluations;
    report.evaluations = evaluations;
    report.rejected += rejected;
    if (report.status != StepStatus::ok) return report;
    const double error = calc_difference();
    const double change =
        error > 0 ? std::clamp(safety * std::sqrt(error_ / error), least_change, most_change) : most_change;
    if (error <= error_ || h <= shortest_part * longest_) {
      if (error > error_) ++report.contact.unconverged;
      wanted_ = std::clamp(change * h, shortest_part * longest_, longest_);
      std::swap(state, halves_);
      join_records();
      return report;
    }
    ++rejected;
    wanted = std::max(std::min(change, 0.5) * h, shortest_part * longest_);
  }
}

StepReport StepperDoubling::take(const State& state, double t_mid, double t_end) {
  whole_ = state;
  StepReport once = inner_->step(whole_, t_end);
  if (once.status != StepStatus::ok) return once;
  halves_ = state;
  StepReport report = inner_->step(halves_, t_mid);
  report.evaluations += once.evaluations;
  if (report.status != StepStatus::ok) return report;
  first_ = inner_->contacts();
  join_reports(inner_->step(halves_, t_end), report);
  return report;
}

/// |x_1 - x_2|: the largest of a coordinate [m, rad]; of a quaternion its half angle, twice.
double StepperDoubling::calc_difference() const {
  double largest = 0;
  for (std::size_t b = 0; b < system_.joints.size(); ++b) {
    const Joint& joint = system_.joints[b];
    const bool turns = joint.nq > joint.nv;
    for (int i = joint.q_start; i < joint.q_start + joint.nq; ++i) {
      const double weight = turns && i < joint.q_start + 4 ? 2 : 1;
      largest = std::max(largest, weight * std::abs(whole_.q[i] - halves_.q[i]));
    }
  }
  return largest;
}

/// Impulses of both halves; everything else as the second left it.
void StepperDoubling::join_records() {
  records_ = inner_->contacts();
  for (const ContactRecord& before : first_) {
    auto place = std::lower_bound(records_.begin(), records_.end(), before,
                                  [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
    if (place == records_.end() || key_of(*place) != key_of(before)) {
      place = records_.insert(place, before);
      continue;
    }
    place->impulse += before.impulse;
    place->moment_impulse += before.moment_impulse;
    place->core_impulse += before.core_impulse;
  }
}

}  // namespace stiction
