#include "stiction/stepping/rigid/joint_load.h"

#include <cmath>

#include "stiction/stepping/contact_step_loads.h"

namespace stiction {

void JointLoad::update(const std::vector<ContactRecord>& contacts, double h, Equations& equations, State& end) {
  list_contact_loads(model_.system.contact, contacts, h, loads_);
  list_coordinate_loads(model_.system, end.z, loads_);
  equations.evaluate(end, loads_);
  for (const GuardedCoordinate& coordinate : model_.coordinates) {
    if (!coordinate.feels_load()) continue;
    // (2)
    const double R = equations.calc_load(coordinate.ref, coordinate.slides);
    double& L = end.z[coordinate.load_entry];
    L = R + (L - R) * std::exp(-h / coordinate.load_time);
  }
}

}  // namespace stiction
