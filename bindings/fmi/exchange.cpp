#include "bindings/fmi/exchange.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/stepping/ode/ode_events.h"

namespace stiction::fmi {
namespace {

/// Forces are recorded as impulses of this time.
constexpr double record_step = 1;

/// (2): twice the noise, so that modes switch where the tool has found z = 0. Half of it would leave them as they are
/// there; twice as much makes contacts touch 4e-12 m later.
constexpr double beyond_noise = 2 * guard_noise;

}  // namespace

Exchange::Exchange(const Simulation& simulation, const std::vector<std::string>& outputs)
    : system_(simulation.system()),
      problem_(simulation.system(), simulation.scene().method.projection_tolerance, true),
      sampler_(simulation.system()),
      state_(simulation.system().initial),
      y_(problem_.size()),
      dy_(problem_.size()),
      guards_(problem_.guard_count()),
      projected_(problem_.size()) {
  problem_.set_modes(state_.modes);
  problem_.read(state_, y_);
  if (outputs.empty()) return;
  signals_.emplace(simulation.system(), outputs, record_step);
  signals_->evaluate(state_, {});
  signals_->set_start_energy(signals_->energy().total);
  const std::vector<SignalInfo>& infos = signals_->infos();
  for (const std::string& name : outputs) {
    const auto found = std::find_if(infos.begin(), infos.end(), [&](const auto& info) { return info.name == name; });
    STICTION_CHECK(found != infos.end());
    rows_.push_back(static_cast<int>(found - infos.begin()));
  }
}

void Exchange::set_time(double t) {
  if (!std::isfinite(t)) throw InputError("the time is not finite");
  state_.t = t;
  signals_current_ = false;
}

void Exchange::set_states(const double* y) {
  std::copy_n(y, y_.size(), y_.begin());
  signals_current_ = false;
}

void Exchange::set_state(int index, double value) {
  y_[index] = value;
  signals_current_ = false;
}

const VecX& Exchange::calc_derivatives() {
  problem_.calc_derivative(state_.t, y_, dy_);
  return dy_;
}

const VecX& Exchange::calc_indicators() {
  problem_.calc_guards(state_.t, y_, guards_);
  for (int i = 0; i < guards_.size(); ++i) guards_[i] += problem_.mode(i) ? beyond_noise : -beyond_noise;
  return guards_;
}

void Exchange::take_changed_inputs() {
  problem_.forget_evaluation();
  signals_current_ = false;
}

bool Exchange::handle_events() {
  const bool projected = project(), sampled = sample_controllers(), switched = switch_modes();
  signals_current_ = false;
  return projected || sampled || switched;
}

bool Exchange::has_drifted(double limit) {
  problem_.write(y_, state_);
  if (calc_quaternion_error(system_, state_.q) > limit) return true;
  if (!problem_.has_constraints()) return false;
  const Equations::Drift drift = problem_.calc_drift(state_.t, y_);
  return drift.position > limit || drift.velocity > limit;
}

bool Exchange::project() {
  projected_ = y_;
  if (!problem_.project(state_.t, projected_))
    throw InputError("the constraints cannot be satisfied at t = " + std::to_string(state_.t) + " s");
  const bool changed = projected_ != y_;
  y_ = projected_;
  return changed;
}

bool Exchange::sample_controllers() {
  if (sampler_.empty()) return false;
  const double before = sampled_at_;
  sampled_at_ = state_.t;
  problem_.write(y_, state_);
  observe_contacts();
  sampler_.note_contacts(contacts_, record_step, state_);
  if (!sampler_.sample(before, state_)) return false;
  state_.step = 1;  // no longer the first
  problem_.read(state_, y_);
  return true;
}

bool Exchange::switch_modes() {
  bool changed = false;
  problem_.calc_guards(state_.t, y_, guards_);
  for (int i = 0; i < guards_.size(); ++i) {
    const bool mode = problem_.mode(i);
    if (calc_margin(mode, guards_[i]) >= -guard_noise) continue;
    problem_.switch_mode(i, !mode, state_.t, y_);
    changed = true;
  }
  return changed;
}

void Exchange::observe_contacts() {
  contacts_.clear();
  if (system_.contact.slots.empty()) return;
  for (const CompliantContacts::Observed& seen : problem_.observe_contacts(state_.t, y_))
    contacts_.push_back(problem_.make_record(seen, state_.z, record_step));
}

double Exchange::output(int index) {
  if (!signals_current_) {
    problem_.write(y_, state_);
    observe_contacts();
    signals_->add_step(record_step, contacts_);
    signals_->evaluate(state_, {});
    signals_current_ = true;
  }
  return signals_->values()[rows_[static_cast<std::size_t>(index)]];
}

void Exchange::save(SimulationState& saved) {
  problem_.write(y_, state_);
  saved.state = state_;
  saved.memory = {sampled_at_};
}

void Exchange::restore(const SimulationState& saved) {
  if (saved.memory.size() != 1) throw InputError("the state is not one of model exchange");
  state_ = saved.state;
  sampled_at_ = saved.memory[0];
  problem_.set_modes(state_.modes);
  problem_.read(state_, y_);
  signals_current_ = false;
}

}  // namespace stiction::fmi
