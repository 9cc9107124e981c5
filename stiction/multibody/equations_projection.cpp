#include <algorithm>
#include <limits>

#include "stiction/multibody/equations.h"

namespace stiction {
namespace {

constexpr int max_projection_steps = 10;
constexpr int max_assembly_steps = 100;
constexpr int max_velocity_steps = 4;
constexpr int max_halvings = 10;
/// A step that leaves more than this part of the error asks for a new factorisation.
constexpr double good_reduction = 0.1;
/// Projection::converged allows this many tolerances.
constexpr double allowance = 100;

/// Infinite if any entry is not finite.
double calc_largest(const VecX& x) {
  return x.allFinite() ? x.lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
}

}  // namespace

Equations::Drift Equations::calc_drift(double t, const VecX& q, const VecX& v, const VecX& z) {
  if (constraints_.empty()) return {};
  set_state(t, q, v, delta_);
  update_positions(system_, q_, kinematics_);
  update_velocities(system_, v_, kinematics_);
  constraints_.update_positions(make_instant(t, z));
  constraints_.update_velocities(make_instant(t, z));
  return measure_drift();
}

Equations::Projection Equations::project(State& state, double tolerance) {
  normalize_quaternions(kinematics_.plan, state.q);
  if (!prescribed_.empty()) update_prescribed(system_, kinematics_.plan, state.t, state.q, state.v, delta_);
  if (constraints_.empty()) return {};
  Projection result;
  result.drift = calc_drift(state.t, state.q, state.v, state.z);
  const Limits limits = calc_limits(tolerance);
  if (result.drift.position > limits.position || result.drift.velocity > limits.velocity) {
    const double energy = calc_energy(state);
    result = bring_onto_constraints(state, tolerance, max_projection_steps);
    state.z[ledger_projection] += calc_energy(state) - energy;
  }
  follow_turns(state);
  return result;
}

Equations::Projection Equations::assemble(State& state, double tolerance) {
  normalize_quaternions(kinematics_.plan, state.q);
  if (!prescribed_.empty()) update_prescribed(system_, kinematics_.plan, state.t, state.q, state.v, delta_);
  if (constraints_.empty()) return {};
  calc_drift(state.t, state.q, state.v, state.z);
  const Projection result = bring_onto_constraints(state, tolerance, max_assembly_steps);
  follow_turns(state);
  return result;
}

Equations::Limits Equations::calc_limits(double tolerance) const {
  return {std::max(tolerance, constraints_.position_rounding()), std::max(tolerance, constraints_.velocity_rounding())};
}

Equations::Drift Equations::measure_drift() const {
  Drift drift;
  Eigen::Index worst = 0;
  constraints_.phi().cwiseAbs().maxCoeff(&worst);
  drift.position = calc_largest(constraints_.phi());
  drift.velocity = calc_largest(constraints_.rate());
  drift.worst_constraint = constraints_.constraint_of(static_cast<int>(worst));
  return drift;
}

double Equations::calc_energy(const State& state) {
  update_forces(state.t, state.z, state.modes);
  return kinetic_energy() + potential_energy() + stored_energy();
}

Equations::Projection Equations::bring_onto_constraints(State& state, double tolerance, int max_steps) {
  Projection result;
  factors_serve_ = false;
  result.iterations = project_positions(state, tolerance, max_steps);
  // After several steps the factors belong to another configuration.
  if (result.iterations > 1) factors_serve_ = false;
  project_velocities(state, tolerance);
  state.q = q_;
  state.v = v_;
  result.drift = measure_drift();
  const Limits allowed = calc_limits(allowance * tolerance);
  result.converged = result.drift.position <= allowed.position && result.drift.velocity <= allowed.velocity;
  return result;
}

int Equations::project_positions(const State& state, double tolerance, int max_steps) {
  int steps = 0;
  while (steps < max_steps && calc_largest(constraints_.phi()) > calc_limits(tolerance).position) {
    const bool fresh = !factors_serve_;
    if (fresh) factorize();
    const double error = constraints_.phi().norm();
    // dq = -M^-1 g' A^-1 phi
    calc_correction(constraints_.phi());
    ++steps;
    const bool declined = take_step(state, error);
    if (!declined && fresh) break;
    factors_serve_ = declined && constraints_.phi().norm() < good_reduction * error;
  }
  return steps;
}

bool Equations::take_step(const State& state, double error) {
  q_start_ = q_;
  for (int halvings = 0; halvings <= max_halvings; ++halvings) {
    q_ = q_start_;
    add_displacement(kinematics_.plan, delta_, q_);
    update_positions(system_, q_, kinematics_);
    constraints_.update_positions(make_instant(state.t, state.z));
    if (constraints_.phi().norm() < error) return true;
    delta_ *= 0.5;
  }
  // No way down along this direction: back to where it started.
  q_ = q_start_;
  update_positions(system_, q_, kinematics_);
  constraints_.update_positions(make_instant(state.t, state.z));
  return false;
}

void Equations::project_velocities(const State& state, double tolerance) {
  for (int steps = 0;; ++steps) {
    update_velocities(system_, v_, kinematics_);
    constraints_.update_velocities(make_instant(state.t, state.z));
    if (steps == max_velocity_steps) return;
    const double error = calc_largest(constraints_.rate());
    if (error <= calc_limits(tolerance).velocity) return;
    // A second step is due only where the factors were those of another configuration, or for the last digits.
    if (!factors_serve_ || steps > 1) factorize();
    calc_correction(constraints_.rate());
    v_ += delta_;
  }
}

void Equations::factorize() {
  update_articulated_inertia(system_, kinematics_, dynamics_);
  constraints_.factorize(kinematics_, dynamics_, system_.nv);
  factors_serve_ = true;
}

void Equations::calc_correction(const VecX& error) {
  multiplier_ = -error;
  constraints_.solve_in_place(multiplier_);
  delta_.noalias() = constraints_.inverse_mass_jacobian() * multiplier_;
}

void Equations::follow_turns(State& state) const {
  for (const Turning& angle : turning_)
    state.z[angle.z_index] = calc_coordinate_position(system_, kinematics_, state.q, state.z, angle.coordinate);
}

}  // namespace stiction
