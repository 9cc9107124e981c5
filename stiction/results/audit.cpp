#include "stiction/results/audit.h"

#include <algorithm>
#include <cmath>

namespace stiction {

void update_worst(double& worst, double value) {
  if (!(value <= worst) && !std::isnan(worst)) worst = value;
}

bool has_audit_field(const AuditField& field, const System& system) {
  if (field.scope == AuditScope::contact) return system.contact.in_use;
  if (field.scope == AuditScope::every_run) return true;
  if (field.scope == AuditScope::layers) return system.contact.has_layers();
  return has_rigid_limits(system);
}

namespace {

// Whose penetration is the largest so far.
void update_worst_contact(AuditValues& worst, double penetration, double a, double b) {
  if (penetration > worst.penetration) worst.worst_a = a, worst.worst_b = b;
}

}  // namespace

void Audit::add(const StepReport& report, double quaternion_error, double joint_limit) {
  evaluations_ += report.evaluations;
  since_sample_.evaluations += report.evaluations;
  since_sample_.rejected += report.rejected;
  const ContactAudit& contact = report.contact;
  if (report.status != StepStatus::ok) return;
  update_worst(since_sample_.residual, contact.residual);
  since_sample_.unconverged += contact.unconverged;
  update_worst(since_sample_.nonlinear_iterations, contact.nonlinear_iterations);
  update_worst(since_sample_.nonlinear_change, contact.nonlinear_change);
  update_worst(since_sample_.drift, report.drift);
  update_worst(since_sample_.drift_rate, report.drift_rate);
  update_worst(since_sample_.quaternion, quaternion_error);
  update_worst(since_sample_.step, report.h);
  update_worst(since_sample_.joint_limit, joint_limit);
  update_worst_contact(since_sample_, contact.penetration, contact.worst_a, contact.worst_b);
  update_worst(since_sample_.penetration, contact.penetration);
  update_worst(since_sample_.complementarity, contact.complementarity);
  update_worst(since_sample_.cone, contact.cone);
  update_worst(since_sample_.layer, contact.layer);
  update_worst(since_sample_.dissipation, -contact.dissipation);
  since_sample_.iterations += contact.iterations;
  update_worst(since_sample_.contacts, contact.contacts);
  update_worst(since_sample_.unknowns, contact.unknowns);
  since_sample_.first_order += contact.first_order;
  since_sample_.uncertified += contact.uncertified;
  update_worst(since_sample_.restitution_lost, contact.restitution_lost);
  update_worst(since_sample_.undetermined, contact.undetermined.components);
  update_worst(since_sample_.undetermined_part, contact.undetermined.part);
  since_sample_.undetermined_left += contact.undetermined.left;
  since_sample_.asleep = contact.asleep;
}

void Audit::close_sample() {
  update_worst_contact(worst_, since_sample_.penetration, since_sample_.worst_a, since_sample_.worst_b);
  for (const AuditField& field : audit_fields) {
    if (!field.is_index) update_worst(worst_.*field.member, since_sample_.*field.member);
  }
  since_sample_ = {};
}

void Audit::save(std::vector<double>& memory) const {
  memory.push_back(static_cast<double>(evaluations_));
  for (const AuditValues* values : {&since_sample_, &worst_}) {
    for (const AuditField& field : audit_fields) memory.push_back(values->*field.member);
  }
}

bool Audit::restore(std::span<const double> memory) {
  if (memory.size() != 1 + 2 * std::size(audit_fields)) return false;
  auto next = memory.begin();
  evaluations_ = static_cast<std::int64_t>(*next++);
  for (AuditValues* values : {&since_sample_, &worst_}) {
    for (const AuditField& field : audit_fields) values->*field.member = *next++;
  }
  return true;
}

}  // namespace stiction
