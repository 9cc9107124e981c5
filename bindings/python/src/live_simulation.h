#pragma once

#include "stiction/run/simulation.h"

namespace stiction::python {

/// A simulation with its coordinates and velocities in memory that stays where it is, so that arrays of numpy can show
/// them.
struct LiveSimulation {
  explicit LiveSimulation(Simulation made) : simulation(std::move(made)) { update(); }
  void update() {
    q = simulation.state().q;
    v = simulation.state().v;
  }
  Simulation simulation;
  VecX q, v;
};

}  // namespace stiction::python
