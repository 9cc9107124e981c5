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
  // Of contacts (stepping/contact_record.h):
  double penetration = 0;      ///< [m]
  double complementarity = 0;  ///< |gap times normal impulse| [N m s]
  double cone = 0;             ///< friction impulse beyond the cone [N s]
  double dissipation = 0;      ///< energy that friction FED in a step, 0 where it only took [J]
  double residual = 0;         ///< of the problems solved
  double iterations = 0;       ///< of their solver
  double contacts = 0;         ///< most in a problem
  double unknowns = 0;         ///< most of a mixed problem: velocities, impulses of joints and contacts, multipliers
  double unconverged = 0;      ///< problems not solved to the tolerance
  double asleep = 0;           ///< bodies that sleep, in the last of these steps
  double nonlinear_iterations = 0;  ///< stewart_trinkle, nonlinear: of a step
  double nonlinear_change = 0;      ///< and the last change of the velocities [m/s, rad/s]
  double worst_a = -1;              ///< shapes of the contact that penetrates most, by their index; -1: none does
  double worst_b = -1;
};

/// The audit's signals: "audit.drift" and so on.
struct AuditField {
  const char* name;
  const char* unit;
  double AuditValues::*member;
  bool of_contact = false;  ///< there only in runs with contact
  bool is_index = false;    ///< says which, not how much: goes with the largest penetration
};
inline constexpr AuditField audit_fields[] = {{"drift", "m", &AuditValues::drift},
                                              {"drift_rate", "m/s", &AuditValues::drift_rate},
                                              {"quaternion", "1", &AuditValues::quaternion},
                                              {"step", "s", &AuditValues::step},
                                              {"rejected", "1", &AuditValues::rejected},
                                              {"evaluations", "1", &AuditValues::evaluations},
                                              {"penetration", "m", &AuditValues::penetration, true},
                                              {"complementarity", "N m s", &AuditValues::complementarity, true},
                                              {"cone", "N s", &AuditValues::cone, true},
                                              {"dissipation", "J", &AuditValues::dissipation, true},
                                              {"residual", "1", &AuditValues::residual, true},
                                              {"iterations", "1", &AuditValues::iterations, true},
                                              {"contacts", "1", &AuditValues::contacts, true},
                                              {"unknowns", "1", &AuditValues::unknowns, true},
                                              {"unconverged", "1", &AuditValues::unconverged, true},
                                              {"asleep", "1", &AuditValues::asleep, true},
                                              {"nonlinear_iterations", "1", &AuditValues::nonlinear_iterations, true},
                                              {"nonlinear_change", "m/s", &AuditValues::nonlinear_change, true},
                                              {"worst_a", "1", &AuditValues::worst_a, true, true},
                                              {"worst_b", "1", &AuditValues::worst_b, true, true}};

/// max, but a NaN is worse than any number.
void update_worst(double& worst, double value);

/// Watches every step of a run: what happened since the last sample, and the worst of these over the run. Never
/// allocates in add() and close_sample().
class Audit {
 public:
  /// Of a step that failed only the counts are taken: its state was thrown away.
  void add(const StepReport& report, double quaternion_error);
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
