#include "stiction/stepping/rigid/step_records.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "stiction/base/index.h"

namespace stiction {
namespace {

/// As Contact::comes_before.
template <class A, class B>
bool comes_before(const A& a, const B& b) {
  return std::tuple(a.shape_a, a.shape_b, a.point) < std::tuple(b.shape_a, b.shape_b, b.point);
}

}  // namespace

void StepRecords::clear() {
  records_.clear();
  resting_impulses_.clear();
}

void StepRecords::append(const IslandResult& island) {
  records_.insert(records_.end(), island.records.begin(), island.records.end());
  resting_impulses_.insert(resting_impulses_.end(), island.resting_impulses.begin(), island.resting_impulses.end());
}

void StepRecords::sort() {
  if (std::is_sorted(records_.begin(), records_.end(), comes_before<ContactRecord, ContactRecord>)) return;
  order_.resize(records_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int x, int y) { return comes_before(records_[at(x)], records_[at(y)]); });
  sorted_.clear();
  sorted_impulses_.clear();
  for (const int i : order_) {
    sorted_.push_back(records_[at(i)]);
    sorted_impulses_.push_back(resting_impulses_[at(i)]);
  }
  records_.swap(sorted_);
  resting_impulses_.swap(sorted_impulses_);
}

/// Pairs whose gaps at the end of the step are not known, and others that bore an impulse on the way where theirs were
/// not. Both lists ascend.
void StepRecords::count_uncertified(const std::vector<FoundPair>& pairs, ContactAudit& audit) const {
  auto record = records_.begin();
  const auto shapes_of = [](const ContactRecord& r) { return std::pair(r.shape_a, r.shape_b); };
  const auto count_records_before = [&](const std::pair<int, int>& end) {
    for (; record != records_.end() && shapes_of(*record) < end; ++record)
      if (!record->certified && !record->impulse.isZero(0)) audit.note_uncertified(record->shape_a, record->shape_b);
  };
  for (const FoundPair& pair : pairs) {
    if (pair.certified) continue;
    count_records_before({pair.a, pair.b});
    audit.note_uncertified(pair.a, pair.b);
    while (record != records_.end() && shapes_of(*record) == std::pair(pair.a, pair.b)) ++record;
  }
  count_records_before({std::numeric_limits<int>::max(), 0});
}

void StepRecords::measure(const RigidModel& model, const FoundContacts& found, ContactAudit& audit) {
  count_uncertified(found.pairs, audit);
  const auto note_depth = [&](const Contact& contact, double depth) {
    if (depth <= audit.penetration) return;
    audit.penetration = depth;
    audit.worst_a = contact.shape_a, audit.worst_b = contact.shape_b;
  };
  for (const Contact& contact : found.contacts) {
    if (!model.has_layers || !model.is_layered(contact)) note_depth(contact, -contact.gap);
  }
  auto contact = found.contacts.begin();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ContactRecord& record = records_[i];
    while (contact != found.contacts.end() && comes_before(*contact, record)) ++contact;
    if (contact == found.contacts.end() || comes_before(record, *contact)) continue;
    record.gap = contact->gap;
    // Of the surfaces as layers give way.
    const double gap = contact->gap + record.deflection;
    if (model.has_layers && model.is_layered(*contact)) note_depth(*contact, -gap);
    audit.complementarity = std::max(audit.complementarity, std::abs(gap * resting_impulses_[i]));
  }
}

}  // namespace stiction
