#pragma once

#include <limits>
#include <vector>

#include "stiction/stepping/rigid/contact_memory.h"
#include "stiction/stepping/rigid/rigid_model.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// Sleeping: bodies that have been at rest for `sleep` seconds are left out of the steps until something pushes them.
/// It saves time and nothing else; bodies rest without it, too.
///
/// AT REST is a body at the end of a step where
///     |v| + |w| size <= sleep_speed,   and none of its loaded contacts slips                                     (1)
/// with v of its origin and size the distance from there to its farthest point, or more: so no point of it is faster.
/// Slip is what goes beyond that which contacts that stick have left: 1e-7 m/s, and ten times the solver's tolerance
/// and the residual of the step. Its clock starts at the end of the first such step and starts anew after every step
/// that violates (1).
///
/// WHO: free, planar and point-like bodies on which nothing acts but gravity, which is constant, and contact: no joint,
/// no constraint, no force element is attached. They fall asleep in groups that lean on one another, when all of the
/// group have been at rest for `sleep`, and the group leans on something fixed. A group that also leans on a body that
/// may not sleep (a driven one, one with joints) or on a belt stays awake.
///
/// ASLEEP: v = 0 exactly, q does not change, gravity does not act, contacts with what is fixed or asleep are not
/// looked for. The forces of the step before are recorded in every step: they balance the weight as well as that step
/// did. The kinetic energy that was left, at most that of sleep_speed, is entered in the ledger as stabilisation.
///
/// WAKING: of a whole group, as soon as an impulse acts on one of its members; contacts with bodies that are awake are
/// sought as ever. The island is taken again from the start of the step with the group awake, its forces the warm
/// start.
///
/// CANNOT DO: motion below sleep_speed is not told from rest: what rolls so slowly, or rocks and turns back, and what
/// stands on its tip by chance, falls asleep. One member that moves keeps its whole group awake: in a large pile some
/// balls spin for ever where no law brakes their spin, and a sleep_speed above theirs is needed.
class Sleeping {
 public:
  explicit Sleeping(const RigidModel& model);

  bool is_on() const { return delay_ > 0; }
  int count() const { return static_cast<int>(asleep_.size()); }
  /// Contacts between two such shapes are not looked for: it is asleep, or fixed. None is while sleeping is off.
  bool is_dormant(std::size_t shape) const;

  bool is_asleep(int body) const { return group_[static_cast<std::size_t>(body)] >= 0; }

  /// The groups of these bodies wake, as of the beginning of the step in which something pushes them at t; what their
  /// contacts remember joins `memory`.
  void wake(const std::vector<int>& bodies, double t, std::vector<ContactMemory>& memory, StepReport& report);

  /// Sleepers that may not sleep, as a force element acts on them that was added since.
  std::vector<int> list_loaded() const;

  /// At the end of a step of length h: the contacts of the sleepers join the records and the audit.
  void add_records(double h, std::vector<ContactRecord>& records, ContactAudit& audit);

  /// The end of a step as clocks see it. `kinematics` is that of the state.
  struct End {
    State& state;
    Kinematics& kinematics;
    double h = 0;
    const std::vector<ContactRecord>& records;
  };
  /// Clocks go on, and who may falls asleep: its velocities become 0, and its contacts leave `memory`. Returns whether
  /// anybody did.
  bool fall_asleep(const End& end, std::vector<ContactMemory>& memory, StepReport& report);

  /// Everybody is awake.
  void clear();
  /// Clocks, groups and contacts as numbers, appended; and back: false where they are not of this system.
  void save(std::vector<double>& numbers) const;
  [[nodiscard]] bool restore(const double* numbers, std::size_t count);

 private:
  enum class Kind : char { fixed, sleeper, other };
  static std::vector<Kind> list_kinds(const System& system);
  static constexpr double never = std::numeric_limits<double>::infinity();

  int body_of(int shape) const { return system_.contact.shapes[static_cast<std::size_t>(shape)].body; }
  bool is_belt(int shape) const {
    return !system_.contact.shapes[static_cast<std::size_t>(shape)].surface_velocity.empty();
  }
  double calc_largest_speed(int body, const Kinematics& kinematics) const;
  void update_clocks(const End& end, double residual);
  void find_groups(double t, const std::vector<ContactMemory>& memory);
  void take_contacts(const End& end, std::vector<ContactMemory>& memory);
  void list_asleep();
  void stop(VecX& v) const;

  const System& system_;
  double delay_ = 0, sleep_speed_ = 0;
  MemoryLayout layout_;                  ///< of contacts_: bodies on layers do not sleep
  std::vector<Kind> kinds_;              ///< of bodies
  std::vector<double> sizes_;            ///< of bodies
  std::vector<double> rests_since_;      ///< of bodies; `never`: does not rest
  std::vector<int> group_;               ///< of bodies that sleep: which one; -1: awake
  std::vector<int> asleep_;              ///< bodies, ascending
  std::vector<ContactMemory> contacts_;  ///< of the sleepers, ascending
  std::vector<ContactRecord> records_;   ///< of the sleepers, ascending; impulses over 1 s
  // Scratch:
  std::vector<char> moves_, stays_awake_, leans_, marked_;
  std::vector<int> root_;
  std::vector<ContactRecord> merged_;
};

}  // namespace stiction
