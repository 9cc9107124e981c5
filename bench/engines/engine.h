#pragma once

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/engines/scene.h"

namespace stiction::engines {

/// A scene an engine cannot do, and why.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One engine, one world. The benchmark measures with poses alone; an engine is asked for nothing it might flatter.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Advance by Scene::h.
  virtual void step() = 0;
  /// Poses of all bodies, in the order of the scene.
  virtual void read(std::vector<Pose>& poses) const = 0;
  /// Processor time of the last step [s], where the engine runs in a process of its own; else not a number.
  virtual double own_seconds() const { return std::numeric_limits<double>::quiet_NaN(); }
  /// The largest residual of its contact problems since the last call, where the engine tells one; else not a number.
  virtual double take_residual() { return std::numeric_limits<double>::quiet_NaN(); }
  /// How many steps since the last call the engine itself counts as not solved, where it tells; else -1.
  virtual int take_unsolved() { return -1; }
  /// Settings that are not the engine's defaults, and what it did instead of what the scene asks for.
  virtual std::string remark() const { return {}; }
};

/// Each adapter defines this once; a program holds one adapter. `variant` chooses among an engine's methods ("" where
/// it has one). Throws Unsupported.
std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& variant);

}  // namespace stiction::engines
