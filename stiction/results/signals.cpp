#include "stiction/results/signals.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/math/rotation.h"
#include "stiction/results/select_signals.h"
#include "stiction/results/signal_match.h"
#include "stiction/stepping/contact_step_loads.h"

namespace stiction {
namespace {

void write(const Quaternion& q, double* values) {
  values[0] = q.w, values[1] = q.x, values[2] = q.y, values[3] = q.z;
}

void write(const Vec3& x, double* values) {
  Eigen::Map<Vec3>{values} = x;
}

// The angle between two unit vectors, accurate also where they are nearly parallel.
double calc_angle(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// R_FM = R_WF' R_WM
Mat3 calc_relative_rotation(const NamedJoint& joint, const Kinematics& kinematics) {
  const Mat3 R_WF = kinematics.X_WB[static_cast<std::size_t>(joint.parent)].R * joint.X_PF.R;
  const Mat3 R_WM = kinematics.X_WB[static_cast<std::size_t>(joint.child)].R * joint.X_MB.R.transpose();
  return R_WF.transpose() * R_WM;
}

}  // namespace

SignalTable::SignalTable(const System& system, const std::vector<std::string>& patterns, double step)
    : system_(system), equations_(system), joint_loads_(system) {
  const auto asks_for_gaps = [](const std::string& pattern) {
    return pattern.ends_with(".gap") || pattern.find(".closest") != std::string::npos;
  };
  if (std::any_of(patterns.begin(), patterns.end(), asks_for_gaps)) gaps_.emplace(system);
  ContactGroups groups(system.contact, patterns);
  const SignalCatalog catalog = make_signal_catalog(system, groups, gaps_ ? &*gaps_ : nullptr);
  // In the order of the catalog, whatever that of the patterns: groups stay together.
  std::vector<std::size_t> selected = select_signals(catalog.infos, patterns);
  std::sort(selected.begin(), selected.end());
  for (const std::size_t i : selected) {
    const std::string& name = catalog.infos[i].name;
    const auto requests = [&](const std::string& pattern) {
      return asks_for_gaps(pattern) && matches_signal(name, pattern);
    };
    if (catalog.sources[i].quantity == SignalQuantity::contact_gap &&
        std::none_of(patterns.begin(), patterns.end(), requests))
      continue;
    infos_.push_back(catalog.infos[i]);
    sources_.push_back(catalog.sources[i]);
  }
  values_ = VecX::Zero(size());
  const bool has_contacts = std::any_of(sources_.begin(), sources_.end(), [](const SignalSource& source) {
    return source.quantity == SignalQuantity::contact;
  });
  const bool is_compliant = !system.contact.slots.empty();
  has_step_loads_ = !is_compliant && std::any_of(sources_.begin(), sources_.end(), [](const SignalSource& source) {
    return source.quantity == SignalQuantity::joint_force || source.quantity == SignalQuantity::joint_reaction;
  });
  if (has_contacts) contact_loads_.emplace(std::move(groups), is_compliant ? step : 0);
}

void SignalTable::add_step(double dt, const std::vector<ContactRecord>& contacts) {
  if (contact_loads_) contact_loads_->add_step(dt, contacts);
  if (has_step_loads_ && dt > 0) list_contact_loads(system_.contact, contacts, dt, step_loads_);
}

void SignalTable::close_sample() {
  if (contact_loads_) contact_loads_->close_sample();
}

void SignalTable::save(std::vector<double>& memory) const {
  if (contact_loads_) contact_loads_->save(memory);
}

std::optional<std::span<const double>> SignalTable::restore(std::span<const double> memory) {
  const std::size_t size = contact_loads_ ? contact_loads_->memory_size() : 0;
  if (memory.size() < size) return std::nullopt;
  if (contact_loads_) contact_loads_->restore(memory.first(size));
  return memory.subspan(size);
}

void SignalTable::evaluate_energy(const State& state) {
  if (has_step_loads_) {
    list_coordinate_loads(system_, state.z, step_loads_);
    equations_.evaluate(state, step_loads_);
  } else {
    equations_.evaluate(state);
  }
  update_energy(state);
}

const VecX& SignalTable::evaluate(const State& state, const AuditValues& audit) {
  evaluate_energy(state);
  double group[largest_group] = {};
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (i == 0 || !sources_[i].same_group(sources_[i - 1])) calc_group(sources_[i], state, audit, group);
    values_[static_cast<Eigen::Index>(i)] = group[sources_[i].component];
  }
  return values_;
}

void SignalTable::update_energy(const State& state) {
  energy_.kinetic = equations_.kinetic_energy();
  energy_.potential = equations_.potential_energy();
  energy_.layers = system_.layer_energy < 0 ? 0 : state.z[system_.layer_energy];
  energy_.stored = equations_.stored_energy() + energy_.layers;
  energy_.dissipated = state.z[ledger_dissipated];
  energy_.input = state.z[ledger_input];
  energy_.projection = state.z[ledger_projection];
  energy_.friction = state.z[ledger_friction];
  energy_.impact = state.z[ledger_impact];
  energy_.total = energy_.kinetic + energy_.potential + energy_.stored;
  energy_.residual = energy_.total - start_energy_ - energy_.input + energy_.dissipated - energy_.projection;
}

void SignalTable::calc_group(const SignalSource& source, const State& state, const AuditValues& audit, double* values) {
  if (source.quantity <= SignalQuantity::body_tilt) return calc_body_group(source, values);
  if (source.quantity <= SignalQuantity::joint_reaction) return calc_joint_group(source, state, values);
  if (source.quantity == SignalQuantity::contact) {
    const ContactLoads::Load& load = contact_loads_->of(source.index);
    values[0] = load.normal, values[1] = load.tangential.norm(), values[2] = load.depth;
    values[3] = load.normal_impulse;
    write(load.impulse, values + 4);
    values[7] = load.peak;
    values[8] = load.contacts > 0 ? static_cast<double>(load.sticking) / load.contacts : 0;
    values[9] = load.dwell, values[10] = load.deflection, values[11] = load.volume;
    const double size = load.normal_force.norm();
    write(size > 0 ? Vec3(load.normal_force / size) : Vec3(Vec3::Zero()), values + 12);
    write(load.moment, values + 15);
    values[18] = load.shear, values[19] = load.core;
  } else if (source.quantity == SignalQuantity::contact_gap) {
    const ClosestPoints closest = gaps_->calc_closest_points(source.index, equations_.kinematics().X_WB);
    values[0] = closest.gap;
    write(closest.point_a, values + 1);
    write(closest.point_b, values + 4);
    write(closest.normal, values + 7);
  } else if (source.quantity == SignalQuantity::energy) {
    for (const double value :
         {energy_.kinetic, energy_.potential, energy_.stored, energy_.dissipated, energy_.input, energy_.projection,
          energy_.total, energy_.residual, energy_.friction, energy_.impact, energy_.layers}) {
      *values++ = value;
    }
  } else if (source.quantity == SignalQuantity::momentum) {
    Eigen::Map<Vec6>{values} = calc_momentum(system_, equations_.kinematics());
  } else {
    for (const AuditField& field : audit_fields) *values++ = audit.*field.member;
  }
}

void SignalTable::calc_body_group(const SignalSource& source, double* values) const {
  const Transform& X_WB = equations_.kinematics().X_WB[static_cast<std::size_t>(source.index)];
  const Vec6& V_WB = equations_.kinematics().V_WB[static_cast<std::size_t>(source.index)];
  if (source.quantity == SignalQuantity::body_position) write(X_WB.p, values);
  if (source.quantity == SignalQuantity::body_velocity) write(linear(V_WB), values);
  if (source.quantity == SignalQuantity::body_angular_velocity) write(angular(V_WB), values);
  if (source.quantity == SignalQuantity::body_orientation) write(calc_quaternion(X_WB.R), values);
  if (source.quantity == SignalQuantity::body_tilt) *values = calc_angle(X_WB.R.col(2), system_.up);
}

void SignalTable::calc_joint_group(const SignalSource& source, const State& state, double* values) {
  const NamedJoint& joint = system_.named_joints[static_cast<std::size_t>(source.index)];
  const Kinematics& kinematics = equations_.kinematics();
  if (source.quantity == SignalQuantity::joint_reaction) {
    Eigen::Map<Vec6>{values} = joint_loads_.calc_reaction(equations_, state, source.index);
    return;
  }
  if (source.quantity == SignalQuantity::joint_orientation) {
    return write(calc_quaternion(calc_relative_rotation(joint, kinematics)), values);
  }
  // One value a coordinate.
  for (int k = 0; k < calc_nq(joint.kind); ++k) {
    const CoordinateRef ref{source.index, k};
    if (source.quantity == SignalQuantity::joint_force) {
      values[k] = joint_loads_.calc_force(equations_, state, ref);
    } else {
      const auto x = calc_coordinate(system_, kinematics, equations_.q(), equations_.v(), state.z, ref);
      values[k] = source.quantity == SignalQuantity::joint_position ? x.position : x.velocity;
    }
  }
}

}  // namespace stiction
