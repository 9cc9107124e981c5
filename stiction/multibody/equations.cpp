#include "stiction/multibody/equations.h"

namespace stiction {

Equations::Equations(const System& system)
    : system_(system),
      kinematics_(system),
      dynamics_(system),
      forces_(system),
      contacts_(system),
      constraints_(system),
      unit_(system),
      mode_elements_(system.n_modes, nullptr),
      mode_infos_(system.n_modes),
      q_(VecX::Zero(system.nq)),
      v_(VecX::Zero(system.nv)),
      dq_(VecX::Zero(system.nq)),
      dv_(VecX::Zero(system.nv)),
      dz_(VecX::Zero(system.nz)),
      lambda_(VecX::Zero(constraints_.size())),
      tau_applied_(VecX::Zero(system.nv)),
      delta_(VecX::Zero(system.nv)),
      multiplier_(VecX::Zero(constraints_.size())),
      q_start_(VecX::Zero(system.nq)) {
  for (int b = 0; b < system.n_bodies(); ++b)
    if (system.joints[b].prescribed()) prescribed_.push_back(b);
  for (std::size_t j = 0; j < system.named_joints.size(); ++j) {
    const NamedJoint& joint = system.named_joints[j];
    if (joint.form != JointForm::constraint || joint.turns_start < 0) continue;
    for (int k = 0; k < calc_nq(joint.kind); ++k) {
      const int turn = find_turn(joint.kind, k);
      if (turn >= 0) turning_.push_back({{static_cast<int>(j), k}, joint.turns_start + turn});
    }
  }
  for (const Force& force : system.forces) {
    if (const auto* friction = std::get_if<JointFriction>(&force.kind)) {
      memory_.insert(memory_.end(), {friction->z_start, friction->z_start + 1});
      if (friction->feels_load()) {
        memory_.push_back(friction->energy_entry());
        loaded_.push_back(friction);
      }
    }
    const int mode = find_mode(force);
    if (mode < 0) continue;
    mode_elements_[mode] = &force;
    mode_infos_[mode] = make_mode_info(force);
  }
  for (int i = 0; i < contacts_.size(); ++i)
    mode_infos_[system.contact.slots[i].touch_mode] = {contacts_.name_of(i), "impact", "release"};
}

void Equations::evaluate(double t, const VecX& q, const VecX& v, const VecX& z, const std::vector<int>& modes) {
  set_state(t, q, v, dv_);
  update_positions(system_, q_, kinematics_);
  update_velocities(system_, v_, kinematics_);
  calc_rates(kinematics_.plan, q_, v_, dq_);
  const bool driven = !prescribed_.empty(), constrained = !constraints_.empty();
  const bool loaded = loads_ || had_loads_;
  if (!system_.forces.empty() || !contacts_.empty() || driven || constrained || loaded) update_forces(t, z, modes);
  had_loads_ = loads_ != nullptr;
  update_articulated_inertia(system_, kinematics_, dynamics_);
  if (driven || constrained) tau_applied_ = forces_.tau;
  calc_forward_dynamics(system_, kinematics_, dynamics_, forces_.F, forces_.tau, dv_);
  if (constrained) apply_constraints(t, z);
  for (const JointFriction* friction : loaded_) {
    const double load = calc_load(friction->coordinate, friction->slides);
    dz_[friction->load_entry()] = (load - z[friction->load_entry()]) / friction->load_time;
  }
  update_ledger_rates();
  if (!turning_.empty()) update_turn_rates(z);
}

void Equations::evaluate(const State& state, const StepLoads& loads) {
  loads_ = &loads;
  evaluate(state);
  loads_ = nullptr;
}

void Equations::set_state(double t, const VecX& q, const VecX& v, VecX& vdot) {
  // Plain loops: the vectors are short.
  for (Eigen::Index i = 0; i < q_.size(); ++i) q_[i] = q[i];
  for (Eigen::Index i = 0; i < v_.size(); ++i) v_[i] = v[i];
  if (!prescribed_.empty()) update_prescribed(system_, kinematics_.plan, t, q_, v_, vdot);
}

void Equations::update_forces(double t, const VecX& z, const std::vector<int>& modes) {
  forces_.set_zero();
  const Instant instant = make_instant(t, z);
  if (!system_.forces.empty()) add_forces(instant, modes, forces_);
  for (const int entry : memory_) dz_[entry] = forces_.memory_rate[entry];
  if (!contacts_.empty()) contacts_.add_forces(instant, modes, forces_, dz_);
  if (!loads_) return;
  for (const auto& [body, point, force, moment] : loads_->on_bodies) {
    forces_.F[body].head<3>() += moment + (point - kinematics_.X_WB[body].p).cross(force);
    forces_.F[body].tail<3>() += force;
  }
  for (const auto& [coordinate, force] : loads_->on_coordinates)
    add_coordinate_force(system_, kinematics_, coordinate, force, forces_.F, forces_.tau);
}

void Equations::apply_constraints(double t, const VecX& z) {
  const Instant instant = make_instant(t, z);
  constraints_.update_positions(instant);
  constraints_.update_velocities(instant);
  constraints_.update_bias(instant);
  constraints_.factorize(kinematics_, dynamics_, system_.nv);
  // A lambda = -(g vdot + gamma), vdot of the motion without constraint forces
  lambda_.noalias() = constraints_.jacobian_transposed().transpose() * dv_;
  lambda_ = -lambda_ - constraints_.gamma();
  constraints_.solve_in_place(lambda_);
  // The final motion, with the constraint forces on bodies and coordinates.
  forces_.tau = tau_applied_;
  constraints_.add_forces(kinematics_, lambda_, forces_);
  tau_applied_ = forces_.tau;
  calc_forward_dynamics(system_, kinematics_, dynamics_, forces_.F, forces_.tau, dv_);
}

/// The axis of a coordinate that slides, world axes.
Vec3 Equations::calc_slide_axis(const NamedJoint& joint, CoordinateRef coordinate) {
  if (joint.form == JointForm::tree) return kinematics_.H[joint.child].col(coordinate.component).tail<3>().normalized();
  unit_.F[joint.parent].setZero();
  unit_.F[joint.child].setZero();
  add_coordinate_force(system_, kinematics_, coordinate, 1.0, unit_.F, unit_.tau);
  return unit_.F[joint.child].tail<3>().normalized();
}

double Equations::calc_load(CoordinateRef coordinate, bool slides) {
  const NamedJoint& joint = system_.named_joints[coordinate.joint];
  const Vec6 F =
      joint.form == JointForm::tree ? calc_joint_force(joint.child) : calc_constraint_force(joint.constraint);
  Vec3 reaction = F.tail<3>();
  if (slides) {
    const Vec3 along = calc_slide_axis(joint, coordinate);
    reaction -= along * along.dot(reaction);
  }
  return reaction.norm();
}

void Equations::update_ledger_rates() {
  dz_[ledger_input] = forces_.input_power;
  dz_[ledger_dissipated] = forces_.dissipated_power;
  if (!contacts_.empty() || !system_.forces.empty()) {
    dz_[ledger_friction] = forces_.friction_power;
    dz_[ledger_impact] = forces_.impact_power;
    dz_[ledger_projection] = forces_.stabilisation_power;
  }
  if (!prescribed_.empty()) dz_[ledger_input] += calc_drive_power();
  if (constraints_.empty()) return;
  // lambda . (g v), g v = phidot - phi_t: the moving constraints feed in, the drift is the projection's affair.
  dz_[ledger_input] -= lambda_.dot(constraints_.phi_t());
  dz_[ledger_projection] = forces_.stabilisation_power + lambda_.dot(constraints_.rate());
}

double Equations::calc_drive_power() const {
  double power = 0;
  for (const int b : prescribed_) {
    const Joint& joint = system_.joints[b];
    for (int i = joint.v_start; i < joint.v_start + joint.nv; ++i) power += (forces_.tau[i] - tau_applied_[i]) * v_[i];
  }
  return power;
}

void Equations::update_turn_rates(const VecX& z) {
  for (const Turning& angle : turning_)
    dz_[angle.z_index] = calc_coordinate(system_, kinematics_, q_, v_, z, angle.coordinate).velocity;
}

Vec6 Equations::calc_constraint_force(int constraint) const {
  return constraints_.calc_force_on_b(constraint, lambda_);
}

void Equations::calc_guards(double t, const VecX& q, const VecX& v, const VecX& z, VecX& guards) {
  set_state(t, q, v, delta_);
  update_positions(system_, q_, kinematics_);
  guards.resize(system_.n_modes);
  const Instant instant = make_instant(t, z);
  for (std::size_t i = 0; i < mode_elements_.size(); ++i)
    if (mode_elements_[i] != nullptr) guards[i] = calc_guard(*mode_elements_[i], instant);
  if (!contacts_.empty()) contacts_.calc_guards(instant, guards);
}

void Equations::read_guards(const VecX& z, VecX& guards) {
  const Instant instant = make_instant(0, z);
  for (std::size_t i = 0; i < mode_elements_.size(); ++i)
    if (mode_elements_[i] != nullptr) guards[i] = calc_guard(*mode_elements_[i], instant);
  for (int i = 0; i < contacts_.size(); ++i) guards[system_.contact.slots[i].touch_mode] = -contacts_.calc_gap(i);
}

void Equations::place(const State& state) {
  set_state(state.t, state.q, state.v, delta_);
  update_positions(system_, q_, kinematics_);
  update_velocities(system_, v_, kinematics_);
}

void Equations::switch_contact(int mode, State& state, std::optional<double> impact_speed) {
  for (int i = 0; i < contacts_.size(); ++i) {
    if (system_.contact.slots[i].touch_mode != mode) continue;
    place(state);
    contacts_.switch_touching(i, state.modes[mode] != 0, make_instant(state.t, state.z), state.z, impact_speed);
    return;
  }
}

std::optional<double> Equations::find_approach(int mode, const State& state) {
  for (int i = 0; i < contacts_.size(); ++i) {
    if (system_.contact.slots[i].touch_mode != mode) continue;
    place(state);
    return contacts_.calc_approach(i, make_instant(state.t, state.z));
  }
  return std::nullopt;
}

std::span<const CompliantContacts::Observed> Equations::observe_contacts(const State& state) {
  place(state);
  contacts_.add_forces(make_instant(state.t, state.z), state.modes, forces_, dz_);
  return contacts_.observed();
}

void Equations::correct_contacts(State& state) {
  if (!contacts_.has_followed()) return;
  place(state);
  contacts_.correct(make_instant(state.t, state.z), state.z);
}

}  // namespace stiction
