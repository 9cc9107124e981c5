#pragma once

#include <string>
#include <unordered_map>

#include "stiction/contact/contact_model.h"

namespace stiction {

/// How a pair of shapes is called, in records and on the command line: in the order of its table [contact."A/B"], as
/// the user wrote it; under the default, or a table of one material twice, in the order of the scene.
class PairNames {
 public:
  explicit PairNames(const ContactModel& model);
  /// Does the table name b's side first? False for what are no shapes.
  bool is_reversed(int shape_a, int shape_b) const;
  /// "plane/ball" -> "ball/plane", whatever the order given; any other text stays as it is.
  std::string arrange(const std::string& name) const;

 private:
  const ContactModel& model_;
  bool has_tables_ = false;  ///< any that names its sides
  std::unordered_map<std::string, int> index_of_;
};

/// "floor/ball" -> "ball/floor": the same text for both orders of a pair. Text without "/" stays as it is.
std::string order_pair(const std::string& name);

}  // namespace stiction
