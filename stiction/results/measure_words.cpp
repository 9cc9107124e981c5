#include "stiction/results/measure_words.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "stiction/base/text.h"

namespace stiction {

const char* name_scale(MeasureScale scale) {
  switch (scale) {
    case MeasureScale::one:
      return "the value itself";
    case MeasureScale::steps:
      return "the number of steps";
    case MeasureScale::smallest_body:
      return "the size of the smallest body";
    case MeasureScale::thinnest_body:
      return "the thickness of the thinnest body";
    case MeasureScale::thinner_of_pair:
      return "the thickness of the thinner shape";
    case MeasureScale::largest_impulse:
      return "the largest contact impulse";
    case MeasureScale::body_impulse:
      return "smallest size times largest contact impulse";
    case MeasureScale::energy:
      return "the energy exchanged";
    case MeasureScale::joint:
      return "1 rad, or the size of the smallest body";
  }
  return "";
}

const char* name_scope(MeasureScope scope) {
  switch (scope) {
    case MeasureScope::every_run:
      return "every run";
    case MeasureScope::contact:
      return "contact";
    case MeasureScope::rigid_contact:
      return "rigid contact";
    case MeasureScope::compliant_contact:
      return "compliant contact";
    case MeasureScope::limits:
      return "joints with limits";
    case MeasureScope::constraints:
      return "constraints";
  }
  return "";
}

std::string format_limit(double limit) {
  return limit == 0 ? "none" : std::isfinite(limit) ? format_number(limit) : "never";
}

std::string format_limits(const MeasureInfo& info) {
  // A value itself needs no divisor; one that is named need not be named again.
  std::string of = info.scale == MeasureScale::one ? "" : fmt::format(" of {}", name_scale(info.scale));
  const auto beyond = [&](const char* verdict, double limit) {
    if (limit == 0) return fmt::format("{} where there is any", verdict);
    return fmt::format("{} beyond {}{}", verdict, format_limit(limit), std::exchange(of, ""));
  };
  if (info.do_not_trust == info.look_closer) return beyond("do not trust", info.do_not_trust);
  const std::string first = beyond("look closer", info.look_closer);
  return std::isfinite(info.do_not_trust) ? first + ", " + beyond("do not trust", info.do_not_trust) : first;
}

}  // namespace stiction
