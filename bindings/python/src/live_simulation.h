#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>

#include "stiction/run/simulation.h"

namespace stiction::python {

/// A simulation with its coordinates and velocities in memory that arrays of numpy share: it stays where it is as long
/// as their number does. A scene changed to another number gets new memory; older arrays keep what they showed last.
///
/// Threads: steps release the interpreter lock. Meanwhile the simulation is leased, and whoever else asks for it gets a
/// RuntimeError: another thread of Python, or a callback of a run. The lease and the shared arrays are changed only by
/// who holds the lock, so that arrays never show half a step.
class LiveSimulation {
 public:
  using Shared = std::shared_ptr<VecX>;
  explicit LiveSimulation(Simulation made) : simulation_(std::move(made)) { update(); }
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;

  Simulation& use() { return check(), simulation_; }
  const Simulation& use() const { return check(), simulation_; }
  /// The arrays show the present state.
  void update() {
    show(simulation_.state().q, q_);
    show(simulation_.state().v, v_);
  }
  const Shared& q() const { return q_; }
  const Shared& v() const { return v_; }

  /// work(simulation) without the interpreter lock; then the arrays show what has become of it.
  template <class Work>
  auto release(const Work& work) {
    check();
    const Lease lease(*this);
    const nanobind::gil_scoped_release unlocked;
    return work(simulation_);
  }

 private:
  /// Made and ended by who holds the lock.
  struct Lease {
    explicit Lease(LiveSimulation& leased) : live(leased) { live.leased_ = true; }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      live.leased_ = false;
      live.update();
    }
    LiveSimulation& live;
  };

  void check() const {
    if (leased_)
      throw std::runtime_error("the simulation is stepping, in another thread or in the run that calls back");
  }
  static void show(const VecX& from, Shared& to) {
    if (to->size() != from.size()) to = std::make_shared<VecX>(from.size());
    *to = from;
  }

  Simulation simulation_;
  Shared q_ = std::make_shared<VecX>(), v_ = std::make_shared<VecX>();
  bool leased_ = false;
};

}  // namespace stiction::python
