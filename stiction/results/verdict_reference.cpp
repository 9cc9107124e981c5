#include <fmt/format.h>

#include "stiction/results/measure_words.h"
#include "stiction/results/verdict.h"
#include "stiction/results/wrap_lines.h"

namespace stiction {

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
