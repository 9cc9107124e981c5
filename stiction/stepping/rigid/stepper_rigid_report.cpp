#include <cmath>

#include "stiction/base/fault.h"
#include "stiction/base/index.h"
#include "stiction/base/text.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

// Modes, checkpoints and messages.

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

/// With sleeping, how many contacts there are stands before them, and who sleeps behind.
std::vector<double> StepperRigid::checkpoint(const State&) {
  std::vector<double> numbers;
  if (sleeping_.is_on()) numbers.push_back(static_cast<double>(memory_.size()));
  for (const ContactMemory& entry : memory_) append_contact_memory(entry, numbers);
  if (sleeping_.is_on()) sleeping_.save(numbers);
  return numbers;
}

void StepperRigid::restore(const State&, const std::vector<double>& numbers) {
  const std::size_t first = sleeping_.is_on() && !numbers.empty() ? 1 : 0;
  const std::size_t count = first > 0 ? static_cast<std::size_t>(numbers[0]) : numbers.size() / contact_memory_size;
  const std::size_t end = first + count * contact_memory_size;
  if (end > numbers.size() || (first == 0 && end < numbers.size()))
    throw IoError("the checkpoint does not fit this program");
  memory_.clear();
  for (std::size_t i = first; i < end; i += contact_memory_size) memory_.push_back(read_contact_memory(&numbers[i]));
  if (first > 0) sleeping_.restore(numbers.data() + end, numbers.size() - end);
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
  return "body \"" + model_.system.bodies[at(body)].name + "\" at t = " + format_number(state.t) +
         " s: its motion is not finite; try a smaller step (time.step)";
}

}  // namespace stiction
