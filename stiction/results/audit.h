#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/stepping/stepper.h"

namespace stiction {

/// What the reports of several steps say together: the largest of each measure, the sum of each count.
struct AuditValues {
  double drift = 0;        ///< violation of the constraints [m, rad]
  double drift_rate = 0;   ///< and of their rates [m/s, rad/s]
  double quaternion = 0;   ///< | |quaternion| - 1 |
  double step = 0;         ///< length of a step [s]
  double rejected = 0;     ///< trial steps given up
  double evaluations = 0;  ///< of the right-hand side
  double joint_limit = 0;  ///< excess of a joint over its limits at the end of a step [m, rad]
  // Of contacts (stepping/contact_record.h):
  double penetration = 0;        ///< [m]
  double complementarity = 0;    ///< |gap times normal impulse| [N m s]
  double cone = 0;               ///< friction impulse beyond the cone [N s]
  double layer = 0;              ///< violation of a compliant layer's law, as a deflection [m]
  double dissipation = 0;        ///< energy that friction FED in a step, 0 where it only took [J]
  double residual = 0;           ///< of the problems solved
  double iterations = 0;         ///< of their solver
  double contacts = 0;           ///< most in a problem
  double unknowns = 0;           ///< most of a mixed problem: velocities, impulses of joints and contacts, multipliers
  double unconverged = 0;        ///< problems not solved to the tolerance
  double first_order = 0;        ///< parts of steps taken without locating the impacts in them
  double uncertified = 0;        ///< pairs in contact or within reach, gap not certified, of all steps
  double restitution_lost = 0;   ///< part of a restitution that was given up, as it would have created energy [-]
  double undetermined = 0;       ///< components of impulses that the laws of contact leave open, most in a problem
  double undetermined_part = 0;  ///< by how much, at least, a normal impulse may differ, of the largest of its group
  double undetermined_left = 0;  ///< groups in which no choice was made
  double asleep = 0;             ///< bodies that sleep, in the last of these steps
  double nonlinear_iterations = 0;  ///< stewart_trinkle, nonlinear: of a step
  double nonlinear_change = 0;      ///< and the last change of the velocities [m/s, rad/s]
  double worst_a = -1;              ///< shapes of the contact that penetrates most, by their index; -1: none does
  double worst_b = -1;
};

/// In which runs an audit signal is there.
enum class AuditScope { every_run, limits, contact, layers };

/// The audit's signals: "audit.drift" and so on.
struct AuditField {
  const char* name;
  const char* unit;
  double AuditValues::*member;
  AuditScope scope = AuditScope::every_run;
  bool is_index = false;  ///< says which, not how much: goes with the largest penetration
};
inline constexpr AuditField audit_fields[] = {
    {"drift", "m", &AuditValues::drift},
    {"drift_rate", "m/s", &AuditValues::drift_rate},
    {"quaternion", "1", &AuditValues::quaternion},
    {"step", "s", &AuditValues::step},
    {"rejected", "1", &AuditValues::rejected},
    {"evaluations", "1", &AuditValues::evaluations},
    {"joint_limit", "m", &AuditValues::joint_limit, AuditScope::limits},
    {"penetration", "m", &AuditValues::penetration, AuditScope::contact},
    {"complementarity", "N m s", &AuditValues::complementarity, AuditScope::contact},
    {"cone", "N s", &AuditValues::cone, AuditScope::contact},
    {"layer", "m", &AuditValues::layer, AuditScope::layers},
    {"dissipation", "J", &AuditValues::dissipation, AuditScope::contact},
    {"residual", "1", &AuditValues::residual, AuditScope::contact},
    {"iterations", "1", &AuditValues::iterations, AuditScope::contact},
    {"contacts", "1", &AuditValues::contacts, AuditScope::contact},
    {"unknowns", "1", &AuditValues::unknowns, AuditScope::contact},
    {"unconverged", "1", &AuditValues::unconverged, AuditScope::contact},
    {"first_order", "1", &AuditValues::first_order, AuditScope::contact},
    {"uncertified", "1", &AuditValues::uncertified, AuditScope::contact},
    {"restitution_lost", "1", &AuditValues::restitution_lost, AuditScope::contact},
    {"undetermined", "1", &AuditValues::undetermined, AuditScope::contact},
    {"undetermined_part", "1", &AuditValues::undetermined_part, AuditScope::contact},
    {"undetermined_left", "1", &AuditValues::undetermined_left, AuditScope::contact},
    {"asleep", "1", &AuditValues::asleep, AuditScope::contact},
    {"nonlinear_iterations", "1", &AuditValues::nonlinear_iterations, AuditScope::contact},
    {"nonlinear_change", "m/s", &AuditValues::nonlinear_change, AuditScope::contact},
    {"worst_a", "1", &AuditValues::worst_a, AuditScope::contact, true},
    {"worst_b", "1", &AuditValues::worst_b, AuditScope::contact, true}};

/// Has a run of this system that signal?
bool has_audit_field(const AuditField& field, const System& system);

/// max, but a NaN is worse than any number.
void update_worst(double& worst, double value);

/// Watches every step of a run: what happened since the last sample, and the worst of these over the run. Never
/// allocates in add() and close_sample().
class Audit {
 public:
  /// Of a step that failed only the counts are taken: its state was thrown away.
  void add(const StepReport& report, double quaternion_error, double joint_limit = 0);
  /// The steps so far belong to a sample: the next one begins at none.
  void close_sample();

  const AuditValues& since_sample() const { return since_sample_; }
  const AuditValues& worst() const { return worst_; }  ///< largest value of each signal
  std::int64_t evaluations() const { return evaluations_; }

  /// Everything above as numbers, appended; and back, in the same order. False if there are not as many as needed.
  void save(std::vector<double>& memory) const;
  bool restore(std::span<const double> memory);

 private:
  AuditValues since_sample_, worst_;
  std::int64_t evaluations_ = 0;
};

}  // namespace stiction
