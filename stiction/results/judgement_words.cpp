#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/results/judgement.h"
#include "stiction/results/trust_measures.h"

namespace stiction {
namespace {

/// Below this part of the limit beyond which a value counts it is shown as 0.
constexpr double noise_part = 1e-9;

bool is_count(const std::string& unit) {
  return unit == "samples" || unit == "problems" || unit == "parts" || unit == "steps";
}

}  // namespace

bool is_measured(const Judgement& judged) {
  return std::any_of(trust_measures.begin(), trust_measures.end(),
                     [&](const MeasureInfo& info) { return judged.measure == info.name; });
}

bool is_noise(const Judgement& judged) {
  return judged.value < noise_part * judged.limit;
}

std::string format_judged_value(const Judgement& judged) {
  if (is_count(judged.unit) && std::isfinite(judged.value)) {
    const std::string one = judged.unit.substr(0, judged.unit.size() - 1);
    return fmt::format("{:.0f} {}", judged.value, judged.value == 1 ? one : judged.unit);
  }
  const double shown = is_noise(judged) ? 0 : judged.value;
  return fmt::format("{}{}{}", format_digits(shown, 3), judged.unit.empty() ? "" : " ", judged.unit);
}

}  // namespace stiction
