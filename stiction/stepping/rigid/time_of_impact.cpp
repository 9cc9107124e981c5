#include "stiction/stepping/rigid/time_of_impact.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/roots.h"

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

TimeOfImpact::TimeOfImpact(IslandWork& work, RigidStep& step) : work_(work), model_(work.model), step_(step) {}

/// A trial that is given up leaves nothing in the audit.
void TimeOfImpact::take(const IslandState& from, double h, IslandState& trial) {
  work_.audit = {};
  step_.take(from, h, true, trial);
  ++trial_steps_;
}

void TimeOfImpact::list_open(const IslandState& state, double time, OpenContacts& open) {
  open.time = time;
  open.contacts.clear();
  open.speeds.clear();
  for (const Contact& contact : work_.search.find(state).contacts) {
    if (!work_.tracker.is_to_be_located(contact)) continue;
    open.contacts.push_back(contact);
    open.speeds.push_back(model_.calc_normal_speed(contact, work_.search.at_state()));
  }
}

/// Whether some of them touch, or have gone too far.
TimeOfImpact::Closing TimeOfImpact::judge(const OpenContacts& open) const {
  Closing closing = Closing::none;
  for (std::size_t i = 0; i < open.contacts.size(); ++i) {
    const double touching = model_.calc_closed_gap(open.contacts[i]);
    if (open.contacts[i].gap < -touching) return Closing::late;
    if (open.contacts[i].gap <= touching) closing = Closing::now;
  }
  return closing;
}

/// Of contacts that have gone too far at high_.
void TimeOfImpact::predict_all() {
  times_.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < high_.contacts.size(); ++i) {
    if (high_.contacts[i].gap < -model_.calc_closed_gap(high_.contacts[i])) times_.push_back(predict(i, next));
  }
  std::sort(times_.begin(), times_.end());
}

/// Where a contact was not seen at low_ (it was beyond reach, or the pair touches in other points there), or was not
/// open, by its speed at high_.
double TimeOfImpact::predict(std::size_t i, std::size_t& next) const {
  const Contact& contact = high_.contacts[i];
  const GapSample end{high_.time, contact.gap, high_.speeds[i]};
  const Contact* start = work_.tracker.find_in(low_.contacts, contact, next);
  if (start && start->gap > 0)
    return find_crossing({low_.time, start->gap, low_.speeds[static_cast<std::size_t>(start - low_.contacts.data())]},
                         end);
  const double middle = 0.5 * (low_.time + high_.time);
  return end.speed < 0 ? std::max(end.time - end.gap / end.speed, middle) : middle;
}

bool TimeOfImpact::closes(double h, const IslandState& trial) {
  trial_steps_ = 0;
  list_open(trial, h, high_);
  if (judge(high_) != Closing::late) return false;
  const ContactTracker::Start& start = work_.tracker.start();
  low_.time = 0;
  low_.contacts.clear();
  low_.speeds.clear();
  for (std::size_t i = 0; i < start.contacts.size(); ++i) {
    if (!work_.tracker.is_to_be_located(start.contacts[i])) continue;
    low_.contacts.push_back(start.contacts[i]);
    low_.speeds.push_back(start.speeds[i]);
  }
  predict_all();
  return true;
}

int TimeOfImpact::count_impacts() const {
  const double step = model_.settings.step;
  int count = 0;
  double last = -step;
  for (const double time : times_) {
    if (time < last + model_.tolerances.same_impact_part * step) continue;
    ++count;
    last = time;
  }
  return count;
}

bool TimeOfImpact::may_impact(double h) const {
  const ContactTracker::Start& start = work_.tracker.start();
  const double fall = 0.5 * h * h * model_.system.gravity.norm();
  for (std::size_t i = 0; i < start.contacts.size(); ++i) {
    const bool may_close = start.contacts[i].gap < fall - std::min(0.0, start.speeds[i]) * h;
    if (may_close && work_.tracker.is_to_be_located(start.contacts[i])) return true;
  }
  return false;
}

bool TimeOfImpact::locate(const IslandState& from, IslandState& trial) {
  const double narrow = model_.tolerances.bracket_part * model_.settings.step;
  double width_before = high_.time;
  int jumps = 0;  ///< predictions that did not narrow the bracket
  for (int k = 0; k < model_.policy.trial_steps; ++k) {
    const double width = high_.time - low_.time;
    const bool is_narrow = width <= narrow;
    const bool is_stuck = k % 3 == 2 && width > 0.25 * width_before;
    if (k % 3 == 2) width_before = width;
    if (is_stuck) ++jumps;
    const bool halves = is_stuck || jumps > 2;
    predict_all();
    double tau = halves ? 0.5 * (low_.time + high_.time) : times_.front();
    tau = is_narrow ? high_.time : std::clamp(tau, low_.time + 0.25 * narrow, high_.time - 0.25 * narrow);
    take(from, tau, trial);
    list_open(trial, tau, middle_);
    if (work_.audit.unconverged > 0) return false;
    const Closing closing = judge(middle_);
    if (is_narrow || closing == Closing::now) return true;
    std::swap(closing == Closing::late ? high_ : low_, middle_);
  }
  return true;
}

}  // namespace stiction
