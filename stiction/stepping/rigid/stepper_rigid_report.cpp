#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// Modes, memory and messages.

namespace stiction {

/// One-sided springs switch between steps.
void StepperRigid::update_modes(State& state, StepReport& report) {
  if (state.modes.empty()) return;
  equations_.calc_guards(state.t, state.q, state.v, state.z, guards_);
  for (std::size_t i = 0; i < state.modes.size(); ++i) {
    const int mode = Equations::mode_for(guards_[static_cast<Eigen::Index>(i)]);
    if (mode == state.modes[i]) continue;
    state.modes[i] = mode;
    const ModeInfo& info = equations_.mode_infos()[i];
    report.events.push_back({state.t, mode ? info.on_word : info.off_word, info.element});
  }
}

/// memory_ and sleeping_ become what a state remembers. Returns false where that is of no such system.
bool StepperRigid::recall(const std::vector<double>& numbers) {
  const std::size_t bytes = sizeof(double) * numbers.size();
  if (is_recalled_ && numbers.size() == recalled_.size() &&
      (bytes == 0 || std::memcmp(numbers.data(), recalled_.data(), bytes) == 0))
    return true;
  memory_.clear();
  sleeping_.clear();
  recalled_ = numbers;
  is_recalled_ = numbers.empty();
  found_ = nullptr;
  if (numbers.empty()) return true;
  const double* next = numbers.data() + 1;
  const std::size_t size = calc_contact_memory_size(model_.has_layers);
  const std::size_t left = numbers.size() - 1;
  if (!(numbers[0] >= 0) || numbers[0] > static_cast<double>(left / size)) return false;
  const auto count = static_cast<std::size_t>(numbers[0]);
  const auto is_shape = [&](int shape) { return shape >= 0 && shape < static_cast<int>(model_.shapes.size()); };
  for (std::size_t i = 0; i < count; ++i, next += size) {
    memory_.push_back(read_contact_memory(next, model_.has_layers));
    if (!is_shape(memory_.back().place.shape_a) || !is_shape(memory_.back().place.shape_b)) return false;
  }
  const std::size_t rest = left - count * size;
  if (sleeping_.is_on() ? !sleeping_.restore(next, rest) : rest != 0) return false;
  is_recalled_ = true;
  return true;
}

void StepperRigid::memorize(std::vector<double>& numbers) {
  numbers.clear();
  numbers.push_back(static_cast<double>(memory_.size()));
  for (const ContactMemory& entry : memory_) append_contact_memory(entry, model_.has_layers, numbers);
  if (sleeping_.is_on()) sleeping_.save(numbers);
  recalled_ = numbers;
  is_recalled_ = true;
}

void StepperRigid::restore(const State& state, const std::vector<double>& memory) {
  if (!memory.empty() || !recall(state.memory)) throw IoError("the checkpoint does not fit this program");
}

void StepperRigid::take_changed_inputs(State& state) {
  if (!recall(state.memory)) return;  // the step will say so
  const std::vector<int> loaded = sleeping_.list_loaded();
  if (loaded.empty()) return;
  StepReport unused;
  sleeping_.wake(loaded, state.t, memory_, unused);
  memorize(state.memory);
  found_ = nullptr;
}

std::string StepperRigid::describe_not_finite(const State& state) const {
  int worst = 0;
  for (int i = 0; i < model_.system.nv; ++i) {
    if (!std::isfinite(next_.v[i])) {
      worst = i;
      break;
    }
  }
  const int body = model_.system.nv > 0 ? find_body_of_v(model_.system, worst) : 0;
  return "body \"" + model_.system.bodies[at(body)].name + "\" at t = " + fmt::format("{:.9g}", state.t) +
         " s: its motion is not finite; try a smaller step (time.step)";
}

}  // namespace stiction
