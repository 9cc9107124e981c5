#include "stiction/stepping/ode/stepper_smooth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/base/text.h"

namespace stiction {
namespace {

const IntegratorInfo& get_integrator(const std::string& name) {
  const IntegratorInfo* info = find_integrator(name);
  STICTION_CHECK(info != nullptr);
  return *info;
}

OdeSettings make_settings(const MethodSettings& settings) {
  OdeSettings result;
  result.step = settings.step;
  result.step_origin = settings.step_origin;
  result.relative_tolerance = settings.relative_tolerance;
  result.absolute_tolerance = settings.absolute_tolerance;
  if (settings.max_step > 0) result.max_step = settings.max_step;
  result.event_tolerance = settings.event_tolerance;
  return result;
}

StepStatus to_step_status(OdeStatus status) {
  switch (status) {
    case OdeStatus::ok:
      return StepStatus::ok;
    case OdeStatus::not_finite:
      return StepStatus::diverged;
    case OdeStatus::projection_failed:
      return StepStatus::constraint_failed;
    case OdeStatus::step_too_small:
      return StepStatus::step_too_small;
  }
  STICTION_CHECK(false);
}

// Of the entries of `trial` that are not finite, the one whose last good value is largest; -1 if all are finite.
int find_offender(const Eigen::Ref<const VecX>& trial, const VecX& good) {
  int offender = -1;
  for (int i = 0; i < good.size(); ++i) {
    if (std::isfinite(trial[i])) continue;
    if (offender < 0 || std::abs(good[i]) > std::abs(good[offender])) offender = i;
  }
  return offender;
}

/// Far below what contact needs (an impact of steel takes 0.1 ms and some hundred steps; the stiffest bristles, loaded
/// with 10 kN, steps of 20 ns), far above what a jumping force leaves of a step.
constexpr int crawl_steps = 50000;
constexpr double crawl_time = 2e-4;

}  // namespace

StepperSmooth::StepperSmooth(const System& system, const MethodSettings& settings)
    : system_(system),
      info_(get_integrator(settings.integrator)),
      problem_(system, settings.projection_tolerance, info_.adaptive),
      integrator_(info_.make(problem_, make_settings(settings))),
      y_(problem_.size()),
      step_(settings.step),
      max_step_(make_settings(settings).max_step) {
  problem_.set_threads(settings.threads);
  records_.reserve(system.contact.slots.size());
}

void StepperSmooth::take(const State& state) {
  if (problem_.modes() != state.modes) {
    problem_.set_modes(state.modes);
    integrator_->forget();
  }
  problem_.read(state, y_);
}

StepReport StepperSmooth::step(State& state, double t_limit) {
  StepReport report;
  take(state);
  const double t_before = state.t;
  double t = state.t;
  const OdeReport& result = integrator_->advance(t, y_, t_limit);
  report.evaluations = result.evaluations;
  report.rejected = result.rejected;
  if (result.status != OdeStatus::ok) {
    report.status = to_step_status(result.status);
    report.message = describe(result.status, state);
    return report;
  }
  report.h = result.h;
  for (const OdeEvent& event : result.events) {
    const ModeInfo& info = problem_.mode_info(event.guard);
    // One event a pair in a step, however many points.
    const std::string& word = event.mode ? info.on_word : info.off_word;
    const bool noted = std::any_of(report.events.begin(), report.events.end(), [&](const StepEvent& other) {
      return other.kind == word && other.name == info.element;
    });
    if (!noted) report.events.push_back({event.t, word, info.element});
  }
  // An adaptive method may have projected other points after this one.
  if (problem_.has_constraints()) {
    const Equations::Drift drift = info_.adaptive ? problem_.calc_drift(t, y_) : problem_.drift();
    report.drift = drift.position;
    report.drift_rate = drift.velocity;
  }
  state.t = t;
  state.step += result.h > 0 ? 1 : 0;
  problem_.write(y_, state);
  if (system_.contact.slots.empty()) return report;
  watch_contacts(t_before, state, report);
  if (info_.adaptive && crawls(t)) {
    report.status = StepStatus::step_too_small;
    report.message =
        "at t = " + fmt::format("{:.9g}", t) + " s the step size has collapsed: " + std::to_string(crawl_steps) +
        " steps took less than 0.2 ms. " +
        (info_.name == "cvode_bdf" ? "" : "For stiff contacts take method.integrator = \"cvode_bdf\". ") +
        "The deepest point jumps where lines or faces touch (a cylinder on a plane): give the contact a "
        "patch (patch = \"volume\", docs/volumetric.md), or take fixed steps (method.integrator = \"rk4\")";
  }
  return report;
}

/// Whether the last crawl_steps steps took less than crawl_time together, and each on average less than a hundredth of
/// what it may.
bool StepperSmooth::crawls(double t) {
  if (t < watched_from_ || watched_steps_ == 0) watched_from_ = t;
  if (++watched_steps_ < crawl_steps) return false;
  watched_steps_ = 0;
  return t - watched_from_ < std::min(crawl_time, 0.01 * crawl_steps * max_step_);
}

void StepperSmooth::watch_contacts(double t_before, State& state, StepReport& report) {
  records_.clear();
  ContactAudit& audit = report.contact;
  audit.dissipation -= problem_.take_fed_energy();
  const auto& slots = system_.contact.slots;
  for (const int slot : problem_.take_doubtful_contacts())
    audit.note_uncertified(slots[static_cast<std::size_t>(slot)].shape_a,
                           slots[static_cast<std::size_t>(slot)].shape_b);
  const auto touches = [&](const CompliantSlot& slot) {
    return state.modes[static_cast<std::size_t>(slot.touch_mode)] != 0;
  };
  if (std::none_of(slots.begin(), slots.end(), touches)) return;
  for (const CompliantContacts::Observed& seen : problem_.observe_contacts(state.t, y_)) {
    const ContactMotion& motion = seen.contact.motion;
    const ContactResponse& response = seen.contact.response;
    const CompliantSlot& slot = system_.contact.slots[static_cast<std::size_t>(seen.slot)];
    const bool sticks = response.sticks;
    records_.push_back(problem_.make_record(seen, state.z, step_));
    if (!motion.certified) audit.note_uncertified(slot.shape_a, slot.shape_b);
    if (motion.depth > audit.penetration) {
      audit.penetration = motion.depth;
      audit.worst_a = slot.shape_a, audit.worst_b = slot.shape_b;
    }
    audit.dissipation += std::min(response.friction_dissipated, 0.0) * report.h;
    ++audit.contacts;
    // Sticking or slipping since the last step, at the end of it.
    int& mode = state.modes[static_cast<std::size_t>(slot.stick_mode)];
    const int now = sticks ? 1 : 0;
    if (mode == now) continue;
    mode = now;
    problem_.set_silent_mode(slot.stick_mode, now);
    const std::string& name = problem_.mode_info(slot.touch_mode).element;
    const bool noted = std::any_of(report.events.begin(), report.events.end(), [&](const StepEvent& event) {
      return event.name == name && event.t > t_before && (event.kind == "stick" || event.kind == "slip");
    });
    if (!noted) report.events.push_back({state.t, sticks ? "stick" : "slip", name});
  }
}

bool StepperSmooth::can_checkpoint(const State& state) {
  take(state);
  return integrator_->can_checkpoint(state.t, y_);
}

std::vector<double> StepperSmooth::checkpoint(const State& state) {
  take(state);
  std::vector<double> memory = integrator_->checkpoint(state.t, y_);
  memory.insert(memory.end(), {watched_from_, static_cast<double>(watched_steps_)});
  return memory;
}

void StepperSmooth::restore(const State& state, const std::vector<double>& memory) {
  if (memory.size() < 2) throw IoError("the checkpoint does not fit this program");
  take(state);
  watched_from_ = memory[memory.size() - 2];
  watched_steps_ = static_cast<int>(memory.back());
  integrator_->restore(state.t, y_, {memory.begin(), memory.end() - 2});
}

void StepperSmooth::take_changed_inputs(State&) {
  problem_.forget_evaluation();
  integrator_->forget();
}

std::string StepperSmooth::describe(OdeStatus status, const State& state) {
  const std::string at = " at t = " + fmt::format("{:.9g}", state.t) + " s: ";
  if (status == OdeStatus::not_finite) return describe_not_finite(state);
  if (status == OdeStatus::projection_failed) {
    const int worst = problem_.drift().worst_constraint;
    const std::string name = worst < 0 ? "" : system_.constraints[static_cast<std::size_t>(worst)].name;
    return "constraint \"" + name + "\"" + at + "cannot be satisfied, off by " +
           format_number(problem_.drift().position) +
           "; the mechanism may be locked, or a prescribed motion may be out of its reach";
  }
  return "body \"" + system_.bodies[static_cast<std::size_t>(find_most_accelerated(state))].name + "\"" + at +
         "the error control needs a step below the rounding of the time; raise method.relative_tolerance, or set "
         "method.integrator to " +
         (info_.name == "cvode_bdf" ? "\"dormand_prince\", or to \"rk4\" with a step of its own"
                                    : "\"cvode_bdf\" if the system is stiff");
}

int StepperSmooth::find_most_accelerated(const State& state) {
  VecX y(problem_.size()), dy(problem_.size());
  problem_.read(state, y);
  problem_.calc_derivative(state.t, y, dy);
  int most = 0;
  for (int i = 0; i < system_.nv; ++i) {
    const double a = dy[system_.nq + i];
    if (!std::isfinite(a)) return find_body_of_v(system_, i);
    if (std::abs(a) > std::abs(dy[system_.nq + most])) most = i;
  }
  return find_body_of_v(system_, most);
}

std::string StepperSmooth::describe_not_finite(const State& state) const {
  const VecX& trial = integrator_->trial();
  const std::string at = " at t = " + fmt::format("{:.9g}", state.t) + " s: ";
  const std::string hint =
      info_.adaptive ? "; try smaller tolerances (method.relative_tolerance)" : "; try a smaller step (time.step)";
  const auto body = [&](int index) { return "body \"" + system_.bodies[static_cast<std::size_t>(index)].name + "\""; };
  if (const int i = find_offender(trial.segment(system_.nq, system_.nv), state.v); i >= 0) {
    return body(find_body_of_v(system_, i)) + at + "velocity is not finite" + hint;
  }
  if (const int i = find_offender(trial.head(system_.nq), state.q); i >= 0) {
    return body(find_body_of_q(system_, i)) + at + "position is not finite" + hint;
  }
  // Energies overflow before velocities do: blame the fastest.
  Eigen::Index fastest = 0;
  state.v.cwiseAbs().maxCoeff(&fastest);
  return body(find_body_of_v(system_, static_cast<int>(fastest))) + at + "energy is not finite" + hint;
}

}  // namespace stiction
