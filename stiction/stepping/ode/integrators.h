#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/stepping/ode/ode.h"

namespace stiction {

/// One line of the table of integrators: `method.integrator` names it. A new integrator joins here, and with that the
/// conformance tests, the scene reader and the reference.
struct IntegratorInfo {
  std::string name;
  int order = 0;          ///< the highest, where it varies
  bool adaptive = false;  ///< uses tolerances instead of time.step, locates events
  std::string description;
  std::unique_ptr<OdeIntegrator> (*make)(OdeProblem& problem, const OdeSettings& settings) = nullptr;
  double strictness = 1;  ///< adaptive: the part of the tolerances that it holds itself to
};

const std::vector<IntegratorInfo>& integrators();
/// Null if there is none of that name.
const IntegratorInfo* find_integrator(std::string_view name);

}  // namespace stiction
