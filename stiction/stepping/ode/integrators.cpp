#include "stiction/stepping/ode/integrators.h"

#include <algorithm>

#include "stiction/stepping/ode/ode_cvode.h"
#include "stiction/stepping/ode/ode_dormand_prince.h"
#include "stiction/stepping/ode/ode_runge_kutta.h"

namespace stiction {
namespace {

using Made = std::unique_ptr<OdeIntegrator>;

template <const Tableau& (*tableau)()>
Made make_runge_kutta(OdeProblem& problem, const OdeSettings& settings) {
  return std::make_unique<RungeKutta>(problem, settings, tableau());
}

template <class Method>
Made make_plain(OdeProblem& problem, const OdeSettings& settings) {
  return std::make_unique<Method>(problem, settings);
}

template <CvodeMethod method>
Made make_cvode(OdeProblem& problem, const OdeSettings& settings) {
  return std::make_unique<Cvode>(problem, settings, method);
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> table = {
      {"semi_implicit_euler", 1, false, "Velocities first, then positions with the new velocities; symplectic.",
       make_plain<SemiImplicitEuler>},
      {"rk1", 1, false, "Explicit Euler.", make_runge_kutta<tableau_euler>},
      {"rk2", 2, false, "Runge-Kutta, midpoint rule.", make_runge_kutta<tableau_midpoint>},
      {"rk3", 3, false, "Runge-Kutta of Bogacki and Shampine.", make_runge_kutta<tableau_bogacki_shampine>},
      {"rk4", 4, false, "Classical Runge-Kutta.", make_runge_kutta<tableau_classical>},
      {"rk5", 5, false, "Runge-Kutta of Dormand and Prince with a fixed step.",
       make_runge_kutta<tableau_dormand_prince>},
      {"dormand_prince", 5, true, "Dormand-Prince 5(4) with error control, dense output and located events.",
       make_plain<DormandPrince>},
      {"cvode_bdf", 5, true, "SUNDIALS CVODE, backward differentiation: for stiff systems.",
       make_cvode<CvodeMethod::bdf>, cvode_strictness},
      {"cvode_adams", 12, true, "SUNDIALS CVODE, Adams-Moulton: for smooth systems that are costly to evaluate.",
       make_cvode<CvodeMethod::adams>, cvode_strictness},
  };
  return table;
}

const IntegratorInfo* find_integrator(std::string_view name) {
  const auto& table = integrators();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& info) { return info.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace stiction
