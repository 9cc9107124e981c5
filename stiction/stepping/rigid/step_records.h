#pragma once

#include <vector>

#include "stiction/stepping/rigid/step_book.h"

namespace stiction {

/// The records of a step's contacts, of all islands, in the order of Contact::comes_before.
class StepRecords {
 public:
  void clear();
  void append(const IslandResult& island);
  /// Records of islands that lie between one another's.
  void sort();
  /// Gaps at the end of the step become those of `found`, by the exact geometry, and what they tell joins the audit.
  void measure(const RigidModel& model, const FoundContacts& found, ContactAudit& audit);
  std::vector<ContactRecord>& list() { return records_; }
  const std::vector<ContactRecord>& list() const { return records_; }

 private:
  void count_uncertified(const std::vector<FoundPair>& pairs, ContactAudit& audit) const;

  std::vector<ContactRecord> records_, sorted_;
  std::vector<double> resting_impulses_, sorted_impulses_;  ///< of the records, normal, in the last part of the step
  std::vector<int> order_;
};

}  // namespace stiction
