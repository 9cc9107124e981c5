#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "stiction/contact/contact_model.h"
#include "stiction/results/pair_names.h"

namespace stiction {

/// How the contacts of a run are summed up for its signals contact.NAME.*, by the table they are under:
///
///   [contact."A/B"]    one group a table that names both sides: NAME = A/B, vectors act on B
///   [contact.default]  one a pair of bodies that can touch, in the order of the scene: NAME = FIRST/SECOND, vectors
///   act
///                      on SECOND. Where these are too many, one a body instead, with all its contacts under the
///                      default: NAME = BODY, vectors act on it; and a pair only where a pattern names it: one with a
///                      "/" in it that matches (contact.ball_3/ball_4.*)
///
/// Too many: 1,000 bodies make 500,000 pairs. 64 pairs, a dozen bodies each with each, have 8 x 64 = 512 signals: half
/// of the 1,024 up to which a part of a run holds 1,024 samples (recorder.h). Beyond 1,000 shapes pairs are not
/// counted.
class ContactGroups {
 public:
  static constexpr int most_default_pairs = 64, most_counted_shapes = 1000, most_requested_pairs = 1000;

  /// InputError if the patterns ask for more than most_requested_pairs.
  ContactGroups(const ContactModel& model, const std::vector<std::string>& patterns);
  const std::vector<std::string>& names() const { return names_; }
  int size() const { return static_cast<int>(names_.size()); }
  /// Are contacts under the default summed up body by body?
  bool is_by_body() const { return is_by_body_; }

  /// A group that a contact belongs to, and which way its vectors count there.
  struct Share {
    int group = -1;   ///< -1: none
    double sign = 1;  ///< of the force on the contact's B
  };
  using Shares = std::array<Share, 3>;
  /// Of a contact between two shapes. Allocates where a pair is asked for the first time.
  const Shares& find(int shape_a, int shape_b);

 private:
  std::string name_of_bodies(int shape_a, int shape_b) const;
  int find_group(const std::string& name) const;
  int add(const std::string& name);
  bool is_default(int rule) const;
  void add_default_pairs();
  void add_requested_pairs(const std::vector<std::string>& patterns);
  Shares calc_shares(int shape_a, int shape_b) const;

  const ContactModel& model_;
  PairNames pair_names_;
  bool is_by_body_ = false;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> index_of_;
  std::unordered_map<std::uint64_t, Shares> found_;
};

}  // namespace stiction
