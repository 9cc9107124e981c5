#pragma once

#include <memory>

#include "stiction/run/simulation.h"

namespace stiction::python {

/// A simulation with its coordinates and velocities in memory that arrays of numpy share: it stays where it is as long
/// as their number does. A scene changed to another number gets new memory; older arrays keep what they showed last.
struct LiveSimulation {
  using Shared = std::shared_ptr<VecX>;
  explicit LiveSimulation(Simulation made) : simulation(std::move(made)) { update(); }
  void update() {
    show(simulation.state().q, q);
    show(simulation.state().v, v);
  }
  Simulation simulation;
  Shared q = std::make_shared<VecX>(), v = std::make_shared<VecX>();

 private:
  static void show(const VecX& from, Shared& to) {
    if (to->size() != from.size()) to = std::make_shared<VecX>(from.size());
    *to = from;
  }
};

}  // namespace stiction::python
