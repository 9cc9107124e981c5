#include <fmt/format.h>

#include <cmath>

#include "stiction/results/verdict.h"
#include "stiction/results/wrap_lines.h"

namespace stiction {
namespace {

const char* name_scale(MeasureScale scale) {
  switch (scale) {
    case MeasureScale::one:
      return "the value itself";
    case MeasureScale::steps:
      return "the number of steps";
    case MeasureScale::smallest_body:
      return "the size of the smallest body";
    case MeasureScale::largest_impulse:
      return "the largest contact impulse";
    case MeasureScale::body_impulse:
      return "the size of the smallest body times the largest contact impulse";
    case MeasureScale::energy:
      return "the energy that changed hands";
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
    case MeasureScope::limits:
      return "joints with limits";
    case MeasureScope::constraints:
      return "constraints";
  }
  return "";
}

std::string format_limit(double limit) {
  return limit == 0 ? "none" : std::isfinite(limit) ? fmt::format("{:g}", limit) : "never";
}

}  // namespace

std::string format_measures_reference() {
  std::string text =
      "| measure | unit | in | share of | look closer beyond | do not trust beyond | strict "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const MeasureInfo& info : trust_measures) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", info.name, *info.unit ? info.unit : "-",
                        name_scope(info.scope), name_scale(info.scale), format_limit(info.look_closer),
                        format_limit(info.do_not_trust), info.at_a_step ? "stops" : "at the end");
  }
  for (const MeasureInfo& info : trust_measures) {
    text += '\n';
    text += wrap_lines(fmt::format("**`{}`**: {}.", info.name, info.meaning), 0);
    text += wrap_lines(fmt::format("Limits: {}.", info.origin), 2, "- ");
    text += wrap_lines(fmt::format("Half and double of them: {}.", info.effect), 2, "- ");
    text += wrap_lines(fmt::format("Remedy: {}.", info.remedy), 2, "- ");
  }
  return text;
}

}  // namespace stiction
