#pragma once

#include "stiction/stepping/rigid/island_work.h"

namespace stiction {

/// What an island tells of its step.
struct IslandResult {
  int first_cluster = 0;          ///< of the island: it is the same while it begins with the same cluster
  std::size_t cluster_count = 0;  ///< and has as many
  IslandState end;
  ContactAudit audit;
  int evaluations = 0;                   ///< trial steps
  int rejected = 0;                      ///< of these, unsolved and halved
  std::vector<StepEvent> events;         ///< ascending in time
  std::vector<ContactRecord> records;    ///< ascending
  std::vector<double> resting_impulses;  ///< of the records, normal, in the last part of the step [N s]
  /// Of limits and friction of joints over the step: into RigidModel::coordinates, and the impulse [N s, N m s].
  std::vector<std::pair<int, double>> coordinate_impulses;
  std::vector<ContactMemory> memory;  ///< for the next step, ascending
  FoundContacts found;                ///< at the end
  std::vector<ContactSearch::Extension> extensions;
  bool meets_driven = false;         ///< one of them does: the result does not hold
  std::vector<int> pushed_sleepers;  ///< bodies: the result is void, they have to wake first
  double pushed_at = 0;              ///< [s]
  void clear();
};

/// Keeps the books of an island's step: ledger, audit, records, events, and what contacts remember.
class StepBook {
 public:
  explicit StepBook(IslandWork& work);
  void begin(IslandResult& result);

  /// Work of the impulses goes to the ledger of `state`: r . (u before + u after) / 2 along each row is what the bodies
  /// gain, exactly, since M is that of one configuration. What moving boundaries (driven bodies, belts) put in is the
  /// part of u that they make; v_mean: mean of the velocities before and after. h: of the (sub)step; 0: an impact.
  ///
  /// Of a contact with layers, what the bodies lose is shared between friction, at the slip of the surfaces at the end
  /// of the step, damping, and what the layers store (z[System::layer_energy]). What is left is the impact on a core
  /// where one is reached; elsewhere it is the numerical dissipation of implicit Euler: it is booked nowhere, and
  /// the residual shows it.
  void book_impulses(const SolvedContacts& solved, const VecX& v_mean, double h, IslandState& state);
  /// The contacts of this (sub)step, of length h, or of an impact (h = 0), become the memory of the next; events are
  /// what changed. `had_good_start`: ContactTracker's warm start was right but for rounding.
  void remember(const SolvedContacts& solved, double t, double h, bool had_good_start);
  /// The audit of a part of the step that was accepted joins that of the step.
  void add_audit();
  /// The last part was taken to first order: counted where contacts act whose time of impact would be located.
  void note_first_order(const SolvedContacts& solved);

 private:
  void note_changes(double t, const ContactMemory* before, const ContactMemory& now, double speed);
  void note_event(double t, const char* kind, const Contact& contact);
  void note_releases(double t);
  void keep_untouched();
  ContactRecord& add_record(const SolvedContacts& solved, int i, double h);
  void book_layers(const SolvedContacts& solved, double h, IslandState& state);
  void remember_layers(const SolvedContacts& solved, int i, ContactMemory& memory) const;

  IslandWork& work_;
  const RigidModel& model_;
  IslandResult* result_ = nullptr;
  std::vector<ContactMemory> next_, added_;
  VecX half_;
};

/// Of the parts of a step together: the worst, or the sum.
void merge_parts(const ContactAudit& part, ContactAudit& whole);
/// Of islands, beside each other.
void merge_islands(const ContactAudit& island, ContactAudit& whole);
/// The record of that place, new if there is none.
ContactRecord& find_record(const Contact& place, std::vector<ContactRecord>& records, std::vector<double>& resting);

}  // namespace stiction
