#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/math/roots.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// Finding the moments of impacts inside a step.

namespace stiction {
namespace {

/// A gap and its rate at some time.
struct GapSample {
  double time = 0, gap = 0, speed = 0;
};

/// When a gap that is above 0 at a and below at b comes down to 0, by the cubic through both gaps and rates.
double find_crossing(const GapSample& a, const GapSample& b) {
  const double h = b.time - a.time;
  const auto calc_gap = [&](double s) {
    const double t = 1 - s;
    return t * t * ((1 + 2 * s) * a.gap + s * h * a.speed) + s * s * ((1 + 2 * t) * b.gap - t * h * b.speed);
  };
  const RootBracket bracket = find_root_bracket(calc_gap, 0, 1, a.gap, b.gap, 1e-12);
  return a.time + h * 0.5 * (bracket.a + bracket.b);
}

}  // namespace

/// The contacts that are to be located, as they are in a state `time` after the start of the (sub)step.
void StepperRigid::list_open(const State& state, double time, OpenContacts& open) {
  open.time = time;
  open.contacts.clear();
  open.speeds.clear();
  for (const Contact& contact : find_contacts(state)) {
    if (!is_to_be_located(contact)) continue;
    open.contacts.push_back(contact);
    open.speeds.push_back(calc_normal_speed(contact, at_state_));
  }
}

/// How near to 0 a gap is where its impact may act [m].
double StepperRigid::calc_touching_gap(const Contact& contact, double speed) const {
  return calc_closed_gap(contact) + located_part * settings_.step * std::max(0.0, -speed);
}

/// Whether some of them touch, or have gone too far.
StepperRigid::Closing StepperRigid::judge(const OpenContacts& open) const {
  Closing closing = Closing::none;
  for (std::size_t i = 0; i < open.contacts.size(); ++i) {
    const double touching = calc_touching_gap(open.contacts[i], open.speeds[i]);
    if (open.contacts[i].gap < -touching) return Closing::late;
    if (open.contacts[i].gap <= touching) closing = Closing::now;
  }
  return closing;
}

/// The moments at which contacts close that have gone too far at high_, ascending.
void StepperRigid::predict_moments() {
  moments_.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < high_.contacts.size(); ++i) {
    if (high_.contacts[i].gap < -calc_touching_gap(high_.contacts[i], high_.speeds[i]))
      moments_.push_back(predict_moment(i, next));
  }
  std::sort(moments_.begin(), moments_.end());
}

/// Where a contact was not seen at low_ (it was beyond reach, or the pair touches in other points there), or was not
/// open, by its speed at high_.
double StepperRigid::predict_moment(std::size_t i, std::size_t& next) const {
  const Contact& contact = high_.contacts[i];
  const GapSample end{high_.time, contact.gap, high_.speeds[i]};
  const Contact* start = find_contact(low_.contacts, contact, next);
  if (start && start->gap > 0)
    return find_crossing({low_.time, start->gap, low_.speeds[static_cast<std::size_t>(start - low_.contacts.data())]},
                         end);
  const double middle = 0.5 * (low_.time + high_.time);
  return end.speed < 0 ? std::max(end.time - end.gap / end.speed, middle) : middle;
}

/// Does some contact close within the step of length h that led from `from` to trial_? low_ and high_ become its ends,
/// or high_ a time at which it is closed.
bool StepperRigid::closes(const State& from, double h) {
  list_open(trial_, h, high_);
  const bool is_late = judge(high_) == Closing::late;
  if (!is_late && !may_pass(h)) return false;
  low_.time = 0;
  low_.contacts.clear();
  low_.speeds.clear();
  for (std::size_t i = 0; i < start_contacts_.size(); ++i) {
    if (!is_to_be_located(start_contacts_[i])) continue;
    low_.contacts.push_back(start_contacts_[i]);
    low_.speeds.push_back(start_speed_[i]);
  }
  if (!is_late && !find_overlap(from, h)) {
    StepReport again;
    take_step(from, h, scheme_, trial_, again);
    return false;
  }
  predict_moments();
  return true;
}

/// Has some open contact so fast a start that its bodies may be through each other at the end, and touch there no more?
bool StepperRigid::may_pass(double h) const {
  for (std::size_t i = 0; i < start_contacts_.size(); ++i) {
    const Contact& contact = start_contacts_[i];
    const double beyond = -(contact.gap + h * start_speed_[i]);
    const double a = sizes_[at(contact.shape_a)], b = sizes_[at(contact.shape_b)];
    if (beyond > 0.5 * (a == 0 ? b : b == 0 ? a : std::min(a, b)) && is_to_be_located(contact)) return true;
  }
  return false;
}

/// Where such bodies first overlap: from when they would meet at the speeds of low_ on, as far at a time as the gap
/// lasts. high_ becomes that moment; false where they pass one another by.
bool StepperRigid::find_overlap(const State& from, double h) {
  constexpr int most_steps = 20;
  const auto calc_meeting = [&](const OpenContacts& open) {
    double first = h;
    for (std::size_t i = 0; i < open.contacts.size(); ++i) {
      const double speed = open.speeds[i];
      if (speed >= 0) continue;
      const double depth = 10 * calc_touching_gap(open.contacts[i], speed);
      first = std::min(first, open.time + (std::max(0.0, open.contacts[i].gap) + depth) / -speed);
    }
    return first;
  };
  double tau = calc_meeting(low_);
  for (int k = 0; k < most_steps && tau < h; ++k) {
    StepReport report;
    take_step(from, tau, scheme_, trial_, report);
    list_open(trial_, tau, high_);
    if (judge(high_) == Closing::late) return true;
    tau = calc_meeting(high_);
  }
  return false;
}

/// Those within a thousandth of the step of one another are one impact.
int StepperRigid::count_moments() const {
  int count = 0;
  double last = -settings_.step;
  for (const double moment : moments_) {
    if (moment < last + 1e-3 * settings_.step) continue;
    ++count;
    last = moment;
  }
  return count;
}

/// The moment between low_ and high_ at which the first open contact closes. trial_ becomes the state there, `report`
/// that of the step to it. Gaps jump where points of a pair come and go: the bracket is halved where predictions do not
/// narrow it, and its closed end is taken at last. Returns false where a step on the way is not solved: its gaps tell
/// nothing.
bool StepperRigid::locate_impact(const State& from, StepReport& report) {
  const double narrow = std::max(0.1 * located_part * settings_.step, 1e-15 * std::max(1.0, from.t));
  constexpr int most_steps = 60;
  double width_before = high_.time;
  for (int k = 0; k < most_steps; ++k) {
    const double width = high_.time - low_.time;
    const bool is_narrow = width <= narrow, halves = k % 3 == 2 && width > 0.25 * width_before;
    if (k % 3 == 2) width_before = width;
    predict_moments();
    double tau = halves ? 0.5 * (low_.time + high_.time) : moments_.front();
    tau = is_narrow ? high_.time : std::clamp(tau, low_.time + 0.25 * narrow, high_.time - 0.25 * narrow);
    report.contact = {};
    take_step(from, tau, scheme_, trial_, report);
    ++report.evaluations;
    list_open(trial_, tau, middle_);
    if (report.contact.unconverged > 0) return false;
    const Closing closing = judge(middle_);
    if (is_narrow || closing == Closing::now) return true;
    std::swap(closing == Closing::late ? high_ : low_, middle_);
  }
  return true;
}

}  // namespace stiction
