#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <semaphore>
#include <thread>

#include "stiction/base/fault.h"

#include "bindings/python/src/live_simulation.h"
#include "bindings/python/src/module.h"
#include "bindings/python/src/signal_check.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stiction::python {
namespace {

using States = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Controls = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

struct Rollout {
  const SimulationState& start;
  const double* states;    ///< (runs x nq + nv)
  const double* controls;  ///< (runs x control_steps x inputs); those of the last hold
  std::size_t control_steps, steps, width, n_inputs;
  const std::vector<int>& inputs;
  double* result;  ///< (runs x steps x nq + nv)
};

/// Ends when all threads have, or soon after Ctrl-C, which only the thread that called may ask for.
class Crew {
 public:
  explicit Crew(SignalCheck& signals) : signals_(signals) {}
  bool is_stopped() const { return stopped_; }
  /// By the thread that called, now and then.
  void look() {
    if (signals_()) stopped_ = true;
  }
  void end_one() { ended_.release(); }
  void wait_for(std::size_t others) {
    while (others > 0) {
      if (ended_.try_acquire_for(SignalCheck::interval)) --others;
      look();
    }
  }

 private:
  SignalCheck& signals_;
  std::atomic<bool> stopped_ = false;
  std::counting_semaphore<> ended_{0};
};

/// One run, on a simulation that only this thread has. Where a step fails, the rest of the rows is NaN.
/// `between_steps`: true ends it.
template <class Check>
void run_one(const Rollout& rollout, std::size_t run, Simulation& simulation, const Check& between_steps) {
  simulation.restore(rollout.start);
  State state = simulation.state();
  const double* from = rollout.states + run * rollout.width;
  std::copy_n(from, state.q.size(), state.q.data());
  std::copy_n(from + state.q.size(), state.v.size(), state.v.data());
  simulation.set_state(state);
  double* to = rollout.result + run * rollout.steps * rollout.width;
  std::fill_n(to, rollout.steps * rollout.width, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t step = 0; step < rollout.steps; ++step, to += rollout.width) {
    if (step < rollout.control_steps) {
      const double* control = rollout.controls + (run * rollout.control_steps + step) * rollout.n_inputs;
      for (std::size_t k = 0; k < rollout.n_inputs; ++k) simulation.set_input(rollout.inputs[k], control[k]);
    }
    if (simulation.step().status != StepStatus::ok || between_steps()) return;
    std::copy(simulation.state().q.begin(), simulation.state().q.end(), to);
    std::copy(simulation.state().v.begin(), simulation.state().v.end(), to + simulation.state().q.size());
  }
}

/// With the number of the run, from 0, where its input is wrong.
[[noreturn]] void rethrow(const std::exception_ptr& error, std::size_t run) {
  try {
    std::rethrow_exception(error);
  } catch (const InputError& input) {
    std::vector<Fault> faults = input.faults();
    for (Fault& fault : faults) fault.message = "run " + std::to_string(run) + ": " + fault.message;
    throw InputError(std::move(faults));
  }
}

/// All runs, on so many threads, each with a simulation of its own: who takes which run does not matter.
void run_all(const Rollout& rollout, std::size_t runs, std::size_t threads, const Scene& scene, SignalCheck& signals) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> errors(runs + threads);  // of the runs, and of what comes before them
  Crew crew(signals);
  const auto work = [&](std::size_t thread) {
    const auto between_steps = [&] {
      if (thread == 0) crew.look();
      return crew.is_stopped();
    };
    std::size_t run = runs + thread;
    try {
      Simulation own(scene);
      for (run = next++; run < runs && !crew.is_stopped(); run = next++) run_one(rollout, run, own, between_steps);
    } catch (...) {
      errors[run] = std::current_exception();
    }
    if (thread != 0) crew.end_one();
  };
  {
    std::vector<std::jthread> pool;
    for (std::size_t thread = 1; thread < threads; ++thread) pool.emplace_back(work, thread);
    work(0);
    crew.wait_for(pool.size());
  }
  // All runs before the first that fails are taken, whoever takes them.
  for (std::size_t run = 0; run < errors.size(); ++run) {
    if (errors[run]) run < runs ? rethrow(errors[run], run) : std::rethrow_exception(errors[run]);
  }
}

nb::ndarray<nb::numpy, double> rollout(LiveSimulation& live, const States& states, const Controls& controls,
                                       const std::vector<std::string>& names, std::size_t steps, int threads) {
  const auto width = static_cast<std::size_t>(live.q()->size() + live.v()->size());
  const std::size_t runs = states.shape(0), n_inputs = names.size();
  if (states.shape(1) != width) throw InputError("states must have nq + nv = " + std::to_string(width) + " columns");
  if (controls.shape(0) != runs || controls.shape(2) != n_inputs)
    throw InputError("controls must have the shape (runs, steps, inputs)");
  if (threads < 1) throw InputError("threads must be at least 1, got " + std::to_string(threads));
  std::vector<int> inputs;
  for (const std::string& name : names) inputs.push_back(live.use().find_input(name));
  auto data = std::make_unique<std::vector<double>>(runs * steps * width);
  SignalCheck signals;
  live.release([&](Simulation& simulation) {
    const SimulationState start = simulation.save();
    const Rollout all{start, states.data(), controls.data(), controls.shape(1), steps,
                      width, n_inputs,      inputs,          data->data()};
    run_all(all, runs, std::min(static_cast<std::size_t>(threads), std::max<std::size_t>(runs, 1)), simulation.scene(),
            signals);
  });
  signals.rethrow();
  std::vector<double>* shared = data.release();
  nb::capsule owner(shared, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double>(shared->data(), {runs, steps, width}, owner);
}

}  // namespace

void bind_rollout(nb::module_& module) {
  module.def("rollout", rollout, "simulation"_a, "states"_a, "controls"_a, "inputs"_a, "steps"_a, "threads"_a,
             "Many runs at once; see stiction.rollout.");
}

}  // namespace stiction::python
